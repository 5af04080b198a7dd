import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();

describe('the health of a node', () => {
  it('the answer has no envelope, and needs no token', async () => {
    const { api, emulator } = use();
    const earliest = Math.floor(emulator.clock.now() / 1000);
    const { status, body } = await api.get('sys/health', { token: undefined });
    const latest = Math.floor(emulator.clock.now() / 1000);
    expect(status).toBe(200);
    const time = (body as { server_time_utc: number }).server_time_utc;
    expect(time).toBeGreaterThanOrEqual(earliest);
    expect(time).toBeLessThanOrEqual(latest);
    expect(body).toEqual({
      initialized: true,
      sealed: false,
      standby: false,
      performance_standby: false,
      replication_performance_mode: 'disabled',
      replication_dr_mode: 'disabled',
      server_time_utc: time,
      version: '1.21.0+ent',
      enterprise: true,
      cluster_name: 'default',
      cluster_id: expect.any(String),
      license: { state: 'autoloaded', expiry_time: '2099-12-31T23:59:59Z', terminated: false },
      echo_duration_ms: 0,
      clock_skew_ms: 0,
      replication_primary_canary_age_ms: 0,
    });
  });

  it.each([
    ['activecode=299', 299],
    ['activecode=abc', 400],
    ['sealedcode=555&activecode=201', 201],
    ['standbyok=true', 200],
    ['standbyok=maybe', 400],
    ['perfstandbyok=true&performancestandbycode=ok', 400],
  ])('the status of sys/health with %s is %d', async (query, status) => {
    expect((await use().api.get(`sys/health?${query}`)).status).toBe(status);
  });

  it('a HEAD request to sys/health is answered, and a write is refused', async () => {
    const { api } = use();
    const { status, text } = await api.send('HEAD', 'sys/health');
    expect([status, text]).toEqual([200, '']);
    expect((await api.put('sys/health', {})).status).toBe(405);
  });
});

it('seal status, leader, license, replication and versions are returned', async () => {
  const { api } = use();
  expect((await api.get('sys/seal-status', { token: undefined })).body).toMatchObject({
    type: 'shamir',
    sealed: false,
    version: '1.21.0+ent',
    cluster_name: 'default',
    storage_type: 'raft',
  });
  const { address } = use().emulator.clusters.default!;
  expect((await api.get('sys/leader', { token: undefined })).body).toEqual({
    ha_enabled: true,
    is_self: true,
    active_time: expect.any(String),
    leader_address: address,
    leader_cluster_address: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    performance_standby: false,
    performance_standby_last_remote_wal: 0,
    raft_committed_index: expect.any(Number) as number,
    raft_applied_index: expect.any(Number) as number,
  });
  expect((await api.get('sys/ha-status')).body.nodes).toEqual([
    {
      hostname: 'default',
      api_address: address,
      cluster_address: expect.any(String),
      active_node: true,
      last_heartbeat: null,
      version: '1.21.0',
      upgrade_version: '1.21.0',
      redundancy_zone: '',
    },
  ]);
  expect((await api.get('sys/init', { token: undefined })).body).toEqual({ initialized: true });
  expect((await api.get('sys/license/status')).body.data.autoloaded.features).toContain('Sentinel');
  expect((await api.get('sys/replication/status', { token: undefined })).body.data).toEqual({
    dr: { mode: 'disabled' },
    performance: { mode: 'disabled' },
  });
  expect((await api.get('sys/replication/performance/status', { token: undefined })).body.data).toEqual({
    mode: 'disabled',
  });
  expect((await api.list('sys/version-history')).body.data.keys).toEqual(['1.21.0+ent']);
  expect((await api.put('sys/step-down')).status).toBe(204);
});

it('an open-source server leaves out the fields of Enterprise', async () => {
  const { api } = await startTestEmulator({ serverVersion: '1.21.0' });
  expect((await api.get('sys/health')).body).toMatchObject({ version: '1.21.0', enterprise: false });
  expect((await api.get('sys/replication/status')).body.data).toEqual({ mode: 'disabled' });
  expect((await api.get('sys/license/status')).status).toBe(404);
});

