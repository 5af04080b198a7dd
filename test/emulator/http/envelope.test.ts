import { collected } from '../support/api';
import { startTestEmulator, useEmulator } from '../support/emulator';

const use = useEmulator();
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a successful response', () => {
  it('the body has every member of the envelope, and may not be cached', async () => {
    const { status, headers, body } = await use().api.get('sys/policies/acl/root');
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
    expect(body).toEqual({
      request_id: expect.stringMatching(uuid),
      lease_id: '',
      renewable: false,
      lease_duration: 0,
      data: { name: 'root', policy: '' },
      wrap_info: null,
      warnings: null,
      auth: null,
      mount_type: 'system',
    });
  });

  it('the body has no mount_type on older servers', async () => {
    const { emulator, api } = await startTestEmulator({ serverVersion: '1.16.3+ent' });
    const { body } = await api.get('sys/policies/acl/root');
    await emulator.close();
    expect(Object.keys(body)).toEqual([
      'request_id',
      'lease_id',
      'renewable',
      'lease_duration',
      'data',
      'wrap_info',
      'warnings',
      'auth',
    ]);
  });

  it('a response without content is a 204 without a body', async () => {
    const answer = await use().api.put('sys/policies/acl/quiet', { policy: 'path "a" {}' });
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect(answer.headers['content-type']).toBe('application/json');
  });

  it('a response with warnings only is a 200 without data', async () => {
    const { status, body } = await use().api.put('sys/policies/acl/Loud', { policy: 'path "a" {}' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: null, warnings: ['policy name was converted to loud'] });
  });

  it.each(['sys/policy/default', 'sys/policy', 'sys/mounts', 'sys/auth'])(
    'the data of %s is repeated at the top level',
    async (path) => {
      const { body } = await use().api.get(path);
      expect(body).toMatchObject(body.data);
      expect(Object.keys(body.data).length).toBeGreaterThan(0);
    },
  );

  it.each(['sys/policies/acl/default', 'auth/token/lookup-self'])(
    'the data of %s is not repeated',
    async (path) => {
      const { body } = await use().api.get(path);
      expect(Object.keys(body)).toHaveLength(9);
    },
  );
});

describe('a refused request', () => {
  const refusals: readonly [string, string, number, readonly string[]][] = [
    ['an unknown path of a mount', 'sys/nothing', 404, [collected('unsupported path')]],
    ['no mount', 'nothing/here', 404, ['no handler for route "nothing/here". route entry not found.']],
    ['a missing object', 'sys/policies/acl/missing', 404, []],
    ['a name that ends with a dot', 'auth/token/roles/a.', 404, [collected('unsupported path')]],
  ];
  it.each(refusals)('the answer to %s has its status and errors', async (_, path, status, errors) => {
    const answer = await use().api.get(path);
    expect([answer.status, answer.body]).toEqual([status, { errors }]);
    expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'cache-control': 'no-store' });
  });

  it.each([
    ['sys//policies/acl/a', '/v1/sys/policies/acl/a'],
    ['sys/policies/./acl/?list=true', '/v1/sys/policies/acl/?list=true'],
    ['sys/policies/acl/../rgp', '/v1/sys/policies/rgp'],
    ['sys/%2e%2e/x', '/v1/x'],
  ])('the path %s is redirected, not refused', async (path, location) => {
    const { status, headers } = await use().api.get(path);
    expect([status, headers.location]).toEqual([301, location]);
  });

  it('a path that is not below /v1/ has an empty list of errors', async () => {
    const answer = await use().api.get('/v2/sys/policies');
    expect([answer.status, answer.body]).toEqual([404, { errors: [] }]);
  });

  it('an empty list is refused like a missing object', async () => {
    const answer = await use().api.list('sys/policies/egp');
    expect([answer.status, answer.body]).toEqual([404, { errors: [] }]);
  });

  it('errors on paths without authentication have no bullets', async () => {
    const answer = await use().api.delete('sys/wrapping/lookup', { token: undefined });
    expect([answer.status, answer.body]).toEqual([405, { errors: ['unsupported operation'] }]);
  });

  it('a write to a folder is refused', async () => {
    const answer = await use().api.put('sys/policies/acl/folder/', { policy: 'path "a" {}' });
    expect([answer.status, answer.body]).toEqual([400, { errors: ["cannot write to a path ending in '/'"] }]);
  });
});

