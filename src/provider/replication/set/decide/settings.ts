import type { EnablePrimaryFields, PrimaryContact } from '../../../../client';
import type { TokenDelivery } from '../../../../model';
import type { Observation } from '../planner';
import type { ApplyMemory } from './memory';

/** The settings that steps of a set use. */
export interface SetSettings {
  /** The settings of the set under the wanted and the previous primary, by the primary's name. */
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
  /** The address and the CA with which the secondary unwraps its token. */
  readonly contact: PrimaryContact;
}

/** Seconds. */
export interface Limits {
  /** The time in which a cluster changes its mode and answers again. */
  readonly modeChange: number;
  /** The time in which the successor of a primary receives all its data and is promoted. */
  readonly takeover: number;
  /** The time in which a secondary receives all data of its primary. */
  readonly sync: number;
}

/** Returns the fields of the request that makes a cluster the primary. */
export function primaryFields({ under }: SetSettings, cluster: string): EnablePrimaryFields {
  const primary_cluster_addr = under[cluster]?.primaryClusterAddr;
  return primary_cluster_addr === undefined ? {} : { primary_cluster_addr };
}

/** The facts and settings that a step needs. */
export interface StepContext {
  /** The name of the set in messages: `performance replication set "us"`. */
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
  /** The clusters that must answer before the step. */
  readonly needed: readonly string[];
}
