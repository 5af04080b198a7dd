import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EgpPolicy as UpstreamEgpPolicy } from '@cdktf/provider-vault/lib/egp-policy';
import { App, TerraformStack, TerraformVariable } from 'cdktf';
import {
  EgpPolicy,
  EnforcementLevel,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  ResourceProvider,
} from '../../constructs';
import { groupNamed, identityOf, PolicySourceError, requestTo, simulate, tokenWith } from '../../src/policy';
import { temporaryFolder } from '../support/temporary-folder';

const HOURS = `import "time"

# Secrets are written by day.
main = rule when request.operation in ["create", "update"] {
	time.now.hour >= 8 and time.now.hour < 18 and time.now.weekday in [1, 2, 3, 4, 5]
}
`;
const NETWORK = `import "sockaddr"

inside = rule { sockaddr.is_contained("10.0.0.0/8", request.connection.remote_addr) }
main = rule { inside }
`;

let folder: string;
let stack: TerraformStack;
let cluster: VaultCluster;
beforeAll(() => {
  folder = temporaryFolder('simulate');
  stack = new TerraformStack(new App({ outdir: folder }), 'stack');
  cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
});

let count = 0;
const egp = (text: string, enforcementLevel: EnforcementLevel, paths: string[], namespace?: string) =>
  new EgpPolicy(stack, `Egp${(count += 1)}`, {
    cluster,
    document: SentinelDocument.fromText(text),
    enforcementLevel,
    paths,
    namespace,
  });
const rgp = (text: string) =>
  new RgpPolicy(stack, `Rgp${(count += 1)}`, {
    cluster,
    document: SentinelDocument.fromText(text),
    enforcementLevel: EnforcementLevel.HARD_MANDATORY,
  });

describe('simulate, by time and address,', () => {
  test.each<[string, object]>([
    ['2026-01-30T09:00:00Z', { decision: 'allow', rule: 'main', rules: { main: true } }],
    ['2026-01-30T18:00:00Z', { decision: 'deny', rule: 'main', rules: { main: false } }],
    ['2026-01-31T09:00:00Z', { decision: 'deny', rule: 'main', main: false }],
  ])('evaluates a business-hours EGP at %s', (time, expected) => {
    const policy = egp(HOURS, EnforcementLevel.HARD_MANDATORY, ['secret/*']);
    expect(simulate(policy, requestTo('update', 'secret/data/app', { time }))).toMatchObject(expected);
    expect(simulate(policy, requestTo('update', 'secret/data/app', { time: new Date(time) }))).toMatchObject(
      expected,
    );
  });

  test('allows if the condition of a rule skips it', () => {
    expect(
      simulate(HOURS, requestTo('read', 'secret/data/app', { time: '2026-01-31T22:00:00Z' })),
    ).toMatchObject({
      decision: 'allow',
      rule: 'main',
      rules: {},
    });
  });

  test.each([
    ['10.1.2.3', 'allow'],
    ['192.168.0.1', 'deny'],
  ])('evaluates a network RGP for %s', (address, decision) => {
    const rule = decision === 'allow';
    expect(simulate(rgp(NETWORK), requestTo('read', 'secret/data/app', { address }))).toMatchObject({
      decision,
      rule: 'main',
      rules: { main: rule, inside: rule },
      refused: !rule,
    });
  });

  test('uses the same time in every run, unless the request has one', () => {
    expect(simulate(HOURS, requestTo('update', 'a'))).toMatchObject({ decision: 'allow' });
    const now = simulate(
      'import "time"\nmain = rule { time.now.rfc3339 is "2026-01-07T12:00:00Z" }',
      requestTo('read', 'a'),
    );
    expect(now).toMatchObject({ decision: 'allow' });
  });
});

test('simulate accepts a policy of other bindings, a file and a text', () => {
  const upstream = new UpstreamEgpPolicy(stack, 'Upstream', {
    name: 'hours',
    policy: HOURS,
    enforcementLevel: 'soft-mandatory',
    paths: ['secret/*'],
  });
  const file = join(folder, 'hours.sentinel');
  writeFileSync(file, HOURS);
  const night = requestTo('update', 'secret/data/app', { time: '2026-01-30T22:00:00Z' });
  expect(simulate(upstream, night)).toMatchObject({
    decision: 'deny',
    level: 'soft-mandatory',
    governs: true,
  });
  expect(simulate(file, night)).toMatchObject({ decision: 'deny', level: 'hard-mandatory' });
  expect(simulate(HOURS, night).trace).toBe(
    'trace:\n  root/policy:4:1 - Rule "main"\n    Description:\n      Secrets are written by day.\n\n    Value:\n      false\n',
  );
});

