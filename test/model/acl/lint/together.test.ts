import { Acl, lintTogether, parseAclPolicy, type AclPolicy } from '../../../../src/model';
import { Random } from '../../support/random';
import { PATHS } from '../reasoning/paths';
import { listOf, randomPolicy } from '../reasoning/random-sets';

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }\n`;
}

function joint(texts: readonly string[], hasAll = true) {
  const policies = texts.map((text) => parseAclPolicy(text));
  return lintTogether(
    policies.map((policy, index) => ({ policy, placeOf: (own) => `${'abc'[index]}:${own + 1}` })),
    hasAll,
  );
}

function found(texts: readonly string[], hasAll?: boolean): readonly string[] {
  return joint(texts, hasAll).findings.map(
    ({ policy, rule: own, severity, id, problem }) =>
      `${'abc'[policy]}:${own + 1} ${severity} ${id}: ${problem}`,
  );
}

test.each<[string, readonly string[], readonly string[]]>([
  [
    'a path that another policy denies',
    [rule('kv/a', 'read') + rule('kv/b', 'read'), rule('kv/b', 'deny')],
    ['a:2 error denied-beside: another rule for the same path denies everything: b:1'],
  ],
  [
    'a path that the same policy denies',
    [rule('kv/a', 'read') + rule('kv/a', 'deny'), rule('kv/b', 'list')],
    [],
  ],
  [
    'a rule that rules of another policy replace everywhere',
    [rule('+/*', 'read'), rule('*', 'deny')],
    ['a:1 error never-decides: other rules decide on all paths of this rule: "*" (b:1)'],
  ],
  [
    'a denial that a rule of another policy overrules',
    [
      rule('kv/+/admin', 'deny') + rule('sys/*', 'deny'),
      rule('kv/app/*', 'read') + rule('sys/mounts', 'read'),
    ],
    [
      'a:2 note deny-overruled: the rule for "sys/mounts" (b:2) permits sys/mounts, which this one would deny',
      'a:1 warning deny-overruled: the rule for "kv/app/*" (b:1) permits kv/app/admin, which this one would deny',
    ],
  ],
  [
    'a denial that rules of both policies overrule',
    [rule('kv/+/admin', 'deny') + rule('kv/own/*', 'read'), rule('kv/app/*', 'read')],
    [
      'a:1 warning deny-overruled: the rule for "kv/app/*" (b:1) permits kv/app/admin, which this one would deny',
    ],
  ],
  [
    'rules whose permissions other policies also grant',
    [rule('kv/a', 'read'), rule('kv/a', 'read', 'list') + rule('kv/b', 'read'), rule('kv/*', 'read')],
    [
      'a:1 note redundant: without this rule, all requests would be decided in the same way, by "kv/a" (b:1)',
      'b:2 note redundant: without this rule, all requests would be decided in the same way, by "kv/*" (c:1)',
    ],
  ],
  [
    'a rule that is redundant in its own policy alone',
    [rule('kv/*', 'read') + rule('kv/a', 'read'), rule('kv/a*', 'list')],
    [],
  ],
  [
    'constraints that exclude each other',
    [
      'path "a" { capabilities = ["update"] min_wrapping_ttl = 60 }',
      'path "a" { capabilities = ["update"] max_wrapping_ttl = 30 }',
    ],
    [
      'a:1 error unusable-capability: no request can use "update": its parameters or wrapping TTLs cannot be used together',
      'b:1 error unusable-capability: no request can use "update": its parameters or wrapping TTLs cannot be used together',
    ],
  ],
])('policies of one token have exactly the expected findings: %s', (_what, texts, expected) => {
  expect(found(texts)).toEqual(expected);
});

test('no rule is called redundant if policies of the token are missing', () => {
  expect(found([rule('kv/a', 'read'), rule('kv/*', 'read')], false)).toEqual([]);
});

test('policies that are too complex together are not examined completely, and the result says so', () => {
  const patterns = Array.from({ length: 1_000 }, (_, index) =>
    rule(`${index.toString(2).padStart(10, '0').replaceAll('1', '+/').replaceAll('0', 'a/')}*`, 'read'),
  );
  expect(joint([patterns.slice(0, 500).join(''), patterns.slice(500).join('')])).toEqual({
    findings: [],
    isComplete: false,
  });
});

test('random policies without all or some of their redundant rules decide every request as before', () => {
  const random = new Random(99);
  let removed = 0;
  for (let round = 0; round < 200; round++) {
    const texts = [...listOf(random, 3, () => randomPolicy(random, false)), randomPolicy(random, false)];
    const all = joint(texts).findings.filter(({ id }) => id === 'redundant');
    const redundant = round % 3 === 0 ? all : all.filter(() => random.below(2) === 0);
    if (redundant.length === 0) continue;
    removed += redundant.length;
    const policies = texts.map((text) => parseAclPolicy(text));
    const rest = policies.map((policy, index): AclPolicy => ({
      ...policy,
      rules: policy.rules.filter(
        (_, own) => !redundant.some((each) => each.policy === index && each.rule === own),
      ),
    }));
    const [before, after] = [new Acl(policies), new Acl(rest)];
    const requests = PATHS.flatMap((path) => [
      ...(['read', 'update', 'delete'] as const).map((operation) => ({ operation, path })),
      { operation: 'list' as const, path: path.endsWith('/') ? path : `${path}/` },
    ]);
    const different = requests.filter(
      (request) => JSON.stringify(before.allow(request)) !== JSON.stringify(after.allow(request)),
    );
    expect({ texts, redundant, different }).toEqual({ texts, redundant, different: [] });
  }
  expect(removed).toBeGreaterThan(10);
});
