import {
  asOperator,
  addOperator,
  calls,
  enablePrimary,
  expectStatus,
  join,
  joinedPair,
  status,
  useSet,
} from './support/set';
import type { Api } from '../support/api';

const use = useSet();
const filterOf = (id: string) => `${calls}/primary/paths-filter/${id}`;
const dynamicOf = (side: string, id: string) => `${calls}/${side}/dynamic-filter/${id}`;

/**
 * Creates mounts `kv` and `other`, namespaces `team` and `team/inner` with a mount `kv` each, and a
 * second auth method.
 */
async function furnish(api: Api): Promise<void> {
  for (const path of ['kv', 'other']) await mountKv(api, path);
  await api.post('sys/auth/more', { type: 'userpass' });
  for (const namespace of ['team', 'team/inner']) {
    await expectStatus(api.put(`sys/namespaces/${namespace}`), 200);
    await mountKv(api, 'kv', namespace);
    await api.put('sys/policies/acl/p', { policy: 'path "a" {}' }, { namespace });
  }
}

async function mountKv(api: Api, path: string, namespace = ''): Promise<void> {
  await expectStatus(api.post(`sys/mounts/${path}`, { type: 'kv' }, { namespace }), 204);
  await expectStatus(api.post(`${path}/a`, { from: `${namespace}/${path}` }, { namespace }), 204);
}

async function mountsOf(api: Api, namespace = ''): Promise<string[]> {
  const [secret, auth] = [
    await api.get('sys/mounts', { namespace }),
    await api.get('sys/auth', { namespace }),
  ];
  if (secret.status !== 200) return [String(secret.status)];
  return [
    ...Object.keys(secret.body.data as object),
    ...Object.keys(auth.body.data as object).map((path) => `auth/${path}`),
  ];
}

async function expectSameRoot(): Promise<void> {
  const { us, eu } = use();
  expect((await status(eu)).merkle_root).toBe((await status(us)).merkle_root);
}

describe('a paths filter', () => {
  it('the primary stores a filter for an id, before and after the secondary exists', async () => {
    const { us } = use();
    await enablePrimary(us);
    expect((await us.get(filterOf('eu'))).status).toBe(404);
    await expectStatus(us.post(filterOf('eu'), { mode: 'deny', paths: ['kv', 'team/', 'kv/'] }), 204);
    const read = await expectStatus(us.get(filterOf('eu')), 200);
    expect(read.body.data).toEqual({ mode: 'deny', paths: ['kv/', 'team/'] });
    await expectStatus(us.post(filterOf('eu'), { paths: 'auth/people,kv' }), 204);
    expect((await us.get(filterOf('eu'))).body.data).toEqual({
      mode: 'allow',
      paths: ['auth/people/', 'kv/'],
    });
    await expectStatus(us.delete(filterOf('eu')), 204);
    expect((await us.get(filterOf('eu'))).body).toEqual({ errors: [] });
    await expectStatus(us.delete(filterOf('eu')), 204);
  });

  it.each([
    [
      { mode: 'maybe' },
      'paths filter: mode must be one of the allowed values; received "maybe"; allowed: "allow", "deny"; use one of the allowed values',
    ],
    [
      { mode: 'deny', paths: ['sys'] },
      'paths filter: paths contains a path that cannot be filtered; received "sys"; allowed: any mount except "auth/token/", "cubbyhole/", "identity/", "sys/", and any namespace; remove it: every secondary receives "sys/"',
    ],
    [
      { mode: 'deny', paths: ['auth/token/'] },
      'paths filter: paths contains a path that cannot be filtered; received "auth/token/"; allowed: any mount except "auth/token/", "cubbyhole/", "identity/", "sys/", and any namespace; remove it: every secondary receives "auth/token/"',
    ],
    [
      { mode: 'deny', paths: ['kv/*'] },
      'paths filter: paths contains a pattern; received "kv/*"; allowed: paths of mounts and namespaces, such as "secret/", "auth/approle/" and "team-a/", each in full; list the mounts and namespaces individually',
    ],
  ])('a filter with %j is refused', async (body, text) => {
    const { us } = use();
    await enablePrimary(us);
    const answer = await us.post(filterOf('eu'), body);
    expect([answer.status, answer.body.errors]).toEqual([400, [text]]);
    expect((await us.get(filterOf('eu'))).status).toBe(404);
  });
});