describe('the enforcement level of a policy that denies', () => {
  test.each<[EnforcementLevel, boolean, boolean]>([
    [EnforcementLevel.ADVISORY, false, false],
    [EnforcementLevel.SOFT_MANDATORY, false, true],
    [EnforcementLevel.SOFT_MANDATORY, true, false],
    [EnforcementLevel.HARD_MANDATORY, true, true],
  ])(
    'decides about the refusal, and not about the decision: level %s, override %s',
    (level, policyOverride, refused) => {
      const policy = egp('main = false', level, ['*']);
      expect(simulate(policy, requestTo('read', 'a', { policyOverride }))).toMatchObject({
        decision: 'deny',
        rule: 'main',
        refused,
        level,
      });
    },
  );

  test("has the server's text in its message", () => {
    expect(simulate('main = rule { false }', requestTo('read', 'a')).message).toBe(
      'egp standard policy "root/policy" evaluation resulted in denial.\n\nThe specific error was:\n<nil>\n\n' +
        'A trace of the execution for policy "root/policy" is available:\n\nResult: false\n\nDescription: <none>\n\n' +
        'Rule "main" (root/policy:1:1) = false\n\npermission denied',
    );
  });
});

describe('a policy that does not apply', () => {
  test.each<[string, () => object, object]>([
    [
      'about another path',
      () =>
        simulate(
          egp('main = false', EnforcementLevel.HARD_MANDATORY, ['kv/*']),
          requestTo('read', 'secret/a'),
        ),
      { exempt: 'other path' },
    ],
    [
      'about another namespace',
      () =>
        simulate(
          egp('main = false', EnforcementLevel.HARD_MANDATORY, ['*'], 'team'),
          requestTo('read', 'a', { namespace: 'other' }),
        ),
      { exempt: 'other path' },
    ],
    [
      'about a root token',
      () => simulate('main = false', requestTo('read', 'a', { token: { policies: ['root'] } })),
      { exempt: 'root token' },
    ],
    [
      'as an RGP, about a login',
      () => simulate('main = false', requestTo('update', 'auth/jwt/login', { token: null }), { kind: 'rgp' }),
      { exempt: 'no token' },
    ],
  ])('allows a request %s', (_what, run, expected) => {
    expect(run()).toMatchObject({
      ...expected,
      decision: 'allow',
      refused: false,
      governs: false,
      rules: {},
    });
  });

  test('applies to requests in its own namespace and in the namespaces below', () => {
    const policy = egp('main = false', EnforcementLevel.HARD_MANDATORY, ['a'], 'team');
    expect(simulate(policy, requestTo('read', 'a'))).toMatchObject({ decision: 'deny' });
    expect(simulate(policy, requestTo('read', 'a', { namespace: '/team/red/' }))).toMatchObject({
      decision: 'deny',
    });
  });
});

test('the policy sees all properties of a request', () => {
  const ann = identityOf('ann', {
    metadata: { team: 'red' },
    aliases: [{ mountPath: 'auth/github/', name: 'ann-gh' }],
    groups: ['ops', groupNamed('admins', { policies: ['admin'] })],
  });
  const request = requestTo('list', '/v1/secret/metadata/app', {
    data: { version: 2, text: 'a' },
    token: tokenWith({ displayName: 'github-ann', metadata: { env: 'prod' }, creationTtl: 60 }),
    identity: ann,
    wrapTtl: '5m',
    policyOverride: true,
    mfa: { duo: { valid: true } },
    replication: { performance: 'primary' },
  });
  const holds = [
    'request.path is "secret/metadata/app/"',
    'request.data.version is 2 and request.data.text is "a"',
    'request.wrapping.ttl_seconds is 300 and request.policy_override',
    'token.display_name is "github-ann" and token.meta.env is "prod" and token.creation_ttl_seconds is 60',
    'identity.entity.name is "ann" and identity.entity.metadata.team is "red"',
    'identity.entity.aliases[0].mount_type is "github" and identity.entity.aliases[0].name is "ann-gh"',
    '"ops" in identity.groups.names and identity.groups.by_name.admins.policies[0] is "admin"',
    'mfa.methods.duo.valid',
    'replication.performance.mode is "primary" and replication.dr.mode is "disabled"',
    'namespace.path is "" and request.connection.remote_addr is "127.0.0.1"',
  ];
  for (const expression of holds) {
    expect({ expression, ...simulate(`main = rule { ${expression} }`, request) }).toMatchObject({
      expression,
      decision: 'allow',
      error: undefined,
    });
  }
});

