import {
  AclPolicySet,
  diffPolicySets,
  Effort,
  groupChanges,
  parseAclPolicy,
  patternOf,
  sensitiveChanges,
  shadowedDenies,
  TooComplexError,
} from '../../../../src/model';

const rule = (path: string, ...capabilities: readonly string[]) =>
  `path "${path}" { capabilities = ${JSON.stringify(capabilities)} }\n`;
const setOf = (text: string) => new AclPolicySet([{ name: 'p', policy: parseAclPolicy(text) }]);

function sensitive(before: string, after: string, harmless?: readonly string[]): readonly string[] {
  const [old, now] = [setOf(before), setOf(after)];
  return sensitiveChanges(diffPolicySets(old, now), old, now, harmless?.map(patternOf)).map((each) =>
    'change' in each
      ? `${each.kind} ${each.change.operation} ${each.change.pattern}`
      : `${each.kind} ${each.pattern}: ${each.deny.path} by ${each.by.path}`,
  );
}

describe('the sensitive parts of a change', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['writes of policies', '', rule('sys/policies/acl/a', 'update'), ['policies update sys/policies/acl/a']],
    [
      'writes of policies under the old name',
      '',
      rule('sys/policy/a', 'create'),
      ['policies create sys/policy/a'],
    ],
    [
      'writes of policies in a namespace',
      '',
      rule('ns/sys/policies/acl/a', 'patch'),
      ['policies patch ns/sys/policies/acl/a'],
    ],
    [
      'writes of one policy in a namespace, under the old name',
      '',
      rule('ns/sys/policy/a', 'delete'),
      ['deletions delete ns/sys/policy/a'],
    ],
    [
      'no paths with similar names',
      '',
      rule('kv/sys/policeman/a', 'update') + rule('mysys/policies/a', 'update'),
      [],
    ],
    ['reads of policies', '', rule('sys/policies/acl/a', 'read', 'list'), []],
    [
      'everything',
      '',
      rule('*', 'update'),
      ['policies', 'tokens', 'keys', 'audit', 'sentinel', 'replication', 'seal', 'mounts'].map(
        (kind) => `${kind} update *`,
      ),
    ],
    [
      'one name of policies',
      '',
      rule('sys/policies*', 'update'),
      ['policies update sys/policies*', 'sentinel update sys/policies*'],
    ],
    [
      'everything but policies',
      '',
      rule('sys/*', 'update') + rule('sys/policies/*', 'deny') + rule('sys/policy/*', 'deny'),
      ['keys', 'audit', 'replication', 'seal', 'mounts'].map((kind) => `${kind} update sys/*`),
    ],
    ['sudo', '', rule('kv/a', 'sudo'), ['sudo sudo kv/a']],
    ['writes of the system', '', rule('sys/config/cors', 'delete'), ['system delete sys/config/cors']],
    ['reads of the system', '', rule('sys/mounts/a', 'read'), []],
    ['a snapshot', '', rule('sys/storage/raft/snapshot', 'read'), ['storage read sys/storage/raft/snapshot']],
    ['a snapshot, among others', '', rule('sys/storage/*', 'read'), ['storage read sys/storage/*']],
    ['lists of snapshots', '', rule('sys/storage/*', 'list'), []],
    ['policies by their old path', '', rule('sys/policy/a', 'update'), ['policies update sys/policy/a']],
    ['writes of logins', '', rule('auth/approle/config', 'create'), ['auth create auth/approle/config']],
    ['writes of roles', '', rule('auth/approle/role/a', 'create'), ['tokens create auth/approle/role/a']],
    ['roles of a namespace', '', rule('ns/auth/jwt/role/*', 'update'), ['tokens update ns/auth/jwt/role/*']],
    ['groups of any namespace', '', rule('+/identity/group', 'update'), ['policies update +/identity/group']],
    [
      'a namespace, except its policies',
      '',
      rule('ns/sys/policies/*', 'delete') + rule('ns/sys/policies/acl/*', 'deny'),
      ['sentinel delete ns/sys/policies/*'],
    ],
    ['a mount that may not be a namespace', '', rule('kv/*', 'update'), []],
    ['audit devices', '', rule('sys/audit/a', 'delete'), ['audit delete sys/audit/a']],
    ['all data of a mount', '', rule('team/kv/data/*', 'read'), ['secrets read team/kv/data/*']],
    ['all paths of a mount', '', rule('apps/*', 'read'), ['secrets read apps/*']],
    ['a part of the data of a mount', '', rule('kv/data/app/*', 'read'), []],
    ['engines whose reads show no secrets', '', rule('transit/*', 'read') + rule('pki_int/*', 'read'), []],
    ['reads of logins', '', rule('auth/approle/role/a', 'read'), []],
    ['writes of secrets', '', rule('kv/a', 'create', 'update', 'patch', 'delete'), []],
    ['nothing that is no longer possible', rule('sys/seal', 'update', 'sudo'), '', []],
    ['nothing that was possible before', rule('sys/a', 'update'), rule('sys/a', 'update', 'read'), []],
  ])('include %s', (_what, before, after, expected) => {
    expect(sensitive(before, after)).toEqual(expected);
  });

  test('exclude the patterns that are harmless', () => {
    const text = rule('auth/token/renew-self', 'update') + rule('sys/wrapping/unwrap', 'update');
    expect(sensitive('', text, ['auth/token/*'])).toEqual(['system update sys/wrapping/unwrap']);
    expect(sensitive('', rule('sys/policies/acl/a', 'update'), ['sys/*'])).toEqual([
      'policies update sys/policies/acl/a',
    ]);
  });
});