describe('a filter of mode deny', () => {
  it('mounts and namespaces are withheld from the first sync on', async () => {
    const { us, eu } = use();
    await furnish(us);
    await enablePrimary(us);
    await us.post(filterOf('eu'), { mode: 'deny', paths: ['kv/', 'auth/more/', 'team/'] });
    const { secondary } = await joinPair();
    expect(await mountsOf(secondary)).toEqual([
      'cubbyhole/',
      'identity/',
      'other/',
      'sys/',
      'auth/people/',
      'auth/token/',
    ]);
    expect((await secondary.get('other/a')).status).toBe(200);
    expect((await secondary.get('kv/a')).status).toBe(404);
    expect((await secondary.list('sys/namespaces')).status).toBe(404);
    await expectSameRoot();
    const dynamic = {
      dynamic_filtered_mounts: ['auth/more/', 'kv/', 'team/inner/kv/', 'team/kv/'],
      dynamic_filtered_namespaces: ['team/', 'team/inner/'],
    };
    expect((await us.get(dynamicOf('primary', 'eu'))).body.data).toEqual(dynamic);
    expect((await secondary.get(dynamicOf('secondary', 'eu'))).body.data).toEqual(dynamic);
    expect((await us.get(dynamicOf('primary', 'nobody'))).status).toBe(404);
    expect((await secondary.get(dynamicOf('secondary', 'nobody'))).status).toBe(404);
    void eu;
  });

  it('later writes to withheld mounts do not arrive', async () => {
    const { us } = use();
    await furnish(us);
    await enablePrimary(us);
    await us.post(filterOf('eu'), { mode: 'deny', paths: ['kv/', 'team/', 'late/'] });
    const { secondary } = await joinPair();
    await us.post('kv/b', { v: '1' });
    await us.post('other/b', { v: '1' });
    await mountKv(us, 'late');
    await mountKv(us, 'free');
    await us.put('sys/namespaces/deep', undefined, { namespace: 'team' });
    expect((await secondary.get('other/b')).status).toBe(200);
    expect((await secondary.get('free/a')).status).toBe(200);
    for (const path of ['kv/b', 'late/a', 'team/kv/a']) expect((await secondary.get(path)).status).toBe(404);
    expect((await secondary.list('sys/namespaces')).status).toBe(404);
    await expectSameRoot();
    await us.delete('kv/b');
    await us.delete('sys/mounts/late');
    await expectSameRoot();
  });

  it('a moved mount is withheld according to its new path', async () => {
    const { us } = use();
    await furnish(us);
    await enablePrimary(us);
    await us.post(filterOf('eu'), { mode: 'deny', paths: ['team/'] });
    const { secondary } = await joinPair();
    await us.post('sys/remount', { from: 'kv', to: 'team/taken' });
    expect((await secondary.get('kv/a')).status).toBe(404);
    await us.post('sys/remount', { from: 'team/kv', to: 'given' });
    expect((await secondary.get('given/a')).body.data).toEqual({ from: 'team/kv' });
    await expectSameRoot();
  });
});

