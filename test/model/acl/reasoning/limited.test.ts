import {
  type AclPolicySet,
  ceilingOf,
  diffPolicySets,
  explainRequest,
  findPermitted,
  LimitedPolicySet,
  permittedBy,
  TooComplexError,
  type AclRequest,
} from '../../../../src/model';
import { Random } from '../../support/random';
import { PATHS } from './paths';
import { randomOptions, randomPolicy, setOf } from './random-sets';

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }\n`;
}

const limited = (own: string, ...limits: readonly string[]) =>
  new LimitedPolicySet(
    setOf(own),
    limits.map((each) => ceilingOf(setOf(each))),
  );

const shown = (set: AclPolicySet) =>
  permittedBy(set).map(({ operation, pattern, except }) => [operation, pattern, ...except].join(' '));

describe('policies with limits', () => {
  test('permit only requests that the policies and all limits permit', () => {
    const set = limited(
      rule('kv/*', 'read', 'list'),
      rule('+/a/*', 'read', 'update') + rule('kv/a/key', 'deny'),
    );
    expect(shown(set)).toEqual(['read kv/a/* kv/a/key']);
    expect(shown(limited(rule('a', 'read')))).toEqual(['read a']);
    expect(shown(limited(rule('a', 'read'), ''))).toEqual([]);
  });

  test('have the names of all policies, and an explanation has the deciding rule of each', () => {
    const set = limited(rule('kv/*', 'read', 'list'), rule('kv/a', 'read'));
    expect(set.names).toEqual(['policy', 'policy']);
    expect(explainRequest(set, { operation: 'read', path: 'kv/a' })).toMatchObject({
      allowed: true,
      rule: { path: 'kv/*' },
      limits: [{ name: 'ceiling', explanation: { allowed: true, rule: { path: 'kv/a' } } }],
    });
    expect(explainRequest(set, { operation: 'update', path: 'kv/a' })).toMatchObject({
      allowed: false,
      refusal: { kind: 'capability', missing: 'update' },
    });
    expect(explainRequest(set, { operation: 'list', path: 'kv/a' })).toMatchObject({
      allowed: false,
      rule: { path: 'kv/*' },
      refusal: { kind: 'limit', limit: 'ceiling', refusal: { kind: 'capability', missing: 'list' } },
    });
    expect(findPermitted(set, 'read', 'kv/b')).toBeUndefined();
  });

  test.each([
    ['a ceiling', rule('a', 'read'), rule('a', 'read'), rule('b', 'read'), ['denied read a']],
    ['nothing', rule('a', 'read'), rule('*', 'read'), rule('+', 'read'), []],
  ])('differ by a change of %s', (_what, own, before, after, expected) => {
    const changes = diffPolicySets(limited(own, before), limited(own, after));
    expect(changes.map(({ becomes, operation, pattern }) => `${becomes} ${operation} ${pattern}`)).toEqual(
      expected,
    );
  });

  test('decide as the policies and the limits do, for random policies and requests', () => {
    const random = new Random(90);
    for (let round = 0; round < 30; round++) {
      const options = randomOptions(random);
      const parts = [0, 1, 2, 3].map(() => setOf(randomPolicy(random, false), options));
      const [before, after] = [parts.slice(0, 2), parts.slice(2)].map(
        ([own, limit]) => new LimitedPolicySet(own!, [ceilingOf(limit!)]),
      );
      const changes = diffPolicySets(before!, after!);
      for (const path of PATHS) {
        const request: AclRequest = { operation: 'update', path };
        const decided = parts.map(({ acl }) => acl.allow(request).allowed);
        const [old, now] = [decided[0]! && decided[1]!, decided[2]! && decided[3]!];
        expect(before!.acl.allow(request).allowed).toBe(old);
        expect(explainRequest(after!, request).allowed).toBe(now);
        if (old === now) continue;
        const becomes = now ? 'allowed' : 'denied';
        expect(changes.some((change) => change.operation === 'update' && change.becomes === becomes)).toBe(
          true,
        );
      }
    }
  });
});

describe('limits of parameters', () => {
  const allows = (own: string, limit: string, data: Readonly<Record<string, unknown>>, wrapTtl?: number) => {
    const block = (body: string) => `path "a" {\n  capabilities = ["update"]\n  ${body}\n}`;
    const set = limited(block(own), block(limit));
    const found = explainRequest(set, { operation: 'update', path: 'a', data, ...(wrapTtl && { wrapTtl }) });
    // If both permit a request, permittedBy must not be empty.
    expect(permittedBy(set).length > 0 || !found.allowed).toBe(true);
    return found.allowed;
  };

  test.each([
    [
      'values in both',
      'allowed_parameters = { p = ["x", "y"] }',
      'allowed_parameters = { p = ["y", "z"] }',
      'y',
      true,
    ],
    [
      'a value in one',
      'allowed_parameters = { p = ["x", "y"] }',
      'allowed_parameters = { p = ["y", "z"] }',
      'x',
      false,
    ],
    [
      'a parameter that one names',
      'allowed_parameters = { p = ["x"] }',
      'allowed_parameters = { "*" = [] }',
      'x',
      true,
    ],
    [
      'no common value',
      'allowed_parameters = { p = ["x"] }',
      'allowed_parameters = { p = ["y"] }',
      'x',
      false,
    ],
    ['no common parameter', 'allowed_parameters = { p = [] }', 'allowed_parameters = { q = [] }', 'x', false],
    [
      'a value that one denies',
      'denied_parameters = { p = ["x"] }',
      'denied_parameters = { p = ["y"] }',
      'y',
      false,
    ],
    ['a parameter that one requires', 'required_parameters = ["q"]', '', 'x', false],
  ])('apply together with those of the policy: %s', (_what, own, limit, value, expected) => {
    expect(allows(own, limit, { p: value })).toBe(expected);
    expect(allows(limit, own, { p: value })).toBe(expected);
  });

  test('are the narrowest wrapping TTLs', () => {
    const [own, limit] = ['min_wrapping_ttl = 10\nmax_wrapping_ttl = 100', 'min_wrapping_ttl = 20'];
    expect([5, 15, 30, 200].map((ttl) => allows(own, limit, {}, ttl))).toEqual([false, false, true, false]);
  });

  test('are not compared if both are patterns for one parameter', () => {
    const block = (value: string) =>
      `path "a" { capabilities = ["update"] allowed_parameters = { p = ["${value}"] } }`;
    const set = limited(block('x*'), block('*y'));
    expect(() => permittedBy(set)).toThrow(TooComplexError);
    expect(() => permittedBy(set)).toThrow('both restrict the parameter "p" by patterns');
    expect(set.acl.allow({ operation: 'update', path: 'a', data: { p: 'xy' } }).allowed).toBe(true);
  });
});
