import {
  describeReplicationStatus,
  hasCaughtUp,
  isStreaming,
  type ReplicationPrimaryStatus,
  type ReplicationSecondaryStatus,
} from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { serve } from '../support/server';

const PRIMARY = {
  mode: 'primary',
  state: 'running',
  cluster_id: '3b1c2d7e-6e37-4a52-9b7c-52f7a0a9d001',
  primary_cluster_addr: '',
  known_secondaries: ['eu-1', 'us-1'],
  secondaries: [
    {
      node_id: 'eu-1',
      connection_status: 'connected',
      api_address: 'https://10.1.0.4:8200',
      cluster_address: 'https://10.1.0.4:8201',
      last_heartbeat: '2024-05-01T09:10:11Z',
      last_heartbeat_duration_ms: '1',
      clock_skew_ms: '-3',
      replication_primary_canary_age_ms: '412',
    },
    { node_id: 'us-1', connection_status: 'disconnected' },
  ],
  last_wal: 411,
  last_performance_wal: 410,
  merkle_root: '9c0f4b2d6a7e8f1021324354657687980a1b2c3d',
  corrupted_merkle_tree: false,
  last_corruption_check_epoch: '-62135596800',
  last_reindex_epoch: '0',
  ssct_generation_counter: 0,
};

const SECONDARY = {
  mode: 'secondary',
  state: 'stream-wals',
  connection_state: 'ready',
  cluster_id: PRIMARY.cluster_id,
  secondary_id: 'eu-1',
  primary_cluster_addr: 'https://10.0.0.3:8201',
  known_primary_cluster_addrs: ['https://10.0.0.3:8201', 'https://10.0.0.4:8201'],
  primaries: [
    {
      api_address: 'https://10.0.0.3:8200',
      cluster_address: 'https://10.0.0.3:8201',
      connection_status: 'connected',
      last_heartbeat: '2024-05-01T09:10:10Z',
      last_heartbeat_duration_ms: '1',
      clock_skew_ms: '0',
      replication_primary_canary_age_ms: '412',
    },
  ],
  last_remote_wal: 410,
  last_start: '2024-05-01T08:00:00Z',
  merkle_root: PRIMARY.merkle_root,
  corrupted_merkle_tree: false,
  last_corruption_check_epoch: '-62135596800',
  last_reindex_epoch: '1714550400',
  ssct_generation_counter: 0,
};

async function statusOf(data: unknown) {
  const server = await serve({ json: envelope(data) });
  const client = connect(server, { namespace: 'team-a' });
  return { server, status: (await client.replication.performance.status()).data };
}

test('the status is read without token and namespace', async () => {
  const { server } = await statusOf({ mode: 'disabled' });
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'GET', url: '/v1/sys/replication/performance/status' });
  expect(request!.headers).not.toHaveProperty('x-vault-token');
  expect(request!.headers).not.toHaveProperty('x-vault-namespace');
});

test.each(['disabled', 'unsupported', 'bootstrapping', 'unknown'])('the mode %s is decoded', async (mode) => {
  expect((await statusOf({ mode, more: 1 })).status).toEqual({ mode });
});

test('the status of a primary is decoded', async () => {
  expect((await statusOf({ ...PRIMARY, newer: 'field' })).status).toEqual({
    ...PRIMARY,
    last_corruption_check_epoch: undefined,
    last_reindex_epoch: 0,
    secondaries: [
      {
        ...PRIMARY.secondaries[0],
        last_heartbeat_duration_ms: 1,
        clock_skew_ms: -3,
        replication_primary_canary_age_ms: 412,
      },
      { node_id: 'us-1', connection_status: 'disconnected' },
    ],
  });
});

test('the status of an older primary is decoded', async () => {
  const old = { mode: 'primary', cluster_id: 'id', known_secondaries: null, last_wal: 7, secondaries: null };
  expect((await statusOf(old)).status).toEqual({
    mode: 'primary',
    state: '',
    cluster_id: 'id',
    primary_cluster_addr: '',
    known_secondaries: [],
    secondaries: [],
    last_wal: 7,
  });
});

