import type { EnablePrimaryFields, PrimaryContact } from '../../../../client';
import type { TokenDelivery } from '../../../../model';
import type { Observation } from '../planner';
import type { ApplyMemory } from './memory';

/** How the steps of a set are taken. */
export interface SetSettings {
  /** By the primary that they are for: the wanted one, and the previous one. */
  readonly under: Readonly<Record<string, PrimarySettings>>;
  readonly limits: Limits;
  /** Whether a switchover promotes the successor before the former primary answers again. */
  readonly immediate: boolean;
}

interface PrimarySettings {
  /** The cluster address that a new primary gives to its secondaries. Absent: the server's own. */
  readonly primaryClusterAddr?: string;
  readonly secondaries: Readonly<Record<string, SecondarySettings>>;
}

export interface SecondarySettings {
  readonly delivery: TokenDelivery;
  /** Where and how the secondary unwraps its token. */
  readonly contact: PrimaryContact;
}

/** Seconds. */
export interface Limits {
  /** For one cluster to change its mode and to answer again. */
  readonly modeChange: number;
  /**
   * For the successor of a primary that has stepped down to come to the same data, and to be
   * promoted.
   */
  readonly takeover: number;
  /** For a secondary to receive all that its primary has. */
  readonly sync: number;
}

/** The fields that a cluster is sent when it becomes the primary. */
export function primaryFields({ under }: SetSettings, cluster: string): EnablePrimaryFields {
  const primary_cluster_addr = under[cluster]?.primaryClusterAddr;
  return primary_cluster_addr === undefined ? {} : { primary_cluster_addr };
}

/** The facts and settings for taking a step. */
export interface StepContext {
  /** How messages call the set: `performance replication set "us"`. */
  readonly title: string;
  readonly settings: SetSettings;
  /** The present facts of the clusters. */
  readonly observation: Observation;
  /** Identifies this apply in the announcement of a successor. */
  readonly apply: string;
  readonly memory: ApplyMemory;
  /** All clusters of the set. */
  readonly members: readonly string[];
  /** Abandoned clusters, which may come back. */
  readonly watched: readonly string[];
  /** The clusters that have to answer for the step. */
  readonly needed: readonly string[];
}
