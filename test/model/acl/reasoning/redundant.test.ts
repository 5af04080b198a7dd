import { Effort, TooComplexError } from '../../../../src/model/acl/effort';
import { parseAclPolicy, type AclPolicy } from '../../../../src/model';
import { AclPolicySet, deadRules, isEqual, redundantRules } from '../../../../src/model/acl/reasoning';
import { Random } from '../../support/random';
import { PATHS } from './paths';
import { randomOptions, randomPolicy, setOf } from './random-sets';

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }\n`;
}

function redundantOf(set: AclPolicySet, effort = new Effort(1_000_000)) {
  const dead = deadRules(set).flatMap((each) => (each.kind === 'never-decides' ? [each.rule] : []));
  return redundantRules(set, dead, ({ origins }) => origins.length === 1, effort);
}

test.each<[string, string, readonly string[]]>([
  ['a name below a folder', rule('a/*', 'read') + rule('a/b', 'read'), ['a/b by a/*']],
  ['other capabilities', rule('a/*', 'read', 'list') + rule('a/b', 'read'), []],
  ['a rule between the two', rule('a/*', 'read') + rule('a/b*', 'list') + rule('a/bc', 'read'), []],
  [
    'a rule between the two that permits the same',
    rule('a/*', 'read') + rule('a/b*', 'read') + rule('a/bc', 'read'),
    ['a/bc by a/b*', 'a/b* by a/*'],
  ],
  [
    'a pattern that never decides beside them',
    rule('a/b', 'read') + rule('a/+', 'read') + rule('a/+/*', 'read') + rule('a/*', 'read'),
    ['a/b by a/+', 'a/+ by a/*'],
  ],
  [
    'rules that cover it together',
    rule('+/b/*', 'read') + rule('+/b/+', 'read') + rule('+/b/+/*', 'read') + rule('+/b/', 'read'),
    ['+/b/ by +/b/+', '+/b/+ by +/b/*'],
  ],
  ['the list of a folder', rule('a/', 'list') + rule('a/*', 'list'), ['a/ by a/*']],
  ['the list of a folder that is named without its slash', rule('a', 'list') + rule('a/*', 'list'), []],
  ['denials', rule('a/*', 'deny') + rule('a/b', 'deny') + rule('c', 'deny'), ['a/b by a/*']],
  ['a denial and a rule without capabilities', rule('a/*') + rule('a/b', 'deny'), []],
  [
    'constraints that permit the same',
    'path "a/*" { capabilities = ["update"] denied_parameters = { p = ["x", "y"] } }\n' +
      'path "a/b" { capabilities = ["update"] denied_parameters = { p = ["y", "x"] } }\n' +
      'path "a/c" { capabilities = ["update"] denied_parameters = { p = ["x"] } }\n',
    ['a/b by a/*'],
  ],
])('redundantRules finds the rules that change no decision: %s', (_what, text, expected) => {
  const found = redundantOf(setOf(text)).map(
    (each) => `${each.rule.path} by ${each.by.map(({ path }) => path).join(', ')}`,
  );
  expect(found).toEqual(expected);
});

/** Returns the policy of a set without some of its rules. */
function without(policy: AclPolicy, paths: ReadonlySet<string>): AclPolicy {
  return { ...policy, rules: policy.rules.filter(({ path }) => !paths.has(path)) };
}

const OPERATIONS = ['read', 'update', 'list', 'delete'] as const;
const DATA = [undefined, { p: 'x' }, { p: 'xy' }, { q: 'zy', p: true }, { P: 'x,y' }];
const REQUESTS = PATHS.flatMap((path) =>
  OPERATIONS.flatMap((operation) =>
    (operation === 'update' ? DATA : [undefined]).flatMap((data) =>
      [undefined, 30, 80].map((wrapTtl) => ({
        operation,
        path: operation === 'list' && !path.endsWith('/') ? `${path}/` : path,
        ...(data && { data }),
        ...(wrapTtl !== undefined && { wrapTtl }),
      })),
    ),
  ),
);

test('random sets without all or some of the found rules decide every request as before', () => {
  const random = new Random(4711);
  let found = 0;
  for (let round = 0; round < 400; round++) {
    const text = randomPolicy(random, round % 2 === 0);
    const set = setOf(text, randomOptions(random));
    const all = redundantOf(set).map((each) => each.rule.path);
    const gone = new Set(round % 3 === 0 ? all : all.filter(() => random.below(2) === 0));
    found += gone.size;
    const policy = without(parseAclPolicy(text), gone);
    const rest = new AclPolicySet([{ name: 'policy', policy }], set.options);
    const different = REQUESTS.filter((request) => {
      const [before, after] = [set, rest].map(({ acl }) => acl.allow(request));
      return before!.allowed !== after!.allowed || before!.sudo !== after!.sudo;
    });
    expect({ text, gone, different }).toEqual({ text, gone, different: [] });
    expect({ text, gone, isEqual: isEqual(set, rest) }).toEqual({ text, gone, isEqual: true });
  }
  expect(found).toBeGreaterThan(20);
});

test('each rule of a random set that grants something changes a decision, unless it is found as redundant', () => {
  const random = new Random(815);
  let kept = 0;
  for (let round = 0; round < 400; round++) {
    const text = randomPolicy(random, false);
    const set = setOf(text);
    if (redundantOf(set).length > 0) continue;
    const dead = new Set(deadRules(set).map((each) => each.rule.path));
    for (const { path, permissions, origins } of set.rules) {
      const grants = permissions.capabilities.size > 0 && !permissions.capabilities.has('deny');
      if (!grants || dead.has(path) || origins.length > 1 || path.startsWith('/')) continue;
      kept++;
      const policy = without(parseAclPolicy(text), new Set([path]));
      const rest = new AclPolicySet([{ name: 'policy', policy }], set.options);
      expect({ text, path, isEqual: isEqual(set, rest) }).toEqual({ text, path, isEqual: false });
    }
  }
  expect(kept).toBeGreaterThan(200);
});

test('rules beside one another take steps in proportion to their number', () => {
  const spent = (count: number) => {
    const rules = Array.from({ length: count }, (_, index) => rule(`a/${index}/*`, 'read'));
    const effort = new Effort(1_000_000);
    redundantOf(setOf(rules.join('')), effort);
    return 1_000_000 - effort.left;
  };
  expect(spent(200)).toBeLessThan(2.2 * spent(100));
  expect(() => redundantOf(setOf(rule('a/*', 'read') + rule('a/b', 'read')), new Effort(4))).toThrow(
    TooComplexError,
  );
});
