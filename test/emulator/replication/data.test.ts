import { type TestSet, asOperator, expectStatus, join, joinedPair, status, useSet } from './support/set';
import type { Api } from '../support/api';

// Jest runs hooks in the reverse order: this one, which needs the set, runs before the set is
// closed.
afterEach(() => expectInSync(use()));

const use = useSet();
let primary: Api;
let secondary: Api;
beforeEach(async () => {
  ({ primary, secondary } = await joinedPair(use()));
});

async function expectInSync({ us, eu }: TestSet): Promise<void> {
  const [ofPrimary, ofSecondary] = [await status(us), await status(eu)];
  expect(ofSecondary.last_remote_wal).toBe(ofPrimary.last_performance_wal);
  expect(ofSecondary.merkle_root).toBe(ofPrimary.merkle_root);
}

describe('replicated data', () => {
  it('policies of all kinds are replicated, and take effect immediately', async () => {
    const rules = (path: string) => ({ policy: `path "${path}" { capabilities = ["read"] }` });
    await primary.put('sys/policies/acl/reader', rules('sys/policies/acl/*'));
    await primary.put('sys/policies/rgp/r', {
      policy: 'main = rule { true }',
      enforcement_level: 'advisory',
    });
    await primary.put('sys/policies/egp/e', {
      policy: 'main = rule { true }',
      enforcement_level: 'advisory',
      paths: ['a'],
    });
    for (const path of ['acl/reader', 'rgp/r', 'egp/e']) {
      const [here, there] = [
        await primary.get(`sys/policies/${path}`),
        await secondary.get(`sys/policies/${path}`),
      ];
      expect(there.body.data).toEqual(here.body.data);
    }
    const made = await expectStatus(secondary.post('auth/token/create', { policies: ['reader'] }), 200);
    const reader = secondary.as(made.body.auth.client_token as string);
    expect((await reader.get('sys/policies/acl/reader')).status).toBe(200);
    await primary.put('sys/policies/acl/reader', rules('elsewhere'));
    expect((await reader.get('sys/policies/acl/reader')).status).toBe(403);
    await primary.delete('sys/policies/acl/reader');
    expect((await secondary.get('sys/policies/acl/reader')).status).toBe(404);
  });

  it('mounts are replicated with their tuning and data', async () => {
    await primary.post('sys/mounts/kv', { type: 'kv', options: { version: '2' }, description: 'ours' });
    await primary.post('kv/data/a', { data: { v: '1' } });
    await primary.post('kv/data/a', { data: { v: '2' } });
    await primary.post('sys/mounts/kv/tune', { max_lease_ttl: '2h' });
    expect((await secondary.get('kv/data/a')).body.data).toMatchObject({
      data: { v: '2' },
      metadata: { version: 2 },
    });
    expect((await secondary.get('sys/mounts/kv')).body.data).toEqual(
      (await primary.get('sys/mounts/kv')).body.data,
    );
    await primary.post('sys/remount', { from: 'kv', to: 'moved' });
    expect((await secondary.get('moved/data/a')).status).toBe(200);
    expect((await secondary.get('kv/data/a')).status).toBe(404);
    await primary.delete('sys/mounts/moved');
    expect((await secondary.get('moved/data/a')).status).toBe(404);
  });

  it('namespaces are replicated with their content, except cubbyholes', async () => {
    await primary.put('sys/namespaces/team');
    await primary.put('sys/namespaces/inner', undefined, { namespace: 'team' });
    await primary.post('sys/mounts/kv', { type: 'kv' }, { namespace: 'team/inner' });
    await primary.put('sys/policies/acl/p', { policy: 'path "a" {}' }, { namespace: 'team/inner' });
    await primary.post('kv/a', { v: '1' }, { namespace: 'team/inner' });
    expect((await secondary.get('team/inner/kv/a')).body.data).toEqual({ v: '1' });
    expect((await secondary.get('sys/policies/acl/p', { namespace: 'team/inner' })).status).toBe(200);
    const made = await secondary.post('auth/token/create', { policies: ['default'] }, { namespace: 'team' });
    const local = secondary.as(made.body.auth.client_token as string);
    await expectStatus(local.put('cubbyhole/x', { mine: 'yes' }, { namespace: 'team' }), 204);
    expect((await local.get('cubbyhole/x', { namespace: 'team' })).body.data).toEqual({ mine: 'yes' });
    await primary.delete('sys/namespaces/inner', { namespace: 'team' });
    await primary.delete('sys/namespaces/team');
    expect((await secondary.list('sys/namespaces')).status).toBe(404);
    expect((await local.get('auth/token/lookup-self')).status).toBe(403);
  });

  it('auth methods are replicated, and the tokens of their logins are not', async () => {
    await primary.post('sys/auth/apps', { type: 'approle' });
    await primary.post('auth/apps/role/ci', { token_policies: ['operator'] });
    const role_id = (await primary.get('auth/apps/role/ci/role-id')).body.data.role_id as string;
    const secret_id = (await primary.post('auth/apps/role/ci/secret-id')).body.data.secret_id as string;
    const login = await expectStatus(secondary.post('auth/apps/login', { role_id, secret_id }), 200);
    const token = login.body.auth.client_token as string;
    expect((await secondary.as(token).get('auth/token/lookup-self')).status).toBe(200);
    expect((await primary.as(token).get('auth/token/lookup-self')).status).toBe(403);
  });

  it('entities are replicated, including those of logins on a secondary', async () => {
    await primary.post('auth/people/users/ann', { password: 'pw', token_policies: ['operator'] });
    const login = await expectStatus(secondary.post('auth/people/login/ann', { password: 'pw' }), 200);
    const id = login.body.auth.entity_id as string;
    expect((await primary.get(`identity/entity/id/${id}`)).body.data.aliases[0].name).toBe('ann');
    const other = await expectStatus(primary.post('auth/people/login/ann', { password: 'pw' }), 200);
    expect(other.body.auth.entity_id).toBe(id);
  });

  it('entities and groups are replicated from either cluster, with their policies', async () => {
    const entity = await expectStatus(secondary.post('identity/entity', { name: 'shared' }), 200);
    const { id } = entity.body.data as { id: string };
    expect((await primary.get(`identity/entity/id/${id}`)).body.data.name).toBe('shared');
    await expectStatus(primary.post('identity/group', { name: 'all', member_entity_ids: id }), 200);
    expect((await secondary.get('identity/group/name/all')).body.data.member_entity_ids).toEqual([id]);
    await expectStatus(secondary.delete('identity/group/name/all'), 204);
    expect((await primary.get('identity/group/name/all')).status).toBe(404);
    expect((await secondary.get(`identity/entity/id/${id}`)).body.data.group_ids).toEqual([]);
  });

  it('EGPs are replicated, and evaluated on both clusters', async () => {
    await primary.post('auth/people/users/ann', { password: 'pw', token_policies: ['operator'] });
    const policy = 'main = rule { replication.performance.mode is "primary" }';
    const body = { policy, enforcement_level: 'hard-mandatory', paths: ['auth/people/login/*'] };
    await expectStatus(primary.put('sys/policies/egp/primary-only', body), 204);
    await expectStatus(primary.post('auth/people/login/ann', { password: 'pw' }), 200);
    const refused = await secondary.post('auth/people/login/ann', { password: 'pw' });
    expect([refused.status, refused.body.errors[0]]).toEqual([
      400,
      expect.stringContaining('root/primary-only'),
    ]);
    await expectStatus(primary.delete('sys/policies/egp/primary-only'), 204);
    await expectStatus(secondary.post('auth/people/login/ann', { password: 'pw' }), 200);
  });

  it('uses of secret ids are replicated, on whichever cluster they are used', async () => {
    await primary.post('sys/auth/apps', { type: 'approle' });
    await primary.post('auth/apps/role/ci', { secret_id_num_uses: 2 });
    const role_id = (await primary.get('auth/apps/role/ci/role-id')).body.data.role_id as string;
    const secret_id = (await secondary.post('auth/apps/role/ci/secret-id')).body.data.secret_id as string;
    const login = await expectStatus(secondary.post('auth/apps/login', { role_id, secret_id }), 200);
    expect(
      (await secondary.as(login.body.auth.client_token as string).get('auth/token/lookup-self')).status,
    ).toBe(200);
    await expectStatus(primary.post('auth/apps/login', { role_id, secret_id }), 200);
    expect((await secondary.post('auth/apps/login', { role_id, secret_id })).status).toBe(400);
  });

  it('managed keys are replicated, and can be read on both clusters', async () => {
    const key = { library: 'hsm', key_label: 'k', slot: '1', mechanism: '0x0001', pin: '1234' };
    const written = await primary.post('sys/managed-keys/pkcs11/k', key);
    expect([200, 204]).toContain(written.status);
    const [here, there] = [
      await primary.get('sys/managed-keys/pkcs11/k'),
      await secondary.get('sys/managed-keys/pkcs11/k'),
    ];
    expect(there.body.data).toEqual(here.body.data);
  });
});

