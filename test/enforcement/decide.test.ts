import { decide } from '../../src/enforcement';
import { egp, NOW, READ, rgp, TEAM, TOKEN } from './support';

const ALLOW = 'main = rule { true }';
const DENY = 'main = rule { false }';

const names = (verdicts: ReturnType<typeof decide>['verdicts']) => verdicts.map(({ policy }) => policy.name);

test('a request that no policy applies to is allowed', () => {
  expect(decide([], READ, { now: NOW })).toEqual({
    allowed: true,
    verdicts: [],
    denials: [],
    overridden: [],
    advisories: [],
  });
});

test.each([
  ['advisory', false, { allowed: true, advisories: ['guard'] }],
  ['advisory', true, { allowed: true, advisories: ['guard'] }],
  ['soft-mandatory', false, { allowed: false, denials: ['guard'] }],
  ['soft-mandatory', true, { allowed: true, overridden: ['guard'] }],
  ['hard-mandatory', false, { allowed: false, denials: ['guard'] }],
  ['hard-mandatory', true, { allowed: false, denials: ['guard'] }],
] as const)('a failure at the level %s, with an override: %s', (level, policyOverride, expected) => {
  const decision = decide([egp(DENY, { level })], { ...READ, policyOverride }, { now: NOW });
  expect({
    allowed: decision.allowed,
    denials: names(decision.denials),
    overridden: names(decision.overridden),
    advisories: names(decision.advisories),
  }).toEqual({ denials: [], overridden: [], advisories: [], ...expected });
  expect(decide([egp(ALLOW, { level })], { ...READ, policyOverride }, { now: NOW })).toMatchObject({
    allowed: true,
    denials: [],
    overridden: [],
    advisories: [],
  });
});

test('all RGPs are evaluated, then all EGPs of the path, but no EGP if an RGP denies', () => {
  const egps = [egp(DENY, { name: 'e1', level: 'advisory' }), egp(DENY, { name: 'e2', paths: ['secret/*'] })];
  const allowing = decide([...egps, rgp(ALLOW, { name: 'r1' })], READ, { now: NOW });
  expect(names(allowing.verdicts)).toEqual(['r1', 'e1', 'e2']);
  expect(names(allowing.denials)).toEqual(['e2']);
  const denying = decide([...egps, rgp(DENY, { name: 'r1' }), rgp(DENY, { name: 'r2' })], READ, { now: NOW });
  expect(names(denying.verdicts)).toEqual(['r1', 'r2']);
  expect(names(denying.denials)).toEqual(['r1', 'r2']);
});

test.each([
  ['secret/data/app', true],
  ['/secret/data/app', true],
  ['secret/data/app/', false],
  ['secret/data/ap', false],
  ['secret/data/ap*', true],
  ['secret/*', true],
  ['*', true],
  ['/*', true],
  ['auth/*', false],
  ['team/secret/data/app', false],
])('an EGP on %s applies to a request in its namespace: %s', (path, governs) => {
  expect(decide([egp(DENY, { paths: ['other', path] })], READ, { now: NOW }).allowed).toBe(!governs);
});

test.each([
  ['', '*', true],
  ['', 'secret/*', true],
  ['', 'team/secret/*', true],
  ['', 'other/secret/*', false],
  ['team/', 'secret/*', true],
  ['team/', 'team/secret/*', false],
  ['team/sub/', '*', false],
  ['other/', '*', false],
])('an EGP in the namespace "%s" on %s applies to a request in team/: %s', (namespace, path, governs) => {
  const decision = decide(
    [egp(DENY, { namespace, paths: [path] })],
    { ...READ, namespace: TEAM },
    { now: NOW },
  );
  expect(decision.allowed).toBe(!governs);
});

describe('a policy that cannot be evaluated', () => {
  test.each([
    ['does not parse', 'main = rule {', /^root\/guard:1:14: /],
    ['has no main', 'x = 1', 'root/guard:1:1: the policy has no "main"; add: main = rule { … }'],
    [
      'reads what the request does not have',
      'main = rule { identity.entity.name is "ann" }',
      /^root\/guard:1:15: unknown identifier accessed: identity/,
    ],
    [
      'imports http',
      'import "http"\nmain = rule { true }',
      'root/guard:1:8: the import "http" is not enabled',
    ],
    [
      'never ends',
      'f = func() { for range(1000000) as _ { for range(1000000) as _ { x = 1 } }\n return true }\nmain = rule { f() }',
      /stopped/,
    ],
    ['needs a parameter', 'param p\nmain = rule { p }', 'root/guard:1:7: requires value for parameter p'],
  ])('denies the request if it %s', (_, text, message) => {
    const { allowed, denials } = decide([egp(text)], READ, { now: NOW });
    expect(allowed).toBe(false);
    const [denial] = denials;
    expect(denial?.error?.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  test('allows the request at the level advisory, and is reported', () => {
    expect(decide([egp('main = rule {', { level: 'advisory' })], READ, { now: NOW })).toMatchObject({
      allowed: true,
      advisories: [{ passed: false }],
    });
  });

  test('denies the request if its main is undefined', () => {
    expect(decide([egp('main = rule { request.data.ttl > 1 }')], READ, { now: NOW }).allowed).toBe(false);
  });
});

test('a decision uses the time of the caller', () => {
  const open = egp('import "time"\nmain = rule { time.now.hour is 9 and time.now.minute is 30 }');
  expect(decide([open], READ, { now: NOW }).allowed).toBe(true);
  expect(decide([open], READ, { now: NOW + 3_600_000_000_000n }).allowed).toBe(false);
});

test('one policy cannot change the values of the next one', () => {
  const first = egp('request.data["a"] = 2\nmain = rule { request.data.a is 2 }', { name: 'a' });
  const second = egp('main = rule { request.data.a is 1 }', { name: 'b' });
  const data = { a: 1 };
  expect(decide([first, second], { ...READ, data }, { now: NOW })).toMatchObject({ allowed: true });
  expect(data).toEqual({ a: 1 });
});

test('a policy sees the namespace of a token from another namespace', () => {
  const policy = egp(
    'main = rule { namespace.path is "team/" and namespace.id is "a1b2c" and token.namespace.path is "" }',
  );
  expect(decide([policy], { ...READ, namespace: TEAM, token: TOKEN }, { now: NOW }).allowed).toBe(true);
});
