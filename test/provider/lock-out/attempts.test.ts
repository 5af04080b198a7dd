/**
 * Attempts to lock Terraform out, each with every kind of token that the emulator has. The guard's
 * verdicts on Terraform's requests must agree with the emulator's answers.
 */
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { Cluster } from '../../../src/provider/clusters/cluster';
import type { ClusterSettings, LoginSettings } from '../../../src/provider/configuration';
import { lookUpCaller } from '../../../src/provider/lock-out/caller';
import { compilePolicy, governs, judge } from '../../../src/provider/lock-out/judge';
import {
  requestsOfCluster,
  requestsOfResource,
  type TerraformsRequest,
} from '../../../src/provider/lock-out/terraforms-requests';

const ADMIN = 'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n';
/** A Saturday. */
const NOW = Date.parse('2026-01-31T20:00:00Z');

let emulator: Emulator;
let address: string;
const settings = new Map<string, ClusterSettings>();

beforeAll(async () => {
  emulator = await startEmulator({ clusters: { us: 0 } });
  emulator.clock.freeze();
  emulator.clock.advance(NOW - emulator.clock.now());
  address = emulator.clusters.us!.address;
  await ask('PUT', 'sys/policies/acl/admin', { policy: ADMIN });
  for (const type of ['userpass', 'approle', 'jwt']) await ask('POST', `sys/auth/${type}`, { type });
  const admin = { token_policies: 'admin' };
  await ask('PUT', 'auth/userpass/users/ci', { password: 'only-for-tests', ...admin });
  await ask('PUT', 'auth/approle/role/ci', { ...admin, token_type: 'batch' });
  const { role_id } = await ask('GET', 'auth/approle/role/ci/role-id');
  const { secret_id } = await ask('POST', 'auth/approle/role/ci/secret-id');
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  await ask('PUT', 'auth/jwt/config', { jwt_validation_pubkeys: await exportSPKI(publicKey) });
  await ask('PUT', 'auth/jwt/role/ci', {
    role_type: 'jwt',
    user_claim: 'sub',
    bound_audiences: 'vault',
    ...admin,
  });
  const jwt = await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256' })
    .setSubject('ci')
    .setAudience('vault')
    .setIssuedAt(NOW / 1000)
    .setExpirationTime(NOW / 1000 + 3600)
    .sign(privateKey);
  const logins: Readonly<Record<string, Omit<LoginSettings, 'namespace'>>> = {
    userpass: { path: 'auth/userpass/login/ci', parameters: { password: 'only-for-tests' } },
    approle: {
      path: 'auth/approle/login',
      parameters: { role_id: role_id as string, secret_id: secret_id as string },
    },
    jwt: { path: 'auth/jwt/login', parameters: { role: 'ci', jwt } },
  };
  for (const [name, login] of Object.entries(logins)) settings.set(name, settingsWith({ login }));
  const { client_token } = await ask('POST', 'auth/token/create', { policies: ['admin'], period: '1h' });
  settings.set('token', settingsWith({ token: client_token as string }));
  settings.set('root', settingsWith({ token: emulator.clusters.us!.rootToken }));
});
afterAll(() => emulator.close());

function settingsWith({ token, login }: { token?: string; login?: LoginSettings }): ClusterSettings {
  const options = { address, maxRetries: 0, ...(token !== undefined && { token }) };
  return { name: 'us', options, usualTokenFile: false, unknown: [], ...(login && { login }) };
}

