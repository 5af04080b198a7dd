import { computingTime } from '../../support/computing-time';
import { policyChange, type PolicyChange } from '../../../src/model';

function changeOf(before: string | undefined, after: string): PolicyChange | undefined {
  const change = policyChange(before, after);
  if (change === 'too complex') throw new Error('the policies are small');
  return change;
}

/** Returns the sensitive parts of a change as `kind: operation pattern`. */
const sensitiveIn = (change: PolicyChange | undefined) =>
  change?.sensitive.map((each) =>
    'change' in each
      ? `${each.kind}: ${each.change.operation} ${each.change.pattern}`
      : `${each.kind}: ${each.deny.path} by ${each.by.path} on ${each.pattern}`,
  );

const rule = (path: string, ...capabilities: readonly string[]) =>
  `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }\n`;

describe('the summary of a changed policy', () => {
  test.each<[string, string | undefined, string, readonly string[], readonly string[]]>([
    ['a new policy', undefined, rule('kv/*', 'read', 'list'), ['read, list on kv/*'], []],
    ['a comment', rule('kv/*', 'read'), `# why\n${rule('kv/*', 'read')}`, [], []],
    [
      'more on one path, less on another',
      rule('kv/*', 'read', 'update') + rule('a', 'read'),
      rule('kv/*', 'read', 'delete'),
      ['delete on kv/*'],
      ['read on a', 'update on kv/*'],
    ],
    [
      'all paths except some',
      rule('kv/*', 'read'),
      rule('kv/*', 'read', 'update') + ['a', 'b', 'c', 'd', 'e'].map((n) => rule(`kv/${n}`, 'read')).join(''),
      ['update on kv/* except kv/a, kv/b, kv/c and 2 more'],
      [],
    ],
    [
      'some parameters',
      'path "kv/a" { capabilities = ["update"]\n allowed_parameters = { a = [] } }',
      rule('kv/a', 'update'),
      ['update on kv/a, for some parameters or wrapping TTLs'],
      [],
    ],
    [
      'base64',
      rule('kv/a', 'read'),
      Buffer.from(rule('kv/b', 'read')).toString('base64'),
      ['read on kv/b'],
      ['read on kv/a'],
    ],
    ['untidy paths, which are left out', rule('kv/a', 'list'), rule('kv/a/', 'list'), [], []],
  ])(
    'the summary lists the requests that become allowed and denied: %s',
    (_what, before, after, allowed, denied) => {
      expect(changeOf(before, after)).toMatchObject({ allowed, denied });
    },
  );

  test('the summary is short even for a large policy', () => {
    const many = Array.from({ length: 300 }, (_, index) => rule(`kv/${index}`, 'read')).join('');
    const change = changeOf(undefined, many + rule(`kv/${'x'.repeat(1000)}`, 'read'));
    expect(change?.allowed).toHaveLength(10);
    expect(change?.allowed.at(-1)).toBe('and 292 more: see "npx cdktf-vault-admin policy diff"');
    const long = changeOf(undefined, rule('x'.repeat(1000), 'read'));
    expect(long?.allowed).toEqual([`read on ${'x'.repeat(200)}…`]);
  });

  test('no summary exists if a text cannot be parsed', () => {
    expect(changeOf('path "a" {', rule('a', 'read'))).toBeUndefined();
    expect(changeOf(rule('a', 'read'), 'path "a" {')).toBeUndefined();
  });
});

