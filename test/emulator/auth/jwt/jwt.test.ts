import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { useEmulator } from '../../support/emulator';

const running = useEmulator();
const api = () => running().api;
const clock = () => running().emulator.clock;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

const seconds = () => Math.floor(clock().now() / 1000);
const sign = (claims: Record<string, unknown>, key = privateKey, alg = 'ES256') =>
  new SignJWT({ sub: 'pipeline', aud: 'vault', iat: seconds(), ...claims })
    .setProtectedHeader({ alg })
    .sign(key);
const login = async (claims: Record<string, unknown> = {}, role = 'deploy') =>
  api()
    .as(undefined)
    .post('auth/jwt/login', { role, jwt: await sign(claims) });

beforeAll(async () => {
  clock().freeze();
  await api().post('sys/auth/jwt', { type: 'jwt' });
});
beforeEach(async () => {
  await api().post('auth/jwt/config', { jwt_validation_pubkeys: [pem(rsa.publicKey), pem(publicKey)] });
  await api().delete('auth/jwt/role/deploy');
  await api().post('auth/jwt/role/deploy', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: 'vault,other',
    token_policies: 'ops',
  });
});

describe('a login with a JWT', () => {
  it('a signed token is exchanged for a token of the server', async () => {
    const { status, body } = await login();
    expect(status).toBe(200);
    expect(body.auth).toMatchObject({
      policies: ['default', 'ops'],
      metadata: { role: 'deploy' },
      entity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    const self = await api().as(body.auth.client_token).get('auth/token/lookup-self');
    expect(self.body.data.display_name).toBe('jwt-pipeline');
  });

  it('a token is verified with the key that matches, of several', async () => {
    const jwt = await sign({}, rsa.privateKey, 'RS256');
    expect((await api().post('auth/jwt/login', { role: 'deploy', jwt })).status).toBe(200);
  });

  it.each([
    [
      { aud: 'elsewhere' },
      'invalid audience (aud) claim: audience claim does not match any expected audience',
    ],
    [{ exp: 1000 }, 'invalid expiration time (exp) claim: token is expired'],
    [{ nbf: 4_000_000_000 }, 'invalid not before (nbf) claim: token not yet valid'],
    [{ iat: undefined }, 'no issued at (iat), not before (nbf), or expiration time (exp) claims in token'],
  ])('a token with %j is refused', async (claims, text) => {
    const { status, body } = await login(claims);
    expect(status).toBe(400);
    expect(body).toEqual({ errors: [`error validating token: ${text}`] });
  });

  it('tokens with another signature, and missing tokens, are refused', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const jwt of [await sign({}, stranger), 'no.jwt.atall', 'x']) {
      const { status, body } = await api().post('auth/jwt/login', { role: 'deploy', jwt });
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        'error validating token: error verifying token signature: no known key successfully validated the token signature',
      ]);
    }
    expect((await api().post('auth/jwt/login', { role: 'deploy' })).body).toEqual({
      errors: ['missing token'],
    });
  });

  it("the times of a token are compared with the emulator's clock, with leeway", async () => {
    const exp = seconds() + 60;
    clock().advance(120_000);
    expect((await login({ exp })).status).toBe(200);
    clock().advance(1000);
    expect((await login({ exp })).status).toBe(400);

    await api().post('auth/jwt/role/deploy', { role_type: 'jwt', clock_skew_leeway: '-1' });
    expect((await login({ exp: seconds() - 1 })).status).toBe(400);
    expect((await login({ exp: seconds() })).status).toBe(200);
  });

  it('a token without exp expires some time after it was issued', async () => {
    const iat = seconds();
    clock().advance(210_000);
    expect((await login({ iat })).status).toBe(200);
    clock().advance(1000);
    expect((await login({ iat })).status).toBe(400);
  });

  it.each([
    [{ bound_subject: 'pipeline' }, 200],
    [{ bound_subject: 'somebody' }, 400],
    [{ bound_claims: { ref: 'main' } }, 200],
    [{ bound_claims: { ref: ['dev', 'main'], tags: 'b' } }, 200],
    [{ bound_claims: { ref: 'm*' } }, 400],
    [{ bound_claims: { ref: 'm*' }, bound_claims_type: 'glob' }, 200],
    [{ bound_claims: { ref: 'd*' }, bound_claims_type: 'glob' }, 400],
    [{ bound_claims: { '/nested/run': 7 } }, 200],
    [{ bound_claims: { '/nested/run': 8 } }, 400],
    [{ bound_claims: { absent: 'x' } }, 400],
    [{ user_claim: 'absent' }, 400],
    [{ user_claim: '/nested/who', user_claim_json_pointer: true }, 200],
    [{ groups_claim: 'tags' }, 200],
    [{ groups_claim: 'absent' }, 400],
  ])('a login with a role of %j answers %i', async (fields, status) => {
    await api().post('auth/jwt/role/deploy', { role_type: 'jwt', ...fields });
    const claims = { ref: 'main', tags: ['a', 'b'], nested: { run: 7, who: 'ann' } };
    expect((await login(claims)).status).toBe(status);
  });

  it('mapped claims are copied to the metadata', async () => {
    await api().post('auth/jwt/role/deploy', {
      role_type: 'jwt',
      claim_mappings: { ref: 'branch', absent: 'x' },
    });
    expect((await login({ ref: 'main' })).body.auth.metadata).toEqual({ branch: 'main', role: 'deploy' });
  });

  it('the default role is used if the request names none', async () => {
    expect((await login({}, '')).body).toEqual({ errors: ['missing role'] });
    await api().post('auth/jwt/config', { jwt_validation_pubkeys: pem(publicKey), default_role: 'Deploy' });
    expect((await login({}, '')).status).toBe(200);
    expect((await login({}, 'nobody')).body).toEqual({ errors: ['role "nobody" could not be found'] });
  });

  it('tokens with another issuer or algorithm than the configured ones are refused', async () => {
    await api().post('auth/jwt/config', {
      jwt_validation_pubkeys: pem(publicKey),
      bound_issuer: 'https://ci',
    });
    expect((await login()).body.errors).toEqual(['error validating token: invalid issuer (iss) claim']);
    expect((await login({ iss: 'https://ci' })).status).toBe(200);

    await api().post('auth/jwt/config', {
      jwt_validation_pubkeys: pem(publicKey),
      jwt_supported_algs: 'RS256',
    });
    expect((await login()).body.errors).toEqual([
      'error validating token: invalid algorithm (alg) header parameter: token signed with unexpected algorithm',
    ]);
  });

  it('a token with an audience needs a role with an audience', async () => {
    await api().delete('auth/jwt/role/deploy');
    await api().post('auth/jwt/role/deploy', {
      role_type: 'jwt',
      user_claim: 'sub',
      bound_subject: 'pipeline',
    });
    expect((await login()).body.errors).toEqual([
      'audience claim found in JWT but no audiences bound to the role',
    ]);
  });
});