test('the status of a secondary is decoded', async () => {
  const merkle_sync_progress = { sync_total_keys: 100, sync_progress: 40 };
  expect((await statusOf({ ...SECONDARY, merkle_sync_progress })).status).toEqual({
    ...SECONDARY,
    merkle_sync_progress,
    last_corruption_check_epoch: undefined,
    last_reindex_epoch: 1714550400,
    primaries: [
      {
        ...SECONDARY.primaries[0],
        last_heartbeat_duration_ms: 1,
        clock_skew_ms: 0,
        replication_primary_canary_age_ms: 412,
      },
    ],
  });
});

test('a value that is not a number is left out', async () => {
  const { status } = await statusOf({ ...SECONDARY, last_remote_wal: 'many', last_reindex_epoch: '' });
  expect(status).toMatchObject({ last_remote_wal: undefined, last_reindex_epoch: undefined });
});

test.each([PRIMARY, SECONDARY])(
  'a member does not know its mode if its status says no cluster id',
  async ({ cluster_id: _, ...rest }) => {
    for (const data of [rest, { ...rest, cluster_id: '' }, { ...rest, cluster_id: 5 }])
      expect((await statusOf(data)).status).toEqual({ mode: 'unknown' });
  },
);

test.each([{}, { mode: 'leader' }, { mode: 1 }])('%j is not a replication status', async (data) => {
  const calls = connect(await serve({ json: envelope(data) })).replication.performance;
  const error = await failureOf(calls.status());
  expect(error.code).toBe('unexpected_answer');
  expect(error.message).toContain('the answer holds no replication status of a known mode');
});

const primary = PRIMARY as unknown as ReplicationPrimaryStatus;
const secondary = SECONDARY as unknown as ReplicationSecondaryStatus;

test('a secondary in stream-wals with a ready connection is streaming', () => {
  expect(isStreaming(secondary)).toBe(true);
  expect(isStreaming({ ...secondary, connection_state: undefined })).toBe(true);
  expect(isStreaming({ ...secondary, connection_state: 'connecting' })).toBe(false);
  expect(isStreaming({ ...secondary, state: 'merkle-sync' })).toBe(false);
  expect(isStreaming(primary)).toBe(false);
  expect(isStreaming({ mode: 'disabled' })).toBe(false);
});

test("a secondary with the primary's last WAL has caught up", () => {
  expect(hasCaughtUp(secondary, primary)).toBe(true);
  const behind = { ...secondary, merkle_root: 'other' };
  expect(hasCaughtUp({ ...behind, last_remote_wal: 410 }, primary)).toBe(true);
  expect(hasCaughtUp({ ...behind, last_remote_wal: 409 }, primary)).toBe(false);
  expect(hasCaughtUp(behind, { ...primary, last_performance_wal: undefined })).toBe(false);
  expect(hasCaughtUp({ ...secondary, state: 'idle' }, primary)).toBe(false);
});

test('a secondary with equal data has caught up, although its position is 0 between a sync and the first write', () => {
  expect(hasCaughtUp({ ...secondary, last_remote_wal: 0 }, primary)).toBe(true);
  expect(hasCaughtUp({ ...secondary, last_remote_wal: 0, state: 'merkle-sync' }, primary)).toBe(false);
  const untold = { ...secondary, last_remote_wal: 0, merkle_root: undefined };
  expect(hasCaughtUp(untold, { ...primary, merkle_root: undefined })).toBe(false);
});

test('a status is described in one sentence', () => {
  expect(describeReplicationStatus(primary)).toBe('primary, running, WAL 410');
  expect(describeReplicationStatus(secondary)).toBe(
    'secondary "eu-1", stream-wals, connection ready, WAL 410',
  );
  const syncing = {
    ...secondary,
    secondary_id: '',
    state: 'merkle-sync',
    connection_state: undefined,
    last_remote_wal: undefined,
    merkle_sync_progress: { sync_total_keys: 100, sync_progress: 40 },
  };
  expect(describeReplicationStatus(syncing)).toBe(
    'secondary, merkle-sync, connection unknown, 40 of 100 keys',
  );
  expect(describeReplicationStatus({ mode: 'bootstrapping' })).toBe('bootstrapping');
});