describe('the sensitive parts of a changed policy', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['sudo', rule('kv/*', 'read'), rule('kv/*', 'read', 'sudo'), ['sudo: sudo kv/*']],
    ['policies', '', rule('sys/policies/acl/ops', 'update'), ['policies: update sys/policies/acl/ops']],
    [
      'policies by a pattern',
      '',
      rule('sys/pol*', 'update'),
      ['policies: update sys/pol*', 'sentinel: update sys/pol*'],
    ],
    [
      'policies of a child namespace',
      '',
      rule('team/sys/policy/a', 'update'),
      ['policies: update team/sys/policy/a'],
    ],
    ['writes below sys/', '', rule('sys/config/cors', 'update'), ['system: update sys/config/cors']],
    [
      'a snapshot',
      '',
      rule('sys/storage/raft/snapshot', 'read'),
      ['storage: read sys/storage/raft/snapshot'],
    ],
    [
      'roles of auth methods',
      '',
      rule('auth/approle/role/a', 'create'),
      ['tokens: create auth/approle/role/a'],
    ],
    [
      'a deny that another rule overrides',
      rule('kv/+/a', 'deny'),
      rule('kv/+/a', 'deny') + rule('kv/b*', 'read'),
      ['shadowed-deny: kv/+/a by kv/b* on kv/b<any but "/">/a'],
    ],
  ])('the sensitive parts include %s', (_what, before, after, expected) => {
    expect(sensitiveIn(changeOf(before, after))).toEqual(expected);
  });

  test.each<[string, string, string]>([
    ['reading policies', '', rule('sys/policies/acl/*', 'read', 'list')],
    [
      'a deny that was shadowed before',
      rule('kv/+/a', 'deny') + rule('kv/b*', 'read'),
      rule('kv/+/a', 'deny') + rule('kv/b*', 'read', 'list'),
    ],
    ['a deny within another one', rule('kv/+/a', 'deny'), rule('kv/+/a', 'deny') + rule('kv/b*', 'deny')],
    ['a deny that was removed', rule('kv/+/a', 'deny'), rule('kv/b*', 'read')],
    ['a new deny', rule('sys/*', 'update', 'sudo'), rule('sys/*', 'update')],
    [
      'requests that every token may make',
      '',
      rule('auth/token/renew-self', 'update') + rule('sys/tools/hash/*', 'update'),
    ],
    ['logins', '', rule('auth/userpass/login/*', 'update')],
    ['metrics', '', rule('sys/metrics', 'read')],
    ['secrets', '', rule('secret/data/app/*', 'create', 'read', 'update', 'patch', 'delete')],
    ['a mount with a similar name', '', rule('system/policies/a', 'update')],
  ])('the sensitive parts exclude %s', (_what, before, after) => {
    expect(sensitiveIn(changeOf(before, after))).toEqual([]);
  });
});

const withPluses = (index: number) =>
  index.toString(2).padStart(9, '0').replaceAll('1', '+/').replaceAll('0', 'a/');

test.each<[string, number, (index: number, version: string) => string]>([
  ['prefixes of one another', 600, (index) => `secret/${'a'.repeat(index)}*`],
  ['plus signs at all places', 512, (index, version) => `${withPluses(index)}${version}*`],
])('policies with too many rules for the same paths are not compared: %s', async (_, count, path) => {
  const all = (capability: string) =>
    Array.from({ length: count }, (_each, index) =>
      rule(path(index, capability), index % 2 === 0 ? capability : 'list'),
    ).join('');
  const [before, after] = [all('read'), all('update')];
  const took = await computingTime(() => expect(policyChange(before, after)).toBe('too complex'));
  expect(took).toBeLessThan(20_000);
});

test('policies with prefixes of one another are compared if they permit the same', () => {
  const all = (capability: string) =>
    Array.from({ length: 120 }, (_, index) => rule(`secret/${'a'.repeat(index)}*`, capability)).join('');
  expect(changeOf(all('read'), all('update'))).toMatchObject({
    allowed: ['update on secret/*'],
    denied: ['read on secret/*'],
  });
});

test('policies with plus signs at all places are compared if the patterns stay', () => {
  const all = (capability: string) =>
    Array.from({ length: 60 }, (_, index) => rule(`${withPluses(index)}*`, capability)).join('');
  expect(changeOf(all('read'), all('update'))?.allowed).toEqual([
    'update on a/a/a/+/+/+/a/+/+/*',
    'update on a/a/a/+/+/a/+/+/+/*',
    'update on a/a/a/+/a/+/+/+/+/*',
    'update on a/a/a/a/+/+/+/+/+/*',
  ]);
});

test('policies with hundreds of unrelated rules are compared', () => {
  const all = (capability: string) =>
    Array.from({ length: 300 }, (_, index) => rule(`secret/data/team-${index}/*`, capability)).join('');
  expect(changeOf(all('read'), all('update'))?.allowed).toHaveLength(10);
});

test('policies with thousands of different paths are compared, even if all of them change', () => {
  const all = (...capabilities: readonly string[]) =>
    Array.from({ length: 2000 }, (_, index) =>
      rule(`secret/data/team-${index % 97}/app-${index}/*`, ...capabilities),
    ).join('');
  const change = changeOf(all('read', 'update'), all('read', 'list'));
  expect(change?.denied).toHaveLength(10);
  expect(change?.allowed.at(-1)).toBe('and 1991 more: see "npx cdktf-vault-admin policy diff"');
});