describe('the configuration of the auth method', () => {
  it('the configuration is read back without secrets', async () => {
    await api().post('auth/jwt/config', {
      oidc_discovery_url: 'https://id.example',
      oidc_client_id: 'vault',
      oidc_client_secret: 'canary-secret',
    });
    const { body, text } = await api().get('auth/jwt/config');
    expect(body.data).toMatchObject({
      oidc_discovery_url: 'https://id.example',
      oidc_client_id: 'vault',
      jwt_validation_pubkeys: [],
      namespace_in_state: true,
    });
    expect(text).not.toContain('canary-secret');
    expect((await login()).body.errors).toEqual([
      "error validating token: the emulator fetches no keys: configure 'jwt_validation_pubkeys'",
    ]);
  });

  it.each([
    [
      {},
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set",
    ],
    [
      { jwks_url: 'https://a', oidc_discovery_url: 'https://b' },
      "exactly one of 'jwt_validation_pubkeys', 'jwks_url', 'jwks_pairs' or 'oidc_discovery_url' must be set",
    ],
    [
      { oidc_discovery_url: 'https://a', oidc_client_id: 'x' },
      "both 'oidc_client_id' and 'oidc_client_secret' must be set for OIDC",
    ],
    [
      { jwt_validation_pubkeys: 'no key' },
      'error parsing public key: data does not contain any valid public keys',
    ],
    [
      { jwks_url: 'https://a', jwt_supported_algs: 'none' },
      'invalid jwt_supported_algs: unsupported signing algorithm "none"',
    ],
  ])('the configuration %j is refused', async (config, text) => {
    const { status, body } = await api().post('auth/jwt/config', config);
    expect(status).toBe(400);
    expect(body).toEqual({ errors: [text] });
  });
});

describe('the roles of the auth method', () => {
  it('a role is read back as it was written, typed, with defaults for the other fields', async () => {
    expect((await api().get('auth/jwt/role/deploy')).body.data).toEqual({
      alias_metadata: {},
      allowed_redirect_uris: null,
      bound_audiences: ['vault', 'other'],
      bound_claims: null,
      bound_claims_type: 'string',
      bound_subject: '',
      claim_mappings: null,
      clock_skew_leeway: 0,
      expiration_leeway: 0,
      groups_claim: '',
      max_age: 0,
      not_before_leeway: 0,
      oidc_scopes: null,
      role_type: 'jwt',
      token_bound_cidrs: [],
      token_explicit_max_ttl: 0,
      token_max_ttl: 0,
      token_no_default_policy: false,
      token_num_uses: 0,
      token_period: 0,
      token_policies: ['ops'],
      token_ttl: 0,
      token_type: 'default',
      user_claim: 'sub',
      user_claim_json_pointer: false,
      verbose_oidc_logging: false,
    });
    expect((await api().list('auth/jwt/role')).body.data).toEqual({ keys: ['deploy'] });
  });

  const valid = { role_type: 'jwt', user_claim: 'sub', bound_subject: 'x' };
  it.each([
    [{ ...valid, role_type: 'saml' }, "invalid 'role_type': saml"],
    [{ ...valid, user_claim: '' }, 'a user claim must be defined on the role'],
    [
      { ...valid, bound_subject: '' },
      'must have at least one bound constraint when creating/updating a role',
    ],
    [{ ...valid, bound_claims_type: 'regex' }, "invalid 'bound_claims_type': regex"],
    [{ ...valid, bound_claims_type: 'glob', bound_claims: { a: [1] } }, 'claim is not a string: 1'],
    [
      { ...valid, claim_mappings: { a: 'role' } },
      'metadata key "role" is reserved and may not be a mapping destination',
    ],
    [{ ...valid, claim_mappings: { a: 'x', b: 'x' } }, 'multiple keys are mapped to metadata key "x"'],
    [
      { ...valid, role_type: 'oidc' },
      "'allowed_redirect_uris' must be set if 'role_type' is 'oidc' or unspecified.",
    ],
  ])('a role with %j is refused', async (fields, text) => {
    const { status, body } = await api().post('auth/jwt/role/refused', fields);
    expect(status).toBe(400);
    expect(body).toEqual({ errors: [text] });
  });
});
