import type { Api } from '../support/api';
import { calls, enablePrimary, expectStatus, issueToken, status, useSet } from './support/set';

const use = useSet();
const enable = `${calls}/secondary/enable`;
const usedUp =
  '1 error occurred:\n\t* error response unwrapping secondary token; status code is 400, message is "400 Bad Request"\n\n';

beforeEach(() => enablePrimary(use().us));

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests say what is in it
function parts(jwt: string): { header: any; claims: any } {
  const [header = '', claims = ''] = jwt.split('.');
  const decode = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
  return { header: decode(header), claims: decode(claims) };
}

async function publicKeyOf(api: Api): Promise<string> {
  const answer = await expectStatus(api.post(`${calls}/secondary/generate-public-key`), 200);
  return answer.body.data.secondary_public_key as string;
}

describe('a wrapped activation token', () => {
  it('the token is a readable JWT of 30 minutes, and always wrapped', async () => {
    const { us, emulator } = use();
    emulator.clock.freeze();
    const { body } = await expectStatus(us.post(`${calls}/primary/secondary-token`, { id: 'eu' }), 200);
    const { token, ...info } = body.wrap_info;
    expect(body).toMatchObject({ request_id: '', data: null, auth: null, warnings: null });
    expect(info).toMatchObject({
      ttl: 1800,
      creation_path: 'sys/replication/performance/primary/secondary-token',
    });
    const { header, claims } = parts(token as string);
    const now = Math.floor(emulator.clock.now() / 1000);
    expect(header).toEqual({ alg: 'ES512', typ: 'JWT' });
    expect(claims).toEqual({
      accessor: '',
      addr: us.address,
      exp: now + 1800,
      iat: now,
      jti: expect.stringMatching(/^hvs\.\w+$/) as string,
      nbf: now - 5,
      type: 'wrapping',
    });
  });

  it('the token contains what a secondary needs, and cannot be unwrapped a second time', async () => {
    const { us, eu } = use();
    const token = await issueToken(us, 'eu');
    const { jti } = parts(token).claims;
    const lookup = await expectStatus(us.as(undefined).post('sys/wrapping/lookup', { token: jti }), 200);
    expect(lookup.body.data.creation_ttl).toBe(1800);
    const { data } = (await expectStatus(us.as(jti as string).put('sys/wrapping/unwrap'), 200)).body;
    expect(data).toMatchObject({
      id: 'eu',
      mode: 64,
      cluster_id: (await status(us)).cluster_id,
      primary_cluster_addr: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/) as string,
      client_key: { type: 'p521' },
      encrypted_client_key: null,
      primary_public_key: null,
    });
    const answer = await eu.post(enable, { token });
    expect([answer.status, answer.body.errors]).toEqual([500, [usedUp]]);
    expect(await status(eu)).toEqual({ mode: 'disabled' });
    expect((await eu.get('auth/token/lookup-self')).status).toBe(200);
  });

  it.each([
    ['5m', 300],
    [90, 90],
    ['180', 180],
  ])('the TTL that a request gives in the form %p is the TTL of the token', async (ttl, seconds) => {
    const { us } = use();
    const { claims } = parts(await issueToken(us, 'eu', { ttl }));
    expect(claims.exp - claims.iat).toBe(seconds);
  });

  it("the token expires after its TTL, on the emulator's clock", async () => {
    const { us, eu, emulator } = use();
    const token = await issueToken(us, 'eu', { ttl: '10m' });
    emulator.clock.advance(600_000);
    const answer = await eu.post(enable, { token });
    expect([answer.status, answer.body.errors]).toEqual([500, [usedUp]]);
    expect((await eu.get('auth/token/lookup-self')).status).toBe(200);
  });

  it('the token can be used once', async () => {
    const { us, eu, ap } = use();
    const token = await issueToken(us, 'eu');
    await expectStatus(eu.post(enable, { token }), 200);
    expect((await ap.post(enable, { token })).body.errors).toEqual([usedUp]);
  });

  it('the token is not valid after its id was revoked', async () => {
    const { us, eu } = use();
    const token = await issueToken(us, 'eu');
    await expectStatus(us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' }), 204);
    expect((await eu.post(enable, { token })).body.errors).toEqual([usedUp]);
  });

  it('the token is unwrapped by a real request to the address in it', async () => {
    const { us, eu, emulator } = use();
    const token = await issueToken(us, 'eu');
    emulator.requests.clear();
    await expectStatus(eu.post(enable, { token }), 200);
    expect(emulator.requests.counts({ cluster: 'us' })).toEqual({ 'PUT sys/wrapping/unwrap': 1 });
  });

  it('the token is unwrapped at primary_api_addr if the request has it', async () => {
    const { us, eu, ap, emulator } = use();
    const token = await issueToken(us, 'eu');
    const elsewhere = await eu.post(enable, { token, primary_api_addr: ap.address });
    expect([elsewhere.status, elsewhere.body.errors]).toEqual([500, [usedUp]]);
    expect(emulator.requests.counts({ cluster: 'ap' })).toEqual({ 'PUT sys/wrapping/unwrap': 1 });
    await expectStatus(eu.post(enable, { token, primary_api_addr: `${us.address}/` }), 200);
  });

  it('the token remains valid if the primary cannot be reached, or refuses temporarily', async () => {
    const { us, eu, emulator } = use();
    const token = await issueToken(us, 'eu');
    const nobody = await eu.post(enable, { token, primary_api_addr: 'http://127.0.0.1:1' });
    expect([nobody.status, nobody.body.errors]).toEqual([
      500,
      [
        'error unwrapping secondary token: Post "http://127.0.0.1:1/v1/sys/wrapping/unwrap": dial tcp 127.0.0.1:1: connect: connection refused',
      ],
    ]);
    emulator.faults.inject({ cluster: 'us', path: 'sys/wrapping/unwrap', status: 503, count: 1 });
    const busy = await eu.post(enable, { token });
    expect([busy.status, busy.body.errors]).toEqual([
      500,
      [
        '1 error occurred:\n\t* error response unwrapping secondary token; status code is 503, message is "503 Service Unavailable"\n\n',
      ],
    ]);
    await expectStatus(eu.post(enable, { token }), 200);
  });

  it.each([
    ['ftp://primary', 'primary API address "ftp://primary" is not an http or https URL'],
    ['primary:8200', 'primary API address "primary:8200" is not an http or https URL'],
  ])('the token is not sent to %p', async (address, text) => {
    const { us, eu } = use();
    const answer = await eu.post(enable, { token: await issueToken(us, 'eu'), primary_api_addr: address });
    expect([answer.status, answer.body.errors]).toEqual([400, [text]]);
  });
});