describe('the body of a request', () => {
  const policy = 'path "a" {}';

  it('a body needs no Content-Type header', async () => {
    expect((await use().api.put('sys/policies/acl/plain', { policy })).status).toBe(204);
  });

  it('a body can be a form', async () => {
    const { api } = use();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await api.send('PUT', 'sys/policies/acl/form', {
      body: `policy=${encodeURIComponent(policy)}`,
      headers,
    });
    expect(answer.status).toBe(204);
    expect((await api.get('sys/policies/acl/form')).body.data.policy).toBe(policy);
  });

  it('a body that looks like JSON is JSON, regardless of the content type', async () => {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const answer = await use().api.send('PUT', 'sys/policies/acl/form', {
      body: ` ${JSON.stringify({ policy })}`,
      headers,
    });
    expect(answer.status).toBe(204);
  });

  it.each(['', ' \n'])('an empty body is accepted: %j', async (body) => {
    const answer = await use().api.send('PUT', 'sys/policies/acl/empty', { body });
    expect([answer.status, answer.body]).toEqual([
      400,
      { errors: ["'policy' parameter not supplied or empty"] },
    ]);
  });

  it.each([
    ['broken JSON', '{"policy": "canary-secret"', 'the body is not valid JSON'],
    ['an array', '["canary-secret"]', 'the body is not a JSON object'],
    ['a text', '"canary-secret"', 'the body is not a JSON object'],
  ])('the body is refused as %s, without being quoted', async (_, body, reason) => {
    const answer = await use().api.put('sys/policies/acl/broken', body);
    expect([answer.status, answer.body]).toEqual([
      400,
      { errors: [`failed to parse JSON input: ${reason}`] },
    ]);
  });

  it('a body above 32 MiB is refused', async () => {
    const answer = await use().api.put(
      'sys/policies/acl/large',
      `{"policy": "${'x'.repeat(32 * 1024 * 1024)}"}`,
    );
    expect([answer.status, answer.body]).toEqual([
      413,
      { errors: ['failed to parse JSON input: http: request body too large'] },
    ]);
  });

  it('ignored parameters are listed as a warning', async () => {
    const { api } = use();
    const body = { policy, zebra: 1, apple: 2, name: 'other' };
    expect((await api.put('sys/policies/acl/params', body)).status).toBe(204);
    expect((await api.put('sys/policies/acl/Params', body)).body.warnings).toEqual([
      'policy name was converted to params',
      'Endpoint ignored these unrecognized parameters: [apple zebra]',
      "Endpoint replaced the value of these parameters with the values captured from the endpoint's path: [name]",
    ]);
    expect((await api.get('sys/policies/acl/params?color=red')).body.warnings).toEqual([
      'Endpoint ignored these unrecognized parameters: [color]',
    ]);
  });

  it('a value that is not valid for its field is refused', async () => {
    const answer = await use().api.put('sys/policies/acl/typed', { policy: { a: 1 } });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        errors: [
          `Field validation failed: error converting input for field "policy": '' expected type 'string', got unconvertible type 'map[string]interface {}'`,
        ],
      },
    ]);
  });
});

describe('requests for help texts', () => {
  it('a route has a help text', async () => {
    const { status, body } = await use().api.get('sys/policies/acl/app?help=1');
    expect(status).toBe(200);
    expect(body.help).toContain('Reads, writes and deletes an ACL policy.');
    expect(body.help).toContain('    policy (string)\n');
    expect(Object.keys(body)).toEqual(['help', 'see_also', 'openapi']);
  });

  it('a mount has a help text', async () => {
    const { body } = await use().api.get('sys/?help=1');
    expect(body.help).toContain('## PATHS');
    expect(body.help).toContain('    policies/acl\n');
  });

  it('a help text requires a token', async () => {
    expect((await use().api.get('sys/policies/acl?help=1', { token: undefined })).status).toBe(403);
  });
});

test.each(['/', '/?a=b', '/ui', '/ui/', '/ui/vault/secrets?namespace=team'])(
  'a browser that looks for the user interface at %s reads that the emulator has none',
  async (path) => {
    const response = await fetch(`${use().emulator.clusters.default!.address}${path}`);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      404,
      'text/plain; charset=utf-8',
      'The emulator does not have the user interface of Vault. /emulator/ shows its clusters.\n',
    ]);
  },
);

test.each(['/uix', '/v2/sys/health', '/metrics'])(
  'the unknown path %s is answered without texts',
  async (path) => {
    const response = await fetch(`${use().emulator.clusters.default!.address}${path}`);
    expect([response.status, await response.json()]).toEqual([404, { errors: [] }]);
  },
);