test('a login has no token, and a caller without an entity has no identity', () => {
  const login = requestTo('update', 'auth/jwt/login', { token: null });
  expect(simulate('main = rule { request.unauthenticated }', login)).toMatchObject({ decision: 'allow' });
  expect(simulate('main = rule { token.type is "service" }', login)).toMatchObject({
    decision: 'deny',
    rule: undefined,
    error: 'root/policy:1:15: unknown identifier accessed: token',
  });
  expect(simulate('main = rule { identity.entity.name is "ann" }', requestTo('read', 'a')).error).toBe(
    'root/policy:1:15: unknown identifier accessed: identity',
  );
});

test('imports can be mocked, and http requires a mock', () => {
  const text = 'import "http"\nmain = rule { http.get("https://a.example").status_code is 200 }';
  expect(simulate(text, requestTo('read', 'a'))).toMatchObject({
    decision: 'deny',
    error: 'root/policy:1:8: the import "http" is not enabled',
  });
  const mockModules = { http: 'get = func(url) { return { "status_code": 200 } }' };
  expect(simulate(text, requestTo('read', 'a'), { mockModules })).toMatchObject({ decision: 'allow' });
  const mocks = { time: { now: { hour: 3 } } };
  expect(
    simulate('import "time"\nmain = time.now.hour is 3', requestTo('read', 'a'), { mocks }),
  ).toMatchObject({
    decision: 'allow',
  });
});

describe('a PolicySourceError of simulate', () => {
  test.each<[string, () => unknown, string]>([
    [
      'that the text does not parse',
      () => simulate('main = rule { ', requestTo('read', 'a')),
      'the policy cannot be parsed: root/policy:1:15: ',
    ],
    [
      'that the file does not exist',
      () => simulate('none.sentinel', requestTo('read', 'a')),
      'none.sentinel was not found\n',
    ],
    [
      'that a construct contains no RGP or EGP',
      () => simulate(cluster, requestTo('read', 'a')),
      'stack/Cluster contains no RGP or EGP\nTo do: ',
    ],
    [
      'that a construct contains several policies',
      () => {
        egp(HOURS, EnforcementLevel.ADVISORY, ['a']);
        egp(HOURS, EnforcementLevel.ADVISORY, ['a']);
        return simulate(stack, requestTo('read', 'a'));
      },
      'RGPs and EGPs\nTo do: ',
    ],
    [
      'that the time is invalid',
      () => requestTo('read', 'a', { time: 'noon' }),
      'time is not valid: received "noon"; allowed: a Date, or a text such as 2026-01-31T09:00:00Z',
    ],
  ])('reports %s', (_what, run, message) => {
    expect(run).toThrow(PolicySourceError);
    expect(run).toThrow(message);
  });

  test('reports that only Terraform knows the text, unless a value is given', () => {
    const network = new TerraformVariable(stack, 'network', { type: 'string' }).stringValue;
    const policy = rgp(NETWORK.replace('10.0.0.0/8', network));
    const request = requestTo('read', 'a', { address: '10.1.2.3' });
    expect(() => simulate(policy, request)).toThrow(
      '"policy" contains values that only Terraform knows: ${var.network}',
    );
    expect(simulate(policy, request, { values: { 'var.network': '10.0.0.0/8' } })).toMatchObject({
      decision: 'allow',
    });
  });
});

test('a server that is too old for a policy denies', () => {
  const text = 'main = rule { request.data.x is not defined }';
  const request = requestTo('read', 'kv/x');
  expect(simulate(text, request, { serverVersion: '1.13' })).toMatchObject({
    decision: 'deny',
    error: expect.stringContaining(
      '"is defined" requires Sentinel 0.21, and Vault 1.13 has 0.20 at most',
    ) as string,
  });
  expect(simulate(text, request, { serverVersion: '1.14.1+ent' })).toMatchObject({ decision: 'allow' });
  expect(() => simulate(text, request, { serverVersion: '1.2' })).toThrow(PolicySourceError);
  expect(() => simulate(text, request, { serverVersion: '1.2' })).toThrow(
    'serverVersion "1.2" is not a known version of Vault\nExpected: 1.11 or later, such as 1.16.',
  );
});

test('a construct is evaluated with the version of its cluster, unless the options have one', () => {
  const cluster = new VaultCluster(stack, 'Versioned', { name: 'us', serverVersion: '1.16' });
  const policy = new EgpPolicy(stack, 'OfVersion', {
    cluster,
    policyName: 'version',
    document: SentinelDocument.fromText('import "runtime"\nmain = rule { runtime.version is "0.24.4" }\n'),
    paths: ['kv/*'],
    enforcementLevel: EnforcementLevel.ADVISORY,
  });
  const request = requestTo('read', 'kv/x');
  expect(simulate(policy, request).decision).toBe('allow');
  expect(simulate(policy, request, { serverVersion: '1.18' }).decision).toBe('deny');
});