describe('an encrypted activation token', () => {
  async function issue(id: string, key: string, body: object = {}): Promise<string> {
    const request = { id, secondary_public_key: key, ...body };
    const answer = await expectStatus(use().us.post(`${calls}/primary/secondary-token`, request), 200);
    expect(answer.body.wrap_info).toBe(null);
    expect(Object.keys(answer.body.data as object)).toEqual(['token']);
    return answer.body.data.token as string;
  }

  it('the token needs no call to the primary', async () => {
    const { eu, emulator } = use();
    const token = await issue('eu', await publicKeyOf(eu));
    emulator.requests.clear();
    await expectStatus(eu.post(enable, { token }), 200);
    expect(emulator.requests.counts({ cluster: 'us' })).toEqual({});
    expect(await status(eu)).toMatchObject({
      state: 'stream-wals',
      connection_state: 'ready',
      secondary_id: 'eu',
    });
  });

  it('the token does not show the key that it contains', async () => {
    const { us, eu } = use();
    const key = await publicKeyOf(eu);
    const content = Buffer.from(await issue('eu', key), 'base64').toString();
    expect(JSON.parse(content)).toMatchObject({ id: 'eu', client_key: null });
    expect(key).toMatch(/^[A-Za-z0-9+/]{43}=$/);
    expect((await us.post(`${calls}/secondary/generate-public-key`)).status).toBe(400);
  });

  it('the token can be used once, and only by the cluster with the latest public key', async () => {
    const { us, eu, ap } = use();
    const old = await issue('eu', await publicKeyOf(eu));
    const foreign = { status: 400, errors: ['token is not an activation token for this cluster'] };
    const refused = async (api: Api, token: string) => {
      const { status: code, body } = await api.post(enable, { token });
      return { status: code, errors: body.errors as unknown };
    };
    expect(await refused(ap, old)).toEqual(foreign);
    await publicKeyOf(eu);
    expect(await refused(eu, old)).toEqual(foreign);
    await expectStatus(us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' }), 204);
    const token = await issue('eu', await publicKeyOf(eu));
    await expectStatus(eu.post(enable, { token }), 200);
    expect(await status(eu)).toMatchObject({ connection_state: 'ready' });
  });

  it('the token is not valid after its TTL, or after its id was revoked', async () => {
    const { us, eu, ap, emulator } = use();
    const late = await issue('eu', await publicKeyOf(eu), { ttl: '1m' });
    const revoked = await issue('ap', await publicKeyOf(ap));
    await expectStatus(us.post(`${calls}/primary/revoke-secondary`, { id: 'ap' }), 204);
    emulator.clock.advance(60_000);
    for (const [api, token] of [
      [eu, late],
      [ap, revoked],
    ] as const) {
      const answer = await api.post(enable, { token });
      expect([answer.status, answer.body.errors]).toEqual([500, [usedUp]]);
      expect((await api.get('auth/token/lookup-self')).status).toBe(200);
    }
  });

  it.each(['x', 'bm90IGEga2V5', '!'.repeat(44)])('a public key of %p is refused', async (key) => {
    const { us } = use();
    const answer = await us.post(`${calls}/primary/secondary-token`, { id: 'eu', secondary_public_key: key });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      ['secondary_public_key is not a public key of secondary/generate-public-key'],
    ]);
    expect((await status(us)).known_secondaries).toEqual([]);
  });
});

