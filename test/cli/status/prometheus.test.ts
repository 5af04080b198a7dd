import type { ClusterState } from '../../../src/cli/status/cluster-state';
import { prometheusMetrics } from '../../../src/cli/status/prometheus';

const PRIMARY: ClusterState = {
  name: 'us',
  address: 'https://us.example.com',
  version: '1.21.0+ent',
  sealed: false,
  failures: [],
  replication: {
    mode: 'primary',
    state: 'running',
    cluster_id: 'set-1',
    primary_cluster_addr: '',
    known_secondaries: ['eu', 'ap'],
    secondaries: [{ node_id: 'eu', connection_status: 'connected' }],
    last_performance_wal: 100,
  },
  managed_keys: [
    { namespace: '', type: 'pkcs11', name: 'a', test_sign_error: null },
    { namespace: 'team', type: 'awskms', name: 'b', test_sign_error: 'no key' },
    { namespace: '', type: 'awskms', name: 'not-asked' },
  ],
  auto_snapshots: [
    {
      name: 'nightly',
      status: { last_snapshot_end: '2026-01-02T03:04:05Z' },
      health: { healthy: false, state: 'overdue', reasons: ['late'] },
    },
  ],
};

const SECONDARY: ClusterState = {
  name: 'eu',
  address: 'https://eu.example.com',
  version: '1.21.0+ent',
  sealed: false,
  failures: [{ subject: 'token', message: 'none' }],
  replication: {
    mode: 'secondary',
    state: 'stream-wals',
    connection_state: 'ready',
    cluster_id: 'set-1',
    primary_cluster_addr: '',
    secondary_id: 'eu',
    known_primary_cluster_addrs: [],
    primaries: [],
    last_remote_wal: 90,
  },
};

const values = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('#'));

test('the output for Prometheus shows everything that is known about a set', () => {
  const problems = [{ cluster: 'us', text: 'late' }, { text: 'two primaries' }];
  expect(values(prometheusMetrics([PRIMARY, SECONDARY], problems))).toEqual([
    'vault_admin_up{cluster="us"} 1',
    'vault_admin_up{cluster="eu"} 1',
    'vault_admin_info{cluster="us",address="https://us.example.com",version="1.21.0+ent"} 1',
    'vault_admin_info{cluster="eu",address="https://eu.example.com",version="1.21.0+ent"} 1',
    'vault_admin_sealed{cluster="us"} 0',
    'vault_admin_sealed{cluster="eu"} 0',
    'vault_admin_replication_mode{cluster="us",mode="primary",set="set-1"} 1',
    'vault_admin_replication_mode{cluster="eu",mode="secondary",set="set-1"} 1',
    'vault_admin_replication_wal{cluster="us"} 100',
    'vault_admin_replication_wal{cluster="eu"} 90',
    'vault_admin_replication_wal_distance{cluster="eu"} 10',
    'vault_admin_replication_streaming{cluster="eu"} 1',
    'vault_admin_replication_secondary_connected{cluster="us",secondary="eu"} 1',
    'vault_admin_replication_secondary_connected{cluster="us",secondary="ap"} 0',
    'vault_admin_managed_key_signs{cluster="us",namespace="",type="pkcs11",name="a"} 1',
    'vault_admin_managed_key_signs{cluster="us",namespace="team",type="awskms",name="b"} 0',
    'vault_admin_auto_snapshot_healthy{cluster="us",name="nightly"} 0',
    'vault_admin_auto_snapshot_last_success_timestamp_seconds{cluster="us",name="nightly"} 1767323045',
    'vault_admin_read_failures{cluster="us"} 0',
    'vault_admin_read_failures{cluster="eu"} 1',
    'vault_admin_problems{cluster=""} 1',
    'vault_admin_problems{cluster="us"} 1',
    'vault_admin_problems{cluster="eu"} 0',
  ]);
});

test('a cluster that does not answer is down, and has no further metrics of its state', () => {
  const silent = { name: 'us', address: 'unknown', failures: [{ subject: 'health', message: 'no' }] };
  expect(values(prometheusMetrics([silent], []))).toEqual([
    'vault_admin_up{cluster="us"} 0',
    'vault_admin_info{cluster="us",address="unknown",version="unknown"} 1',
    'vault_admin_read_failures{cluster="us"} 1',
    'vault_admin_problems{cluster=""} 0',
    'vault_admin_problems{cluster="us"} 0',
  ]);
});

test('each metric is printed once, after its help and its type', () => {
  const lines = prometheusMetrics([PRIMARY, SECONDARY], []);
  const names = lines.flatMap((line) => /^# HELP (\S+) \S/.exec(line)?.[1] ?? []);
  expect(new Set(names).size).toBe(names.length);
  expect(lines.flatMap((line) => /^# TYPE (\S+) gauge$/.exec(line)?.[1] ?? [])).toEqual(names);
});

test('no text of a server ends a label or a line', () => {
  const [up] = values(prometheusMetrics([{ ...PRIMARY, name: 'u"s\\\n' }], []));
  expect(up).toBe('vault_admin_up{cluster="u\\"s\\\\\\\\n"} 1');
});
