import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();

describe('settings that are stored without an effect', () => {
  test.each([
    [
      'policies/password/strong',
      { policy: 'length = 20' },
      { policy: 'length = 20' },
      [{}, 'missing policy'],
    ],
    [
      'quotas/rate-limit/all',
      { rate: 100.5, interval: '10s', path: 'kv/' },
      {
        name: 'all',
        type: 'rate-limit',
        path: 'kv/',
        role: '',
        rate: 100.5,
        interval: 10,
        block_interval: 0,
        inheritable: false,
        group_by: 'ip',
        secondary_rate: 0,
      },
      [{ rate: 0 }, "'rate' is invalid"],
    ],
    [
      'quotas/rate-limit/people',
      { rate: 10, group_by: 'entity_then_ip' },
      {
        name: 'people',
        type: 'rate-limit',
        path: '',
        role: '',
        rate: 10,
        interval: 1,
        block_interval: 0,
        inheritable: false,
        group_by: 'entity_then_ip',
        secondary_rate: 10,
      },
      [{ rate: 10, group_by: 'moon' }, "'group_by' is invalid"],
    ],
    [
      'quotas/lease-count/few',
      { max_leases: 10 },
      {
        name: 'few',
        type: 'lease-count',
        path: '',
        role: '',
        max_leases: 10,
        inheritable: false,
        counter: 0,
      },
      [{}, "'max_leases' is invalid"],
    ],
  ])('%s is stored, listed, changed and deleted', async (path, sent, shown, [wrong, refusal]) => {
    const { api } = use();
    const [folder, name] = [`sys/${path.slice(0, path.lastIndexOf('/'))}`, path.split('/').at(-1)];
    expect((await api.get(`sys/${path}`)).status).toBe(404);
    expect((await api.list(folder)).status).toBe(404);
    const refused = await api.put(`sys/${path}`, wrong);
    expect([refused.status, refused.body.errors]).toEqual([400, [refusal]]);
    expect((await api.put(`sys/${path}`, sent)).status).toBe(204);
    expect((await api.get(`sys/${path}`)).body.data).toEqual(shown);
    expect((await api.list(folder)).body.data).toEqual({ keys: [name] });
    expect((await api.delete(`sys/${path}`)).status).toBe(204);
    expect((await api.get(`sys/${path}`)).status).toBe(404);
  });

  test.each([
    [
      'quotas/config',
      { enable_rate_limit_response_headers: true },
      {
        rate_limit_exempt_paths: [],
        enable_rate_limit_audit_logging: false,
        enable_rate_limit_response_headers: false,
      },
      { enable_rate_limit_response_headers: true },
    ],
    [
      'storage/raft/autopilot/configuration',
      { cleanup_dead_servers: true, min_quorum: 3, server_stabilization_time: '90s' },
      {
        cleanup_dead_servers: false,
        last_contact_threshold: '10s',
        dead_server_last_contact_threshold: '24h0m0s',
        max_trailing_logs: 1000,
        min_quorum: 0,
        server_stabilization_time: '10s',
        disable_upgrade_migration: false,
      },
      { cleanup_dead_servers: true, min_quorum: 3, server_stabilization_time: '1m30s' },
    ],
    [
      'config/cors',
      { allowed_origins: 'https://a.example, https://b.example' },
      { enabled: false },
      { enabled: true, allowed_origins: ['https://a.example', 'https://b.example'] },
    ],
  ])('the setting %s has defaults', async (path, sent, defaults, changed) => {
    const { api } = use();
    expect((await api.get(`sys/${path}`)).body.data).toEqual(defaults);
    expect((await api.put(`sys/${path}`, sent)).status).toBe(204);
    expect((await api.get(`sys/${path}`)).body.data).toMatchObject(changed);
    expect((await api.delete(`sys/${path}`)).status).toBe(204);
    expect((await api.get(`sys/${path}`)).body.data).toEqual(defaults);
  });

  test('a setting belongs to a namespace, or only exists in the root namespace', async () => {
    const { api } = use();
    await api.put('sys/namespaces/team');
    const inTeam = { namespace: 'team' };
    expect((await api.put('sys/policies/password/own', { policy: 'length = 8' }, inTeam)).status).toBe(204);
    expect((await api.get('sys/policies/password/own')).status).toBe(404);
    expect((await api.get('sys/policies/password/own', inTeam)).status).toBe(200);
    expect((await api.get('sys/quotas/config', inTeam)).status).toBe(404);
    expect((await api.put('sys/quotas/rate-limit/a', { rate: 1 }, inTeam)).status).toBe(404);
  });

  test('a setting of Enterprise is unknown to the open-source server', async () => {
    const { api } = await startTestEmulator({ serverVersion: '1.21.0' });
    expect((await api.get('sys/storage/raft/autopilot/configuration')).status).toBe(404);
    expect((await api.get('sys/config/cors')).status).toBe(200);
  });
});