describe('the ids of secondaries', () => {
  it('an id is known from the issue of its token until its revocation, whether the token was used or not', async () => {
    const { us } = use();
    await issueToken(us, 'eu');
    await issueToken(us, 'ap.2-x');
    const { known_secondaries, secondaries } = await status(us);
    expect(known_secondaries).toEqual(['eu', 'ap.2-x']);
    expect(secondaries).toEqual([
      { node_id: 'eu', connection_status: 'disconnected' },
      { node_id: 'ap.2-x', connection_status: 'disconnected' },
    ]);
    await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
    expect((await status(us)).known_secondaries).toEqual(['ap.2-x']);
  });

  it('a second token for an id is refused until the id is revoked', async () => {
    const { us } = use();
    await issueToken(us, 'eu');
    const again = await us.post(`${calls}/primary/secondary-token`, { id: 'eu' });
    expect([again.status, again.body.errors]).toEqual([
      400,
      [
        'secondary id "eu" is in use: an activation token was issued for it; revoke the secondary first, or choose another id',
      ],
    ]);
    await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
    await issueToken(us, 'eu');
  });

  it('an unknown id can be revoked', async () => {
    await expectStatus(use().us.post(`${calls}/primary/revoke-secondary`, { id: 'nobody' }), 204);
  });

  it.each([
    [{}, 'activation token: id is required; set id'],
    [
      { id: 'a b' },
      'activation token: id is not valid as part of a path; received "a b"; allowed: letters, digits and "_", between them also "-" and "."; choose another name',
    ],
    [
      { id: 'eu', ttl: 0 },
      'activation token: ttl must be at least one second; received 0; allowed: a number of seconds, or a duration such as "30m" or "24h", of at least one second; write for example "30m", or remove it',
    ],
  ])('invalid ids and TTLs are refused: %j', async (body, text) => {
    const answer = await use().us.post(`${calls}/primary/secondary-token`, body);
    expect([answer.status, answer.body.errors]).toEqual([400, [text]]);
  });
});

it('activation tokens are only issued to callers with sudo', async () => {
  const { us } = use();
  const grant = async (name: string, capabilities: string[]) => {
    const rules = `path "sys/replication/*" { capabilities = ${JSON.stringify(capabilities)} }`;
    await expectStatus(us.put(`sys/policies/acl/${name}`, { policy: rules }), 204);
    const made = await expectStatus(us.post('auth/token/create', { policies: [name] }), 200);
    return us.as(made.body.auth.client_token as string);
  };
  const plain = await grant('plain', ['create', 'read', 'update', 'delete']);
  const refused = await plain.post(`${calls}/primary/secondary-token`, { id: 'eu' });
  expect([refused.status, refused.body.errors]).toEqual([
    403,
    ['1 error occurred:\n\t* permission denied\n\n'],
  ]);
  await expectStatus(plain.post(`${calls}/primary/revoke-secondary`, { id: 'eu' }), 204);
  await issueToken(await grant('super', ['update', 'sudo']), 'eu');
});

it('a text that is not an activation token is refused', async () => {
  const { us, eu } = use();
  const wrap = { headers: { 'X-Vault-Wrap-TTL': '1h', 'X-Vault-Wrap-Format': 'jwt' } };
  const jwt = (await us.get('sys/policies/acl/default', wrap)).body.wrap_info.token as string;
  for (const token of ['nonsense', 'hvs.abc', 'a.b.c', jwt]) {
    const answer = await eu.post(enable, { token });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      ['token is not an activation token for this cluster'],
    ]);
  }
  expect((await eu.post(enable, {})).body.errors).toEqual([
    'enabling of a secondary: token is required; set token',
  ]);
});
