import { guardOf, lateParts } from '../../../constructs/private/late-values';
import { patternOf, type LateRule, type Neighbors } from '../../../constructs/private/late-rules';
import { Random } from '../../model/support/random';
import { evaluated } from '../support/console';

/** Parts of random values. Many have a meaning in paths. */
const PIECES = ['a', 'b-1', '/', '//', '*', '+', '.', '..', '{', '}', '{{x}}', '%', ' ', '\n', '', '?', '#'];
const WORDS = ['secret', 'data', 'team-a', 'x'];

function value(random: Random): string {
  return Array.from({ length: random.below(4) }, () => random.pick(PIECES)).join('');
}

/** Returns a template of a path, such as `secret/${var.v0}/+/x-${var.v1}*`. */
function template(random: Random): string {
  let count = 0;
  const piece = () => {
    const kind = random.below(4);
    if (kind === 0) return `\${var.v${count++}}`;
    if (kind === 1) return random.pick(WORDS) + `\${var.v${count++}}`;
    return kind === 2 ? '+' : random.pick(WORDS);
  };
  const segments = Array.from({ length: 1 + random.below(4) }, piece);
  const end = random.pick(['', '', '/*', '*', '/', '+', '/+']);
  return segments.join('/') + end;
}

/** Whether Terraform accepts the values; `undefined` if the constructs refuse the template. */
function accepts(path: string, values: readonly string[]): boolean | undefined {
  const late = lateParts(path).filter(({ isLiteral }) => !isLiteral);
  if (late.some(({ before, after }) => '*+{'.includes(before || 'x') || '*+}'.includes(after || 'x'))) {
    return undefined;
  }
  return late.every((part, index) => new RegExp(guardOf(part, 'path') ?? '').test(values[index]!));
}

/** Returns a request that a rule for a path allows, by the server's matching. */
function request(random: Random, path: string): string {
  const rule = path.replace(/^\//, '');
  const filled = rule.replace(/(?<=^|\/)\+(?=\/|$|\*$)/g, () => random.pick(WORDS));
  return filled.endsWith('*') ? filled.slice(0, -1) + random.pick(['', 'x', 'x/y', '/x']) : filled;
}

/** Returns a regular expression for the requests that a template allows if its values are words. */
function allowedBy(path: string): RegExp {
  const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const isWild = path.endsWith('*');
  const segments = (isWild ? path.slice(0, -1) : path).split('/').map((segment) => {
    if (segment === '+') return '[^/]+';
    if (/^\$\{[^}]*\}$/.test(segment)) return '[^/]+(?:/[^/]+)*';
    return segment
      .split(/\$\{[^}]*\}/)
      .map(quoted)
      .join('[^/]+');
  });
  return new RegExp(`^${segments.join('/')}${isWild ? '[^]*' : ''}$`);
}

test('accepted values allow only those requests in a path that plain words would allow too', () => {
  const random = new Random(33);
  let accepted = 0;
  for (let round = 0; round < 40_000; round += 1) {
    const path = template(random);
    const values = Array.from(path.matchAll(/\$\{/g), () => value(random));
    if (accepts(path, values) !== true) continue;
    accepted += values.length > 0 ? 1 : 0;
    let at = 0;
    const result = path.replace(/\$\{[^}]*\}/g, () => values[at++]!);
    const asked = request(random, result);
    expect({ round, path, values, asked, allowed: allowedBy(path).test(asked) }).toMatchObject({
      allowed: true,
    });
  }
  expect(accepted).toBeGreaterThan(1000);
});

test.each([
  ['${var.v0}*', ['/'], undefined],
  ['secret/${var.v0}+/data', ['x/'], undefined],
  ['secret/+${var.v0}', ['/x'], undefined],
  ['secret/${var.v0}/*', [''], false],
  ['secret/${var.v0}/*', ['/'], false],
  ['secret/${var.v0}/*', ['a/b'], true],
  ['secret/${var.v0}/*', ['a/'], false],
  ['secret/${var.v0}/*', ['..'], false],
  ['secret/team-${var.v0}/*', ['a'], true],
  ['secret/team-${var.v0}/*', ['a/b'], false],
  ['secret/${var.v0}${var.v1}/*', ['a', '/+'], false],
  ['secret/${var.v0}${var.v1}/*', ['a/', 'b'], false],
])('the path %s with the values %j has the expected result', (path, values, expected) => {
  expect(accepts(path, values)).toBe(expected);
});

test('a directive is part of one value', () => {
  expect(lateParts('a/%{ if var.x }${var.y}/b%{ endif }/*')).toEqual([
    { text: 'a/', isLiteral: true, before: '', after: '?' },
    { text: '%{ if var.x }${var.y}/b%{ endif }', isLiteral: false, before: '/', after: '/' },
    { text: '/*', isLiteral: true, before: '?', after: '' },
  ]);
});

test('Terraform accepts the same values as the constructs', () => {
  const random = new Random(7);
  const values = [...new Set(Array.from({ length: 400 }, () => value(random)))];
  const rules: readonly LateRule[] = ['path', 'mount', 'segment', 'label', 'host', 'word'];
  const neighbors: readonly Neighbors[] = [
    { before: '', after: '' },
    { before: '/', after: '/' },
    { before: '-', after: '/' },
  ];
  const patterns = [
    ...new Set(rules.flatMap((rule) => neighbors.flatMap((beside) => patternOf(rule, beside) ?? []))),
  ];
  const data = 'jsondecode(file("in.json"))';
  const found = evaluated<string[]>(
    { 'in.json': JSON.stringify({ patterns, values }) },
    `[for p in ${data}.patterns : join("", [for v in ${data}.values : can(regex(p, v)) ? "1" : "0"])]`,
  );
  expect(found).toEqual(
    patterns.map((pattern) => values.map((each) => (new RegExp(pattern).test(each) ? '1' : '0')).join('')),
  );
});