test('audited request headers are read together, and require sudo', async () => {
  const { api } = use();
  const path = 'sys/config/auditing/request-headers';
  expect((await api.get(path)).body.data).toEqual({ headers: {} });
  expect((await api.put(`${path}/X-One`, { hmac: true })).status).toBe(204);
  expect((await api.put(`${path}/X-Two`)).status).toBe(204);
  expect((await api.get(`${path}/X-One`)).body.data).toEqual({ 'X-One': { hmac: true } });
  expect((await api.get(path)).body.data).toEqual({
    headers: { 'X-One': { hmac: true }, 'X-Two': { hmac: false } },
  });
  await api.put('sys/policies/acl/headers', {
    policy: `path "${path}*" { capabilities = ["read", "update"] }`,
  });
  const { auth } = (await api.post('auth/token/create', { policies: ['headers'] })).body;
  const caller = api.as(auth.client_token as string);
  expect((await caller.get(path)).status).toBe(403);
  expect((await caller.put(`${path}/X-Three`)).status).toBe(403);
});

describe('the calls on leases', () => {
  test('the prefixes of leases are listed, and a missing lease can be revoked', async () => {
    const { api } = use();
    await api.post('auth/token/create', { policies: ['default'], ttl: '1h' });
    const { status, body } = await api.list('sys/leases/lookup/');
    expect([status, body.data]).toEqual([200, { keys: ['auth/'] }]);
    const unknown = { lease_id: 'auth/token/create/gone' };
    expect((await api.put('sys/leases/revoke', unknown)).status).toBe(204);
    for (const [call, refusal] of [
      ['lookup', 'invalid lease'],
      ['renew', 'lease not found'],
    ] as const) {
      const answer = await api.put(`sys/leases/${call}`, unknown);
      expect([answer.status, answer.body.errors]).toEqual([400, [refusal]]);
    }
  });
});

describe('the resultant ACL', () => {
  test('the paths of the caller are returned relative to the namespace', async () => {
    const { api } = use();
    await api.put('sys/namespaces/acl');
    const policy = `path "kv/a" { capabilities = ["read", "list"] }
path "kv/b/*" { capabilities = ["deny"] }
path "+/c" { capabilities = ["update"] }
path "acl/kv/d" { capabilities = ["read"] }`;
    await api.put('sys/policies/acl/shown', { policy });
    const { auth } = (await api.post('auth/token/create', { policies: ['shown'], no_default_policy: true }))
      .body;
    const caller = api.as(auth.client_token as string);
    expect((await caller.get('sys/internal/ui/resultant-acl')).status).toBe(403);
    await api.put('sys/policies/acl/shown', {
      policy: `${policy}\npath "sys/internal/ui/resultant-acl" { capabilities = ["read"] }`,
    });
    expect((await caller.get('sys/internal/ui/resultant-acl')).body.data).toEqual({
      root: false,
      chroot_namespace: '',
      exact_paths: {
        'kv/a': { capabilities: ['list', 'read'] },
        'acl/kv/d': { capabilities: ['read'] },
        'sys/internal/ui/resultant-acl': { capabilities: ['read'] },
      },
      glob_paths: { 'kv/b/': { capabilities: ['deny'] }, '+/c': { capabilities: ['update'] } },
    });
    const inside = await api.get('sys/internal/ui/resultant-acl', { namespace: 'acl' });
    expect(inside.body.data).toEqual({ root: true, chroot_namespace: '', exact_paths: {}, glob_paths: {} });
  });
});

describe('calls that repair replication', () => {
  test('the calls to reindex, recover and check data are accepted', async () => {
    const { api } = use();
    for (const call of ['reindex', 'recover']) {
      const { status, body } = await api.post(`sys/replication/${call}`, {});
      expect([status, body.warnings.length]).toEqual([200, 1]);
    }
    expect((await api.get('sys/replication/merkle-check')).body.data).toEqual({
      merkle_corruption_report: {
        corrupted_root: false,
        corrupted_tree_map: {},
        last_corruption_check_epoch: '-62135596800',
      },
    });
  });
});