async function send(method: string, path: string, token: string | undefined, body?: object) {
  const response = await fetch(`${address}/v1/${path}`, {
    method,
    headers: { ...(token !== undefined && { 'X-Vault-Token': token }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { text, answer: (text === '' ? {} : JSON.parse(text)) as Record<string, Record<string, unknown>> };
}

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const { answer } = await send(method, path, emulator.clusters.us!.rootToken, body);
  if (answer.errors) throw new Error(`${path}: ${JSON.stringify(answer.errors)}`);
  return answer.data ?? answer.auth ?? {};
}

const METHODS: Readonly<Record<string, string>> = {
  read: 'GET',
  update: 'PUT',
  delete: 'DELETE',
  list: 'LIST',
};

/** Whether the emulator refuses a request because of an EGP. */
async function isRefused({ operation, path, data, isLogin }: TerraformsRequest, token: string) {
  const body = operation === 'update' ? (data ?? {}) : undefined;
  const { text } = await send(METHODS[operation]!, path, isLogin ? undefined : token, body);
  return text.includes('egp standard policy');
}

/**
 * Returns the verdicts of the guard on Terraform's requests: those that the policy refuses, and
 * those whose verdict is unknown.
 */
async function attempt(method: string, text: string, paths: readonly string[]) {
  const given = settings.get(method)!;
  const cluster = new Cluster(given, { env: {}, mask: () => {} });
  const before = await cluster.client('');
  const caller = await lookUpCaller(before);
  // Each attempt has its own token, because one of its requests revokes the token.
  const token = given.login
    ? ((await send('PUT', given.login.path, undefined, given.login.parameters)).answer.auth!
        .client_token as string)
    : given.options.token!;
  const written = { name: 'guard', policy: text, paths, enforcement_level: 'hard-mandatory' };
  const policy = compilePolicy({
    kind: 'egp',
    name: 'guard',
    namespace: '',
    level: 'hard-mandatory',
    paths,
    text,
  });
  const other = { name: 'ops', policy: ADMIN };
  const requests = [
    ...requestsOfResource(given, 'acl_policy', other, other),
    ...requestsOfResource(given, 'egp_policy', written, written),
    ...requestsOfCluster(given),
  ];
  const found = { refused: [] as string[], unknown: [] as string[] };
  await ask('PUT', 'sys/policies/egp/guard', written);
  try {
    for (const request of requests) {
      const name = `${request.operation} ${request.path}`;
      // Requests that would change the policy are judged but not sent, so that the policy stays in
      // force.
      const isOwn = request.path === 'sys/policies/egp/guard' && request.operation !== 'read';
      const judgment = governs(policy, request)
        ? judge(policy, request, { caller, address: '127.0.0.1', now: NOW })
        : { kind: 'allowed' };
      if (judgment.kind === 'unknown') found.unknown.push(name);
      else {
        if (judgment.kind === 'refused') found.refused.push(name);
        if (!isOwn && (judgment.kind === 'refused') !== (await isRefused(request, token)))
          throw new Error(`${method}: the guard says that ${name} is ${judgment.kind}, the emulator differs`);
      }
    }
  } finally {
    await ask('DELETE', 'sys/policies/egp/guard');
    await cluster.close();
  }
  return found;
}

/**
 * For each policy, the number of refused requests by kind of token. There are nine requests, and
 * seven with a given token. `?` marks the number of requests with an unknown verdict.
 */
const ATTEMPTS: Readonly<Record<string, readonly [text: string, paths: readonly string[], found: string]>> = {
  'refuses everything': ['main = false', ['*'], 'userpass 9, approle 9, jwt 9, token 7, root 0'],
  'refuses everything below sys/': [
    'main = false',
    ['sys/*'],
    'userpass 6, approle 6, jwt 6, token 6, root 0',
  ],
  'refuses its own changes alone': [
    'main = rule { request.operation is "read" }',
    ['sys/policies/egp/guard'],
    'userpass 2, approle 2, jwt 2, token 2, root 0',
  ],
  'refuses logins': [
    'main = rule { not request.unauthenticated }',
    ['auth/*'],
    'userpass 1, approle 1, jwt 1, token 0, root 0',
  ],
  'refuses to revoke tokens': [
    'main = rule { request.path is not "auth/token/revoke-self" }',
    ['*'],
    'userpass 1, approle 1, jwt 1, token 0, root 0',
  ],
  'asks for office hours': [
    'import "time"\nmain = rule { time.now.weekday in range(1, 6) and time.now.hour < 18 }',
    ['*'],
    'userpass 9, approle 9, jwt 9, token 7, root 0',
  ],
  'asks for a network': [
    'import "sockaddr"\nmain = rule { sockaddr.is_contained("10.0.0.0/8", request.connection.remote_addr) }',
    ['sys/*', 'auth/token/*'],
    'userpass 8, approle 8, jwt 8, token 7, root 0',
  ],
  'asks for service tokens': [
    'main = rule when not request.unauthenticated { token.type is "service" }',
    ['*'],
    'userpass 0, approle 8, jwt 0, token 0, root 0',
  ],
  'asks for a user': [
    'main = rule when not request.unauthenticated { token.display_name matches "^userpass-" }',
    ['sys/*', 'auth/*'],
    'userpass 0, approle 8, jwt 8, token 7, root 0',
  ],
  'asks for a login by JWT': [
    'main = rule when not request.unauthenticated { any identity.entity.aliases as alias { alias.mount_type is "jwt" } }',
    ['*'],
    'userpass 8, approle 8, jwt 0, token 7, root 0',
  ],
  'reads identity at logins': [
    'main = rule { identity.entity.name is not "x" }',
    ['auth/*'],
    'userpass 0 ?1, approle 0 ?1, jwt 0 ?1, token 1, root 0',
  ],
  'asks for MFA': [
    'main = rule { mfa.methods.duo.valid }',
    ['sys/*'],
    'userpass 6, approle 6, jwt 6, token 6, root 0',
  ],
  'compares what is written': [
    'main = rule { length(request.data) is 0 }',
    ['*'],
    'userpass 3, approle 3, jwt 3, token 2, root 0',
  ],
  'stops with an error': [
    'main = rule { request.path / 2 is 1 }',
    ['sys/*'],
    'userpass 6, approle 6, jwt 6, token 6, root 0',
  ],
  'never ends': [
    'for range(1000) as _ { for range(1000) as i { x = i } }\nmain = true',
    ['auth/token/lookup-self'],
    'userpass 1, approle 1, jwt 1, token 1, root 0',
  ],
  'lets everybody in': ['main = true', ['*'], 'userpass 0, approle 0, jwt 0, token 0, root 0'],
};

test.each(Object.keys(ATTEMPTS))('the guard and the emulator agree on a policy that %s', async (name) => {
  const [text, paths, expected] = ATTEMPTS[name]!;
  const found: string[] = [];
  for (const method of settings.keys()) {
    const { refused, unknown } = await attempt(method, text, paths);
    found.push(`${method} ${refused.length}${unknown.length > 0 ? ` ?${unknown.length}` : ''}`);
  }
  expect(found.join(', ')).toBe(expected);
});

test('a wrapped secret_id adds two requests, which the guard judges as well', () => {
  const login = {
    path: 'auth/approle/login',
    parameters: { role_id: 'r', secret_id: 's.wrapped' },
    secretIdWrappingPath: 'x',
  };
  const requests = requestsOfCluster(settingsWith({ login }));
  const judged = (text: string) => {
    const policy = compilePolicy({
      kind: 'egp',
      name: 'guard',
      namespace: '',
      level: 'hard-mandatory',
      paths: ['sys/wrapping/*'],
      text,
    });
    return requests
      .filter((request) => governs(policy, request))
      .map(
        (request) =>
          `${request.path} ${judge(policy, request, { caller: undefined, address, now: NOW }).kind}`,
      );
  };
  expect(judged('main = false')).toEqual(['sys/wrapping/lookup refused', 'sys/wrapping/unwrap refused']);
  expect(judged('main = rule { token.policies is empty }')).toEqual([
    'sys/wrapping/lookup refused',
    'sys/wrapping/unwrap unknown',
  ]);
});