describe('a filter of mode allow', () => {
  it('the secondary receives the listed mounts, the content of listed namespaces, and the system data', async () => {
    const { us } = use();
    await furnish(us);
    await enablePrimary(us);
    await us.post(filterOf('eu'), { paths: ['other', 'auth/people', 'team/inner'] });
    const { secondary } = await joinPair();
    expect(await mountsOf(secondary)).toEqual([
      'cubbyhole/',
      'identity/',
      'other/',
      'sys/',
      'auth/people/',
      'auth/token/',
    ]);
    expect(await mountsOf(secondary, 'team')).toEqual(['cubbyhole/', 'identity/', 'sys/', 'auth/token/']);
    expect((await secondary.get('team/inner/kv/a')).body.data).toEqual({ from: 'team/inner/kv' });
    expect((await secondary.get('sys/policies/acl/p', { namespace: 'team/inner' })).status).toBe(200);
    expect((await us.get(dynamicOf('primary', 'eu'))).body.data).toEqual({
      dynamic_filtered_mounts: ['auth/more/', 'kv/', 'team/kv/'],
      dynamic_filtered_namespaces: [],
    });
    await expectSameRoot();
  });

  it('an empty list withholds all secrets and auth mounts', async () => {
    const { us, eu } = use();
    await furnish(us);
    await enablePrimary(us);
    await us.post(filterOf('eu'));
    await addOperator(us);
    await join(us, eu, 'eu');
    expect((await us.get(dynamicOf('primary', 'eu'))).body.data).toEqual({
      dynamic_filtered_mounts: ['auth/more/', 'auth/people/', 'kv/', 'other/', 'team/inner/kv/', 'team/kv/'],
      dynamic_filtered_namespaces: ['team/', 'team/inner/'],
    });
    await expectSameRoot();
  });
});

describe('a change of the filter of a running secondary', () => {
  it('data that the new filter withholds is removed, and other data is added', async () => {
    const { us } = use();
    await furnish(us);
    const { secondary } = await joinedPair(use());
    const there = async () => ({
      kv: (await secondary.get('kv/a')).status,
      team: (await secondary.get('team/kv/a')).status,
    });
    expect(await there()).toEqual({ kv: 200, team: 200 });
    await us.post(filterOf('eu'), { mode: 'deny', paths: ['kv/'] });
    expect(await there()).toEqual({ kv: 404, team: 200 });
    await us.post(filterOf('eu'), { mode: 'deny', paths: ['team/'] });
    expect(await there()).toEqual({ kv: 200, team: 404 });
    await expectSameRoot();
    await us.delete(filterOf('eu'));
    expect(await there()).toEqual({ kv: 200, team: 200 });
    await expectSameRoot();
    expect((await secondary.get(dynamicOf('secondary', 'eu'))).body.data).toEqual({
      dynamic_filtered_mounts: [],
      dynamic_filtered_namespaces: [],
    });
  });

  it('tokens of a removed mount are revoked', async () => {
    const { us } = use();
    await us.post('sys/auth/more', { type: 'userpass' });
    await us.post('auth/more/users/ann', { password: 'pw', token_policies: ['operator'] });
    const { secondary } = await joinedPair(use());
    const login = await expectStatus(secondary.post('auth/more/login/ann', { password: 'pw' }), 200);
    const ann = secondary.as(login.body.auth.client_token as string);
    expect((await ann.get('auth/token/lookup-self')).status).toBe(200);
    await us.post(filterOf('eu'), { mode: 'deny', paths: ['auth/more/'] });
    expect((await ann.get('auth/token/lookup-self')).status).toBe(403);
  });

  it('other secondaries keep their data', async () => {
    const { us, ap } = use();
    await furnish(us);
    await joinedPair(use());
    await join(us, ap, 'ap');
    await us.post(filterOf('eu'), { mode: 'deny', paths: ['kv/'] });
    expect((await (await asOperator(ap)).get('kv/a')).status).toBe(200);
  });
});

it('a filter whose secondary is unknown does not prevent writes', async () => {
  const { us } = use();
  await furnish(us);
  const { secondary } = await joinedPair(use());
  await us.post(filterOf('eu'), { mode: 'deny', paths: ['kv/'] });
  const answer = await secondary.post('kv/b', { v: '1' });
  expect([answer.status, answer.body.errors]).toEqual([
    404,
    ['no handler for route "kv/b". route entry not found.'],
  ]);
});

async function joinPair(): Promise<{ secondary: Api }> {
  const { us, eu } = use();
  await addOperator(us);
  await join(us, eu, 'eu');
  return { secondary: await asOperator(eu) };
}