it('a cluster can be sealed and unsealed', async () => {
  const { emulator, api } = await startTestEmulator();
  const key = emulator.clusters.default?.unsealKey;
  expect((await api.put('sys/seal', {}, { token: undefined })).status).toBe(403);
  expect((await api.put('sys/seal')).status).toBe(204);
  const refused = await api.get('sys/policies/acl');
  expect([refused.status, refused.body]).toEqual([503, { errors: ['Vault is sealed'] }]);
  expect((await api.get('sys/health')).status).toBe(503);
  expect((await api.get('sys/health?sealedcode=200')).body).toMatchObject({
    sealed: true,
    initialized: true,
  });
  expect((await api.get('sys/seal-status')).body).toMatchObject({ sealed: true, t: 1, n: 1 });
  const unseal = async (body: object) => {
    const answer = await api.put('sys/unseal', body, { token: undefined });
    return [answer.status, answer.body.errors ?? answer.body.sealed];
  };
  expect(await unseal({})).toEqual([
    400,
    ["'key' must be specified in request body as JSON, or 'reset' set to true"],
  ]);
  expect(await unseal({ key: '!' })).toEqual([400, ["'key' must be a valid hex or base64 string"]]);
  expect(await unseal({ key: 'AAAA' })).toEqual([400, ['Unseal failed, invalid key']]);
  expect(await unseal({ reset: true })).toEqual([200, true]);
  expect(await unseal({ key })).toEqual([200, false]);
  expect((await api.get('sys/policies/acl/default')).status).toBe(200);
});

it('a token sees the namespaces in which it has a permission', async () => {
  const { api } = use();
  await api.put('sys/namespaces/seen');
  await api.put('sys/namespaces/unseen');
  await api.put('sys/policies/acl/seer', { policy: 'path "seen/kv/*" { capabilities = ["read"] }' });
  const { auth } = (await api.post('auth/token/create', { policies: ['seer'] })).body;
  const shown = await api.as(auth.client_token as string).get('sys/internal/ui/namespaces');
  expect(shown.body.data).toEqual({ keys: ['seen/'] });
  expect((await api.as(undefined).get('sys/internal/ui/namespaces')).status).toBe(403);
});

describe('leases of tokens', () => {
  it('a lease is looked up, listed, renewed and revoked', async () => {
    const { api } = use();
    const token = (await api.post('auth/token/create-orphan', { policies: ['default'], ttl: '1h' })).body.auth
      .client_token as string;
    const { keys } = (await api.list('sys/leases/lookup/auth/token/create-orphan')).body.data;
    const lease_id = `auth/token/create-orphan/${keys[0]}`;
    expect((await api.put('sys/leases/lookup', { lease_id })).body.data).toMatchObject({
      id: lease_id,
      renewable: true,
      ttl: 3600,
    });
    expect((await api.put('sys/leases/renew', { lease_id, increment: 7200 })).body).toMatchObject({
      lease_id,
      renewable: true,
      lease_duration: 7200,
    });
    expect((await api.put('sys/leases/revoke', { lease_id })).status).toBe(204);
    expect((await api.as(token).get('auth/token/lookup-self')).status).toBe(403);
    expect((await api.put('sys/leases/lookup', { lease_id })).body).toEqual({ errors: ['invalid lease'] });
  });

  it('leases are revoked by prefix', async () => {
    const { api } = use();
    const create = async () =>
      (await api.post('auth/token/create', { policies: ['default'] })).body.auth.client_token as string;
    const tokens = [await create(), await create()];
    expect((await api.put('sys/leases/revoke-prefix/auth/token/create')).status).toBe(204);
    for (const token of tokens) expect((await api.as(token).get('auth/token/lookup-self')).status).toBe(403);
    expect((await api.get('auth/token/lookup-self')).status).toBe(200);
  });
});
