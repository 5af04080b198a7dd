import type { ReplicationMode } from '../../../../model';

/** The paths filter of a secondary. */
export interface Filter {
  readonly mode: string;
  readonly paths: readonly string[];
}

/** The state of a secondary's id on its primary. `never`: its token was issued and never used. */
export type Connection = 'never' | 'disconnected' | 'connected';

/** The identity of the cluster itself, regardless of its name. */
export interface Self {
  /** The cluster's own id, as in `sys/health`. */
  readonly id: string;
  /** The version of its server; absent if it is unknown. */
  readonly version?: string;
  /**
   * The address of its active node for other clusters; only read if several clusters have the same
   * id.
   */
  readonly place?: string;
}

interface Facts<M extends string> {
  readonly mode: M;
  /** The identity of the cluster; absent if it is unknown. */
  readonly self?: Self;
  /** The reason if the cluster did not answer: the other facts are then those of the last read. */
  readonly unreachable?: string;
}

/** Replication is disabled: a standalone cluster. */
export interface DisabledFacts extends Facts<'disabled'> {
  /** Descriptions of the data that a new cluster does not have. Absent: not determined yet. */
  readonly holds?: readonly string[];
  /** The reason if the data could not be determined. */
  readonly unseen?: string;
}

export interface PrimaryFacts extends Facts<'primary'> {
  readonly clusterId: string;
  /**
   * The cluster address with which it was enabled; empty if it uses the address of its server.
   * Absent: the address that it gets from a planned step.
   */
  readonly clusterAddr?: string;
  /** The ids of all tokens that were issued and not revoked. */
  readonly secondaries: Readonly<Record<string, Connection>>;
  /** By secondary id, the paths filters that were read; null if a secondary has no filter. */
  readonly filters: Readonly<Record<string, Filter | null>>;
  /**
   * Members that stepped down or do not follow the primary, if the primary is known to have all
   * their writes.
   */
  readonly hasWritesOf?: readonly string[];
  /** The reason if the takeover note, which may extend this list, could not be read. */
  readonly noteUnread?: string;
  /** Why its digest must not be compared; absent if it can be compared. */
  readonly digest?: 'wrong' | 'missing';
}

/** The progress of a secondary in the set's data, if the secondary reports it. */
export interface SecondaryProgress {
  /** The digest of all data. */
  readonly root?: string;
  /** The number of the last write that arrived. 0: no write since the first sync, or unknown. */
  readonly position: number;
}

export interface SecondaryFacts extends Facts<'secondary'> {
  readonly clusterId: string;
  /** The id of its token; may be empty after a demotion. */
  readonly secondaryId: string;
  /** Whether it is connected to a primary at present. */
  readonly connected: boolean;
  /** Whether it makes no attempt to reach a primary, as after a demotion. */
  readonly alone: boolean;
  /** The progress; only read for a forced promotion, because it changes by itself. */
  readonly progress?: SecondaryProgress;
  /** Why its digest must not be compared; absent if it can be compared. */
  readonly digest?: 'wrong' | 'missing';
  /** The successor that was announced before the demotion; only read if no primary answers. */
  readonly announced?: Announced;
}

/**
 * The cluster that an announcement names. The announcement cannot be changed while there is no
 * primary.
 */
export interface Announced {
  /** The cluster's own id, as in `sys/health`; its name if the id was unknown. */
  readonly id: string;
  /** Its name in the configuration of the apply that announced it. */
  readonly name: string;
}

/** The cluster could not be read yet, cannot replicate, or is a secondary of disaster recovery. */
export type UnclearFacts = Facts<'unknown' | 'unsupported' | 'dr_secondary'>;

/**
 * The known facts of one cluster. Values that change by themselves are read only for a forced
 * promotion, so that other plans are the same as long as nothing has changed.
 */
export type ClusterFacts = DisabledFacts | PrimaryFacts | SecondaryFacts | UnclearFacts;

/** The known facts of all clusters of a plan, by name. */
export type Observation = Readonly<Record<string, ClusterFacts>>;

/** Returns the facts of a cluster. A cluster outside of the observation was not read yet. */
export function factsOf(observation: Observation, cluster: string): ClusterFacts {
  return observation[cluster] ?? { mode: 'unknown' };
}

/** Returns the facts of a cluster that has just entered a mode. */
export function newFacts(mode: ReplicationMode, clusterId: string): ClusterFacts {
  switch (mode) {
    case 'disabled':
      return { mode };
    case 'primary':
      return { mode, clusterId, secondaries: {}, filters: {} };
    case 'secondary':
      return { mode, clusterId, secondaryId: '', connected: false, alone: true };
  }
}
