import { AclPolicyError, parseAclPolicy } from '../../../src/model';
import { HclError, parseHcl } from '../../../src/model/hcl';
import { Random } from '../support/random';

const PIECES = [
  'path "secret/*" {',
  '  capabilities = ["read", "list"]',
  '  allowed_parameters = { "a" = [1, true, ["x"]] }',
  '<<EOF\n',
  '<<-EOF\n',
  'EOF\n',
  '{"path":{"a":{"capabilities":["read"]}}}',
  ...'{}[]()=:,."\'\\$#/*+-<>\n\r\t 0x9eE',
  '${',
  '\0',
  '\ufeff',
  '\ud800',
  '\ue123',
  '😀',
];

describe('the parser, for any text,', () => {
  test('returns a document or an error with a position or a reason', () => {
    const random = new Random(20_260_101);
    for (let round = 0; round < 4_000; round++) {
      const text = Array.from({ length: random.below(14) }, () => random.pick(PIECES)).join('');
      expect(outcome(text)).toMatch(/^(read|refused: .)/);
    }
  });

  test.each([
    ['lists', `a = ${'['.repeat(100_000)}`],
    ['blocks', 'a {'.repeat(100_000)],
    ['JSON objects', '{"a":'.repeat(100_000)],
  ])('refuses too deep nesting, without a crash: %s', (_what, text) => {
    expect(() => parseHcl(text)).toThrow(/nested more than 500 levels deep$/);
  });

  const value = (inner: (level: number) => string, levels: number): string =>
    levels === 0 ? 'a = 1' : inner(levels).replace('…', () => value(inner, levels - 1));
  const withValue = (text: string) =>
    `path "a" {\n capabilities = ["update"]\n allowed_parameters = { p = [{\n${text}\n}] }\n}`;

  test.each<[string, string]>([
    ['labels under a key in other case', '"a" "x" {\n…\n}\n"A" "x" { }'],
    ['a key without labels before one with labels', 'a = {\n…\n}\na "x" { }'],
    ['a key with labels before one in other case without them', 'a "x" { }\nA = {\n…\n}'],
  ])('refuses nested values that would be decoded twice at each level: %s', (_what, level) => {
    const text = withValue(value(() => level, 60));
    expect(() => parseAclPolicy(text)).toThrow(
      /^path "a": At \d+:\d+: root\.allowed_parameters\.p\[0\]: key "[aA]" is also written in another way$/,
    );
  });

  test('reads keys in other case without labels, and labels under one key', () => {
    const [rule] = parseAclPolicy(withValue('a = 1\nA = 2\nb "x" { c = 1 }\nb "y" { c = 2 }')).rules;
    expect(rule?.allowedParameters).toEqual({
      p: [{ a: 1, A: 2, b: [{ x: [{ c: 1 }] }, { y: [{ c: 2 }] }] }],
    });
  });

  test('reports the first duplicate argument', () => {
    expect(parseHcl('a = 1\nb { c = 1\n  c = 2 }\na = 2').duplicate).toEqual(
      new HclError('The argument "c" at 3:3 was already set. Each argument can only be defined once', {
        line: 3,
        column: 3,
      }),
    );
    expect(parseHcl('a {}\na {}').duplicate).toBeUndefined();
    expect(parseHcl('{"a": 1, "a": 2}').duplicate).toBeUndefined();
  });

  test('refuses texts with which the reference parser crashes', () => {
    expect(() => parseAclPolicy('path "\\777" {}')).toThrow(
      new AclPolicyError('At 1:6: invalid escape in the string "\\777"'),
    );
    expect(() => parseAclPolicy('path "x" { min_wrapping_ttl = 08 }')).toThrow(
      new AclPolicyError('path "x": strconv.ParseInt: parsing "08": invalid syntax'),
    );
  });
});

function outcome(text: string): string {
  try {
    parseAclPolicy(text);
    return 'read';
  } catch (error) {
    if (error instanceof AclPolicyError) return `refused: ${error.message}`;
    throw new Error(`crashed on ${JSON.stringify(text)}`, { cause: error });
  }
}
