import type {
  ReplicationPrimaryStatus,
  ReplicationSecondaryStatus,
} from '../../../src/model/replication/status';
import type { ClusterView } from '../../../src/view/cluster-view';

export function view(name: string, facts: Partial<ClusterView> = {}): ClusterView {
  const address = `https://${name}.example.com`;
  return { name, address, version: '1.21.0+ent', sealed: false, failures: [], ...facts };
}

export function primary(facts: Partial<ReplicationPrimaryStatus> = {}): ReplicationPrimaryStatus {
  return {
    mode: 'primary',
    state: 'running',
    cluster_id: 'set-1',
    primary_cluster_addr: '',
    known_secondaries: ['eu'],
    secondaries: [{ node_id: 'eu', connection_status: 'connected' }],
    last_performance_wal: 100,
    ...facts,
  };
}

export function secondary(facts: Partial<ReplicationSecondaryStatus> = {}): ReplicationSecondaryStatus {
  return {
    mode: 'secondary',
    state: 'stream-wals',
    connection_state: 'ready',
    cluster_id: 'set-1',
    primary_cluster_addr: '',
    secondary_id: 'eu',
    known_primary_cluster_addrs: [],
    primaries: [{ connection_status: 'connected' }],
    last_remote_wal: 97,
    ...facts,
  };
}
