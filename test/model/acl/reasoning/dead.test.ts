import { Effort, TooComplexError } from '../../../../src/model/acl/effort';
import { deadRules, type DeadRule } from '../../../../src/model/acl/reasoning';
import { setOf } from './random-sets';

function rule(path: string, ...capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} { capabilities = ${JSON.stringify(capabilities)} }\n`;
}

function shown(dead: DeadRule): string {
  const start = `${dead.kind} ${dead.rule.path}`;
  if (dead.kind === 'never-decides') return `${start} by ${dead.by.map(({ path }) => path).join(', ')}`;
  if (dead.kind === 'denied') return `${start} ${dead.origin.index}`;
  return dead.kind === 'unusable' ? `${start} ${dead.capability}` : start;
}

test.each<[string, string, readonly string[]]>([
  ['rules beside one another', rule('a', 'read') + rule('a/*', 'read') + rule('+/b', 'list'), []],
  ['a path that no request has', rule('', 'read') + rule('/a', 'read'), ['no-request ']],
  [
    'a pattern that a wider one always beats',
    rule('*', 'deny') + rule('b', 'read') + rule('+/+/c/*', 'read') + rule('+/*', 'read'),
    ['never-decides +/+/c/* by *, +/*', 'never-decides +/* by *'],
  ],
  [
    'a pattern that others beat together',
    rule('*', 'deny') + rule('x', 'read') + rule('+/*', 'read') + rule('+/a', 'list'),
    ['never-decides +/* by +/a, *'],
  ],
  ['a name that answers use as an example', rule('+/b', 'read') + rule('example/b', 'read'), []],
  ['a folder that decides on lists alone', rule('a/+', 'list') + rule('a/', 'list'), []],
  [
    'rules with a deny for the same path',
    rule('a', 'read') + rule('b', 'read') + rule('a', 'deny') + rule('a', 'list') + rule('a'),
    ['denied a 0', 'denied a 3'],
  ],
  [
    'capabilities that no request can use',
    'path "a" { capabilities = ["update", "delete", "list"] min_wrapping_ttl = 60 }\npath "a" { capabilities = ["read"] max_wrapping_ttl = 30 }',
    ['unusable a read', 'unusable a update', 'unusable a delete', 'unusable a list'],
  ],
])('deadRules finds the rules without effect: %s', (_what, text, expected) => {
  expect(deadRules(setOf(text)).map(shown)).toEqual(expected);
});

test('rules beside one another take steps in proportion to their number', () => {
  const spent = (count: number) => {
    const rules = Array.from({ length: count }, (_, index) => rule(`a/${index}/*`, 'read'));
    const effort = new Effort(1_000_000);
    deadRules(setOf(rules.join('')), effort);
    return 1_000_000 - effort.left;
  };
  expect(spent(200)).toBeLessThan(2.2 * spent(100));
  expect(() => deadRules(setOf(rule('a/*', 'read')), new Effort(4))).toThrow(TooComplexError);
});