describe('data that is not replicated', () => {
  it('tokens, cubbyholes and wrapped responses are not replicated', async () => {
    expect((await secondary.as('root').get('auth/token/lookup-self')).status).toBe(403);
    const made = await expectStatus(secondary.post('auth/token/create', { policies: ['operator'] }), 200);
    const token = made.body.auth.client_token as string;
    await expectStatus(secondary.as(token).put('cubbyhole/a', { v: '1' }), 204);
    const wrapped = await secondary.get('sys/policies/acl/operator', {
      headers: { 'X-Vault-Wrap-TTL': '1h' },
    });
    expect((await primary.post('sys/wrapping/unwrap', { token: wrapped.body.wrap_info.token })).status).toBe(
      400,
    );
    expect((await primary.as(token).get('auth/token/lookup-self')).status).toBe(403);
  });

  it('local mounts of primary and secondary are not replicated', async () => {
    await primary.post('sys/mounts/here', { type: 'kv', local: true });
    await primary.post('here/a', { v: '1' });
    expect((await secondary.get('here/a')).status).toBe(404);
    await expectStatus(secondary.post('sys/mounts/there', { type: 'kv', local: true }), 204);
    await expectStatus(secondary.post('there/a', { v: '2' }), 204);
    expect((await secondary.get('there/a')).body.data).toEqual({ v: '2' });
    expect((await primary.get('there/a')).status).toBe(404);
    await expectStatus(secondary.post('sys/mounts/there/tune', { description: 'local' }), 204);
    await expectStatus(secondary.delete('sys/mounts/there'), 204);
    expect((await secondary.get('there/a')).status).toBe(404);
  });
});