describe('a deny that another rule overrides', () => {
  const DENY = rule('kv/+', 'deny');

  test.each<[string, string, string, readonly string[]]>([
    ['a new permission', DENY, DENY + rule('kv/a', 'read'), ['shadowed-deny kv/a: kv/+ by kv/a']],
    [
      'a new permission by a pattern',
      DENY,
      DENY + rule('kv/a*', 'read'),
      ['shadowed-deny kv/a<any but "/">: kv/+ by kv/a*'],
    ],
    ['not by a rule that grants nothing', DENY, DENY + rule('kv/a'), []],
    ['not by another deny', DENY, DENY + rule('kv/a', 'deny'), []],
    ['not if it was overridden before', DENY + rule('kv/a', 'read'), DENY + rule('kv/a', 'read', 'list'), []],
    [
      'not if it was overridden before, with another deny',
      rule('a', 'deny') + DENY + rule('kv/a', 'read'),
      rule('a', 'deny') + DENY + rule('kv/a', 'read', 'list'),
      [],
    ],
    ['a new deny', '', DENY + rule('kv/a', 'read'), []],
    ['not for other paths', DENY, DENY + rule('other/a', 'read'), []],
    ['not for a rule that did not deny', rule('kv/+', 'read'), DENY + rule('kv/a', 'read'), []],
  ])('is only reported for a change that overrides it: %s', (_what, before, after, expected) => {
    expect(sensitive(before, after)).toEqual(expected);
  });

  test('exists within a single set', () => {
    const found = (text: string) =>
      shadowedDenies(setOf(text)).map(({ deny, by, pattern }) => `${deny.path} ${by.path} ${pattern}`);
    expect(found(DENY + rule('kv/a', 'read') + rule('kv/b/*', 'read'))).toEqual(['kv/+ kv/a kv/a']);
    expect(found(rule('kv/a', 'deny') + rule('kv/*', 'read'))).toEqual([]);
    expect(found(rule('kv/*', 'deny') + rule('kv/+', 'read') + rule('kv/example', 'deny'))).toEqual([
      'kv/* kv/+ kv/+',
    ]);
    expect(found(rule('*', 'deny') + rule('kv/*', 'read') + rule('kv/a*', 'read'))).toEqual([
      '* kv/a* kv/a*',
      '* kv/* kv/*',
    ]);
  });
});

test('groupChanges joins changes that differ only in their operation', () => {
  const changes = diffPolicySets(
    setOf(rule('b', 'read') + rule('d', 'read')),
    setOf(rule('a', 'read', 'update') + rule('b', 'read', 'delete') + rule('c/*', 'read')),
  );
  expect(
    groupChanges(changes).map((group) => [group[0].pattern, ...group.map(({ operation }) => operation)]),
  ).toEqual([
    ['a', 'read', 'update'],
    ['b', 'delete'],
    ['c/*', 'read'],
    ['d', 'read'],
  ]);
});

test('a comparison stops at the end of its effort', () => {
  const wide = Array.from({ length: 30 }, (_, index) => rule(`kv/${'+/'.repeat(index)}a*`, 'read')).join('');
  expect(() => diffPolicySets(setOf(''), setOf(wide), new Effort(100))).toThrow(TooComplexError);
  expect(() => diffPolicySets(setOf(''), setOf(wide), new Effort(100))).toThrow(
    'the ACL policies are too complex to compare: too many rules or parameter values apply to the same requests',
  );
  const effort = new Effort(10);
  effort.spend(10);
  expect(effort.left).toBe(0);
  expect(() => effort.spend(1)).toThrow(expect.objectContaining({ name: 'TooComplexError' }));
});
