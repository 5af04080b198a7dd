import type { ReplicationCallName } from '../../model';
import type { Handler } from '../core/backend';
import type { ClusterParts } from '../core/parts';
import type { ClusterReplication } from './cluster-replication';

/** What the calls of replication need of a cluster. */
export interface ReplicatedCluster extends ClusterParts {
  readonly replication: ClusterReplication;
}

/** What answers to some of the calls. The fields of requests are as the model says, and fit its rules. */
export type CallHandlers<Name extends ReplicationCallName> = Readonly<Record<Name, Handler>>;
