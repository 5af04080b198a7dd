import type { ClusterState } from '../../../src/cli/status/cluster-state';
import { problemsOf } from '../../../src/cli/status/find-problems';
import type { ReplicationPrimaryStatus, ReplicationSecondaryStatus } from '../../../src/client';

const CONNECTED = { connection_status: 'connected' };

function cluster(name: string, facts: Partial<ClusterState>): ClusterState {
  return { name, address: `https://${name}.example.com`, sealed: false, failures: [], ...facts };
}

function primary(facts: Partial<ReplicationPrimaryStatus> = {}): ReplicationPrimaryStatus {
  return {
    mode: 'primary',
    state: 'running',
    cluster_id: 'set-1',
    primary_cluster_addr: '',
    known_secondaries: ['eu'],
    secondaries: [{ node_id: 'eu', ...CONNECTED }],
    last_wal: 110,
    last_performance_wal: 100,
    ...facts,
  };
}

function secondary(facts: Partial<ReplicationSecondaryStatus> = {}): ReplicationSecondaryStatus {
  return {
    mode: 'secondary',
    state: 'stream-wals',
    connection_state: 'ready',
    cluster_id: 'set-1',
    primary_cluster_addr: '',
    secondary_id: 'eu',
    known_primary_cluster_addrs: [],
    primaries: [CONNECTED],
    last_remote_wal: 100,
    ...facts,
  };
}

const us = (facts?: Partial<ReplicationPrimaryStatus>) => cluster('us', { replication: primary(facts) });
const eu = (facts?: Partial<ReplicationSecondaryStatus>) => cluster('eu', { replication: secondary(facts) });

test.each<[what: string, clusters: readonly ClusterState[]]>([
  ['clusters without replication', [cluster('us', { replication: { mode: 'disabled' } })]],
  ['a set that streams', [us(), eu()]],
  ['a secondary within the allowed distance', [us(), eu({ last_remote_wal: 90 })]],
  ['a secondary whose primary was not read', [eu({ last_remote_wal: 3 })]],
  [
    'two sets',
    [us(), cluster('ap', { replication: primary({ cluster_id: 'set-2', known_secondaries: [] }) })],
  ],
  [
    'keys whose test signature succeeded or was not requested',
    [
      cluster('us', {
        managed_keys: [
          { namespace: '', type: 'pkcs11', name: 'a', test_sign_error: null },
          { namespace: '', type: 'awskms', name: 'b' },
        ],
      }),
    ],
  ],
  [
    'a snapshot that is not due yet',
    [
      cluster('us', {
        auto_snapshots: [
          { name: 'nightly', status: {}, health: { healthy: false, state: 'waiting', reasons: ['not yet'] } },
        ],
      }),
    ],
  ],
])('no problem is found with %s', (_what, clusters) => {
  expect(problemsOf(clusters, 10)).toEqual([]);
});

test.each<[what: string, clusters: readonly ClusterState[], problems: readonly object[]]>([
  ['a sealed cluster', [cluster('us', { sealed: true })], [{ cluster: 'us', text: 'is sealed' }]],
  [
    'two primaries of one set',
    [us({ known_secondaries: [] }), cluster('eu', { replication: primary({ known_secondaries: [] }) })],
    [{ text: 'replication set set-1 has more than one primary: "us" and "eu"' }],
  ],
  [
    'a secondary that is not connected',
    [us({ secondaries: [{ node_id: 'eu', connection_status: 'disconnected' }] })],
    [{ cluster: 'us', text: 'secondary "eu" is not connected' }],
  ],
  [
    'a secondary that was never connected',
    [us({ secondaries: [] })],
    [{ cluster: 'us', text: 'secondary "eu" is not connected' }],
  ],
  [
    'a secondary that is not streaming',
    [us(), eu({ state: 'idle', connection_state: 'transient_failure' })],
    [{ cluster: 'eu', text: 'is not streaming: idle, connection transient_failure' }],
  ],
  [
    'a secondary too far behind',
    [us(), eu({ last_remote_wal: 89 })],
    [{ cluster: 'eu', text: 'is 11 WAL entries behind its primary' }],
  ],
  [
    'corrupted merkle trees',
    [us({ corrupted_merkle_tree: true }), eu({ corrupted_merkle_tree: true })],
    [
      { cluster: 'us', text: 'its merkle tree is corrupted: check and reindex it' },
      { cluster: 'eu', text: 'its merkle tree is corrupted: check and reindex it' },
    ],
  ],
  [
    'a cluster in a change of mode',
    [cluster('us', { replication: { mode: 'bootstrapping' } })],
    [{ cluster: 'us', text: 'its replication is bootstrapping' }],
  ],
  [
    'a key that does not sign',
    [
      cluster('us', {
        managed_keys: [{ namespace: 'team', type: 'pkcs11', name: 'a', test_sign_error: 'no such token' }],
      }),
    ],
    [{ cluster: 'us', text: 'managed key "pkcs11/a" in namespace "team" does not sign: no such token' }],
  ],
  [
    'a snapshot that fails',
    [
      cluster('us', {
        auto_snapshots: [
          { name: 'nightly', status: {}, health: { healthy: false, state: 'failing', reasons: ['a', 'b'] } },
        ],
      }),
    ],
    [{ cluster: 'us', text: 'automated snapshot "nightly": a; b' }],
  ],
])('a problem is found: %s', (_what, clusters, problems) => {
  expect(problemsOf(clusters, 10)).toEqual(problems);
});
