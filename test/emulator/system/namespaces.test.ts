import { collected } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();

describe('the namespaces of a cluster', () => {
  it('a namespace is created, read, listed, changed and deleted', async () => {
    const { api } = use();
    const created = await api.put('sys/namespaces/team', { custom_metadata: { owner: 'ann' } });
    expect(created.status).toBe(200);
    const data = { id: expect.stringMatching(/^\w{5}$/), path: 'team/', custom_metadata: { owner: 'ann' } };
    expect(created.body.data).toEqual(data);
    expect((await api.get('sys/namespaces/team')).body.data).toEqual(created.body.data);
    expect((await api.get('sys/namespaces/team/')).body.data).toEqual(created.body.data);
    const listed = (await api.list('sys/namespaces')).body.data;
    expect(listed.keys).toContain('team/');
    expect(listed.key_info['team/']).toEqual(created.body.data);
    const patched = await api.send('PATCH', 'sys/namespaces/team', {
      body: { custom_metadata: { owner: null, tier: '1' } },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
    expect(patched.body.data.custom_metadata).toEqual({ tier: '1' });
    expect((await api.put('sys/namespaces/team')).body.data).toMatchObject({ id: created.body.data.id });
    expect((await api.delete('sys/namespaces/team')).status).toBe(204);
    expect((await api.get('sys/namespaces/team')).body).toEqual({ errors: [] });
    expect((await api.delete('sys/namespaces/team')).status).toBe(204);
  });

  it.each(['a%20b', 'a%2A', '+'])('the name %s is refused', async (name) => {
    const { api } = use();
    const refused = await api.put(`sys/namespaces/${name}`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([`"${decodeURIComponent(name)}" is not a valid namespace path`]);
  });

  it('nested namespaces are reached by header, by path, and by both together', async () => {
    const { api } = use();
    await api.put('sys/namespaces/a');
    await api.put('sys/namespaces/b', undefined, { namespace: 'a' });
    await api.put('sys/policies/acl/deep', { policy: 'path "x" {}' }, { namespace: 'a/b' });
    for (const [path, namespace] of [
      ['sys/policies/acl/deep', 'a/b'],
      ['sys/policies/acl/deep', '/a/b/'],
      ['b/sys/policies/acl/deep', 'a'],
      ['a/b/sys/policies/acl/deep', undefined],
      ['a/b/sys/policies/acl/deep', 'root'],
    ] as const) {
      const answer = await api.get(path, namespace === undefined ? {} : { namespace });
      expect([path, namespace, answer.body.data?.name]).toEqual([path, namespace, 'deep']);
    }
    expect((await api.get('sys/namespaces/a/b')).body.data.path).toBe('a/b/');
    expect((await api.get('sys/namespaces/b', { namespace: 'a' })).body.data.path).toBe('a/b/');
    expect((await api.list('sys/namespaces')).body.data.keys).not.toContain('a/b/');
    expect((await api.list('sys/namespaces', { namespace: 'a' })).body.data.keys).toEqual(['b/']);
    const held = await api.delete('sys/namespaces/a');
    expect([held.status, held.body.errors]).toEqual([
      400,
      ['cannot delete namespace ("a/") containing child namespaces'],
    ]);
  });

  it('mounts and tokens of a namespace are deleted with it', async () => {
    const { api } = use();
    await api.put('sys/namespaces/own');
    const namespace = 'own';
    await api.put('sys/mounts/kv', { type: 'kv' }, { namespace });
    await api.put('kv/a', { x: '1' }, { namespace });
    const { auth } = (await api.post('auth/token/create', { policies: ['default'] }, { namespace })).body;
    const client = api.as(auth.client_token as string);
    expect((await client.get('auth/token/lookup-self')).body.data).toMatchObject({
      namespace_path: 'own/',
      orphan: false,
    });
    expect((await api.get('kv/a')).status).toBe(404);
    expect(Object.keys((await api.get('sys/mounts', { namespace })).body.data).sort()).toEqual([
      'cubbyhole/',
      'identity/',
      'kv/',
      'sys/',
    ]);
    await api.delete('sys/namespaces/own');
    expect((await client.get('auth/token/lookup-self')).status).toBe(403);
    await api.put('sys/namespaces/own');
    expect((await api.get('kv/a', { namespace })).status).toBe(404);
  });

  it.each(['sys', 'root', 'auth/x', 'cubbyhole'])('the reserved name %s is refused', async (name) => {
    const answer = await use().api.put(`sys/namespaces/${name}`);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]).toContain('is a reserved path');
  });

  it('a namespace can only be created in a parent that exists', async () => {
    const answer = await use().api.put('sys/namespaces/no/such');
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      ['parent namespace of "no/such/" does not exist; create it first'],
    ]);
  });

  it.each([
    'sys/health',
    'sys/init',
    'sys/replication/status',
    'sys/replication/performance/status',
    'sys/license/status',
    'sys/version-history?list=true',
  ])('a child namespace has no %s', async (path) => {
    const { api } = use();
    await api.put('sys/namespaces/limited');
    const answer = await api.get(path, { namespace: 'limited' });
    expect(answer.status).toBe(404);
    expect(answer.body.errors).toEqual([expect.stringContaining('unsupported path')]);
    expect((await api.get(path)).status).toBe(200);
  });
});

describe('an open-source server', () => {
  it('the header is refused, and namespaces are not available', async () => {
    const { api } = await startTestEmulator({ serverVersion: '1.17.0' });
    const answer = await api.get('sys/policies/acl/default', { namespace: 'a' });
    expect([answer.status, answer.body]).toEqual([403, { errors: ['namespaces feature not enabled'] }]);
    expect((await api.list('sys/namespaces')).body).toEqual({ errors: [collected('unsupported path')] });
  });
});