describe('writes on a secondary', () => {
  it('a write is forwarded to the primary, and has arrived when it is answered', async () => {
    await expectStatus(secondary.put('sys/policies/acl/new', { policy: 'path "a" {}' }), 204);
    expect((await primary.get('sys/policies/acl/new')).status).toBe(200);
    expect((await secondary.get('sys/policies/acl/new')).status).toBe(200);
    await expectStatus(secondary.post('sys/mounts/kv', { type: 'kv', options: { version: '2' } }), 204);
    const written = await expectStatus(secondary.post('kv/data/a', { data: { v: '1' } }), 200);
    expect(written.body.data.version).toBe(1);
    expect((await secondary.get('kv/data/a')).body.data.data).toEqual({ v: '1' });
    await expectStatus(secondary.put('sys/namespaces/team'), 200);
    expect((await primary.get('sys/namespaces/team')).body.data.path).toBe('team/');
    await expectStatus(secondary.delete('sys/namespaces/team'), 204);
    expect((await primary.get('sys/namespaces/team')).status).toBe(404);
    await expectStatus(secondary.delete('sys/mounts/kv'), 204);
    await expectStatus(secondary.post('auth/people/users/bob', { password: 'pw' }), 204);
    await expectStatus(primary.post('auth/people/login/bob', { password: 'pw' }), 200);
  });

  it('a refusal of the primary is returned', async () => {
    for (const [path, body] of [
      ['sys/policies/acl/bad', { policy: 'path "a" { capabilities = ["fly"] }' }],
      ['sys/mounts/people', { type: 'none' }],
      ['sys/namespaces/sys', {}],
    ] as const) {
      const [here, there] = [await primary.put(path, body), await secondary.put(path, body)];
      expect(here.status).toBe(400);
      expect([there.status, there.body]).toEqual([here.status, here.body]);
    }
  });

  it('the policies of the secondary authorize the write', async () => {
    const made = await secondary.post('auth/token/create', { policies: ['default'] });
    const answer = await secondary
      .as(made.body.auth.client_token as string)
      .put('sys/policies/acl/new', { policy: 'path "a" {}' });
    expect(answer.status).toBe(403);
  });

  it('the response can be wrapped for clients of the secondary', async () => {
    await primary.post('sys/mounts/kv', { type: 'kv', options: { version: '2' } });
    const headers = { 'X-Vault-Wrap-TTL': '1h' };
    const { body } = await secondary.post('kv/data/a', { data: { v: '1' } }, { headers });
    const unwrapped = await secondary.post('sys/wrapping/unwrap', { token: body.wrap_info.token });
    expect(unwrapped.body.data.version).toBe(1);
  });
});

it('writes to any cluster reach all secondaries', async () => {
  const { us, ap } = use();
  await join(us, ap, 'ap');
  await expectStatus(secondary.put('sys/policies/acl/new', { policy: 'path "a" {}' }), 204);
  expect((await (await asOperator(ap)).get('sys/policies/acl/new')).status).toBe(200);
});

it('the WAL counts every replicated write, and no other request', async () => {
  const { us } = use();
  const before = (await status(us)).last_performance_wal as number;
  await primary.put('sys/policies/acl/a', { policy: 'path "a" {}' });
  await primary.delete('sys/policies/acl/a');
  await primary.delete('sys/policies/acl/a');
  await primary.post('auth/token/create', { policies: ['default'] });
  expect((await status(us)).last_performance_wal).toBe(before + 2);
});
