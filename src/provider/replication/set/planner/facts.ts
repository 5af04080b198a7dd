import type { ReplicationMode } from '../../../../model';

/** The paths filter of a secondary. */
export interface Filter {
  readonly mode: string;
  readonly paths: readonly string[];
}

/** How far a secondary's id has come on its primary: its token was issued but never used; or it was used. */
export type Connection = 'never' | 'disconnected' | 'connected';

/** Identifies the cluster itself, regardless of its name. */
export interface Self {
  /** The cluster's own id, as in `sys/health`. */
  readonly id: string;
  /** The version of its server. Absent if it is unknown. */
  readonly version?: string;
  /** The address of its active node for other clusters: only asked for where several clusters have the same id. */
  readonly place?: string;
}

interface Facts<M extends string> {
  readonly mode: M;
  /** Absent if it is unknown. */
  readonly self?: Self;
  /** Why the cluster could not be asked just now: the other facts are those of the last time. */
  readonly unreachable?: string;
}

/** Replication is disabled: a standalone cluster. */
export interface DisabledFacts extends Facts<'disabled'> {
  /**
   * Descriptions of the data in the cluster that a new one does not have. Absent: not determined
   * yet.
   */
  readonly holds?: readonly string[];
  /** Why it could not be determined. */
  readonly unseen?: string;
}

export interface PrimaryFacts extends Facts<'primary'> {
  readonly clusterId: string;
  /** The cluster address that it was enabled with, empty for the server's own. */
  readonly clusterAddr: string;
  /** All ids that tokens were issued for and that were not revoked. */
  readonly secondaries: Readonly<Record<string, Connection>>;
  /** The paths filters that were read, by secondary id. Null if a secondary has no filter. */
  readonly filters: Readonly<Record<string, Filter | null>>;
  /** The members that stepped down, or do not follow it, of which it is known that it has all their writes. */
  readonly hasWritesOf?: readonly string[];
  /** Why it could not be read whose writes it has. */
  readonly noteUnread?: string;
  /** Why the digest of its data proves nothing. Absent if it can be compared. */
  readonly digest?: 'wrong' | 'missing';
}

/** How much of a set's data a secondary has, if it reports that. */
export interface Progress {
  /** Digest of all data. */
  readonly root?: string;
  /** The number of the last write that arrived. 0: nothing was written since its first sync, or it is not known. */
  readonly position: number;
}

export interface SecondaryFacts extends Facts<'secondary'> {
  readonly clusterId: string;
  /** The id that its token was issued for; may be empty after a demotion. */
  readonly secondaryId: string;
  /** Whether it is connected to a primary right now. */
  readonly connected: boolean;
  /** Whether it does not try to reach a primary, as after a demotion. */
  readonly alone: boolean;
  /** Only looked at where a promotion is forced: it changes by itself. */
  readonly progress?: Progress;
  /** As on a primary. */
  readonly digest?: 'wrong' | 'missing';
  /** The successor that was announced when it stepped down. Only read where no primary answers. */
  readonly announced?: Announced;
}

/** The cluster that a guard names, which nobody can change while there is no primary. */
export interface Announced {
  /** The cluster's own id, as in `sys/health`; its name if the id was unknown. */
  readonly id: string;
  /** Its name in the configuration of whoever announced it. */
  readonly name: string;
}

/** The cluster could not be asked yet, cannot replicate, or is a secondary of disaster recovery. */
export type UnclearFacts = Facts<'unknown' | 'unsupported' | 'dr_secondary'>;

/**
 * The known facts of one cluster. It holds nothing that changes by itself, unless a promotion is
 * forced: the same observation gives the same plan.
 */
export type ClusterFacts = DisabledFacts | PrimaryFacts | SecondaryFacts | UnclearFacts;

/** The known facts of all clusters of a plan, by name. */
export type Observation = Readonly<Record<string, ClusterFacts>>;

/** Returns what is known of a cluster. One that is not in the observation has not been asked yet. */
export function factsOf(observation: Observation, cluster: string): ClusterFacts {
  return observation[cluster] ?? { mode: 'unknown' };
}

/** A cluster that has just become something by its mode alone. */
export function newFacts(mode: ReplicationMode, clusterId: string): ClusterFacts {
  switch (mode) {
    case 'disabled':
      return { mode };
    case 'primary':
      return { mode, clusterId, clusterAddr: '', secondaries: {}, filters: {} };
    case 'secondary':
      return { mode, clusterId, secondaryId: '', connected: false, alone: true };
  }
}
