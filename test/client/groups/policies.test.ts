import { connect, envelope, failureOf } from '../support/client';
import { serve, type Reply } from '../support/server';

const MISSING: Reply = { status: 404, json: { errors: [] } };
const POLICY = 'path "secret/*" {\n  capabilities = ["read"]\n}\n';
const SENTINEL = 'main = rule { true }';

describe.each([
  ['acl', { policy: POLICY }],
  ['rgp', { policy: SENTINEL, enforcement_level: 'soft-mandatory' }],
  ['egp', { policy: SENTINEL, enforcement_level: 'advisory', paths: ['secret/*', 'sys/mounts'] }],
] as const)('policies of the kind %s', (kind, fields) => {
  const path = `/v1/sys/policies/${kind}`;

  test('a policy is read', async () => {
    const server = await serve({
      json: envelope({ name: 'ops', ...fields, version: 3 }, { warnings: ['w'] }),
    });
    const response = await connect(server).policies[kind].read('ops');
    expect(response?.data).toEqual({ name: 'ops', ...fields });
    expect(response?.warnings).toEqual(['w']);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: `${path}/ops` });
  });

  test('a missing policy is undefined', async () => {
    expect(await connect(await serve(MISSING)).policies[kind].read('ops')).toBeUndefined();
  });

  test('a policy is written', async () => {
    const server = await serve({ status: 204 });
    const policies = connect(server).policies;
    const response = await (policies[kind] as typeof policies.egp).write('ops', { ...fields } as never);
    expect(response).toEqual({ status: 204, requestId: '', data: {}, warnings: [] });
    expect(server.requests[0]).toMatchObject({ method: 'POST', url: `${path}/ops` });
    expect(JSON.parse(server.requests[0]!.body)).toEqual(fields);
  });

  test('a warning of a write is returned', async () => {
    const warnings = ['policy name was converted to ops'];
    const server = await serve({ json: envelope(null, { warnings }) });
    const policies = connect(server).policies;
    const response = await (policies[kind] as typeof policies.egp).write('Ops', { ...fields } as never);
    expect(response.warnings).toEqual(warnings);
  });

  test('a policy is deleted', async () => {
    const server = await serve({ status: 204 });
    await connect(server).policies[kind].delete('ops');
    expect(server.requests[0]).toMatchObject({ method: 'DELETE', url: `${path}/ops`, body: '' });
  });

  test('policies are listed', async () => {
    const server = await serve({ json: envelope({ keys: ['default', 'root'] }) });
    expect((await connect(server).policies[kind].list()).data.keys).toEqual(['default', 'root']);
    expect(server.requests[0]).toMatchObject({ method: 'GET', url: `${path}?list=true` });
    expect((await connect(await serve(MISSING)).policies[kind].list()).data.keys).toEqual([]);
  });

  test('an unsupported endpoint is an error for all calls', async () => {
    const json = { errors: ['1 error occurred:\n\t* unsupported path\n\n'] };
    const calls = connect(await serve({ status: 404, json })).policies[kind];
    for (const call of [calls.read('ops'), calls.list(), calls.delete('ops')]) {
      expect((await failureOf(call)).code).toBe('unsupported_path');
    }
  });

  test('an answer that is not a policy is an error', async () => {
    const server = await serve({ json: envelope({ name: 'ops' }) });
    const error = await failureOf(connect(server).policies[kind].read('ops'));
    expect(error.code).toBe('unexpected_answer');
    expect(error.message).toBe(
      `cannot read sys/policies/${kind}/ops on ${server.address}: ` +
        `the answer holds no ${kind.toUpperCase()} policy with a policy. ` +
        'This is not an answer from a Vault server: check the address (VAULT_ADDR) and any proxies in between.',
    );
  });
});

test('names may contain slashes, spaces and any letters', async () => {
  const server = await serve(MISSING);
  await connect(server).policies.acl.read('team a/überblick?');
  expect(server.requests[0]?.url).toBe('/v1/sys/policies/acl/team%20a/%C3%BCberblick%3F');
});

test.each([
  ['', '"" cannot be the name of an ACL policy: it is empty or ends with a slash'],
  ['a/', '"a/" cannot be the name of an ACL policy: it is empty or ends with a slash'],
  ['../../auth/token/root', '"sys/policies/acl/../../auth/token/root" cannot be a path on the server: '],
])('the name %j is refused', async (name, message) => {
  const server = await serve({ status: 204 });
  const { acl } = connect(server).policies;
  for (const call of [acl.read(name), acl.write(name, { policy: POLICY }), acl.delete(name)]) {
    const error = await failureOf(call);
    expect(error.code).toBe('invalid_request');
    expect(error.message).toMatch(message);
  }
  expect(server.requests).toHaveLength(0);
});

test('a document that looks like base64 is encoded, because the server would decode it', async () => {
  const server = await serve({ status: 204 });
  const document = Buffer.from(POLICY).toString('base64');
  const { acl } = connect(server).policies;
  await acl.write('a', { policy: document });
  await acl.write('a', { policy: Buffer.from('abcd').toString('base64') });
  const sent = server.requests.map(({ body }) => (JSON.parse(body) as { policy: string }).policy);
  expect(sent).toEqual([POLICY, 'YWJjZA==']);
});

describe('the EGP list', () => {
  async function listOf(data: object) {
    return (await connect(await serve({ json: envelope(data) })).policies.egp.list()).data;
  }
  const info = {
    a: [
      { path: 'secret/', glob: true },
      { path: 'sys/mounts', glob: false },
    ],
  };

  test.each(['name_path_map', 'key_info'])('a list with the member %s is decoded', async (member) => {
    expect(await listOf({ keys: ['a'], [member]: info })).toEqual({
      keys: ['a'],
      key_info: info,
      name_path_map: info,
    });
  });

  test('a list with both members is decoded', async () => {
    const data = { keys: ['a'], key_info: info, name_path_map: info };
    expect(await listOf(data)).toEqual(data);
  });

  test('a list with neither member is decoded', async () => {
    expect(await listOf({ keys: ['a'] })).toEqual({ keys: ['a'], key_info: {}, name_path_map: {} });
  });

  test('a list whose keys map names to paths is decoded', async () => {
    expect((await listOf({ keys: { a: ['secret/*'], b: ['x'] } })).keys).toEqual(['a', 'b']);
  });

  test('paths in an unknown form are returned unchanged in key_info', async () => {
    const key_info = {
      texts: ['secret/*', 'sys/mounts'],
      text: '*',
      object: { path: 'a/', glob: true },
      none: [],
      strange: [{ paths: ['a'] }, 7],
    };
    expect(await listOf({ keys: Object.keys(key_info), key_info })).toEqual({
      keys: ['texts', 'text', 'object', 'none', 'strange'],
      key_info,
      name_path_map: {
        texts: [
          { path: 'secret/', glob: true },
          { path: 'sys/mounts', glob: false },
        ],
        text: [{ path: '', glob: true }],
        object: [{ path: 'a/', glob: true }],
        none: [],
      },
    });
  });
});

test('policies have the same values in both dialects', async () => {
  const server = await serve({ status: 204 });
  for (const dialect of ['vault', 'neutral'] as const) {
    await connect(server, { dialect }).policies.egp.write('a', {
      policy: SENTINEL,
      enforcement_level: 'advisory',
      paths: ['*'],
    });
  }
  expect(server.requests[0]?.body).toBe(server.requests[1]?.body);
});
