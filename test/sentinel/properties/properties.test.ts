import * as fc from 'fast-check';
import { evaluate, format, parse, SentinelError, SentinelSyntaxError, show } from '../../../src/sentinel';
import { scan } from '../../../src/sentinel/scanner/scanner';
import { SourceText } from '../../../src/sentinel/source/source-text';

const NAMES = fc.constantFrom('a', 'b', 'request', 'x1', '_');

/** Generates expressions, as texts. */
const EXPRESSIONS = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'expression' },
    NAMES,
    fc.bigInt({ min: 0n, max: 99n }).map(String),
    fc.constantFrom('1.5', '"text"', '`raw`', 'true', 'null', 'undefined', '[]', '{}', '"\\xff"'),
    fc
      .tuple(
        tie('expression'),
        fc.constantFrom(
          ...[
            '+',
            '-',
            '*',
            '/',
            '%',
            '==',
            'is not',
            '<',
            'in',
            'not contains',
            'matches',
            'and',
            'or',
            'xor',
            'else',
          ],
        ),
        tie('expression'),
      )
      .map(([left, operator, right]) => `${left} ${operator} ${right}`),
    tie('expression').map((inner) => `(${inner})`),
    tie('expression').map((inner) => `not ${inner}`),
    tie('expression').map((inner) => `-${inner}`),
    tie('expression').map((inner) => `(${inner}) is not empty`),
    fc.array(tie('expression'), { maxLength: 3 }).map((elements) => `[${elements.join(', ')}]`),
    fc
      .array(tie('expression'), { maxLength: 2 })
      .map((values) => `{${values.map((v, i) => `"k${i}":\n${v}`).join(', ')},}`.replace('{,}', '{}')),
    fc.tuple(NAMES, tie('expression')).map(([name, index]) => `${name}[${index}]`),
    fc.tuple(NAMES, tie('expression')).map(([name, argument]) => `${name}(\n${argument},\n)`),
    fc.tuple(tie('expression'), tie('expression')).map(([xs, body]) => `any (${xs}) as k, v { ${body} }`),
    tie('expression').map((value) => `func(a) {\nreturn ${value}\n}(1)`),
    tie('expression').map((value) => `rule when a {\n ${value}\n}`),
  ),
})).expression;

const POLICIES = fc
  .array(
    fc.oneof(
      fc.tuple(NAMES, EXPRESSIONS).map(([name, value]) => `${name} = ${value} # why`),
      EXPRESSIONS.map((condition) => `if ${condition} {\nx1 = 1\n} else {\n// nothing\n}`),
      EXPRESSIONS.map((value) => `case ${value} {\nwhen 1, 2:\nb = 2\nelse:\nb = 3\n}`),
      EXPRESSIONS.map((value) => `for (${value}) as k, v {\na = v; b = k\n}`),
    ),
    { maxLength: 4 },
  )
  .map((statements) => `${statements.join('\n\n\n')}\nmain = rule { a }\n`)
  .filter(parses);

/**
 * Whether a text parses. Not every generated text does, because a function literal can be called
 * only at the end of a statement.
 */
function parses(text: string): boolean {
  try {
    parse(text, 'p');
    return true;
  } catch (error) {
    if (error instanceof SentinelSyntaxError) return false;
    throw error;
  }
}

const tokensOf = (text: string): string[] =>
  scan(new SourceText('p', text))
    .tokens.filter(({ kind, text: token }) => kind !== 'semicolon' && token !== ',')
    .map(({ text: token }) => token);

test('the formatter keeps the meaning of a policy, and changes nothing the second time', () => {
  fc.assert(
    fc.property(POLICIES, (text) => {
      const once = format(text, 'p');
      expect(tokensOf(once)).toEqual(tokensOf(text));
      expect(format(once, 'p')).toBe(once);
    }),
    { numRuns: 300 },
  );
});

test('the formatter does not change the result of a policy', () => {
  const decide = (text: string): unknown[] => {
    const { passed, error, main } = evaluate(parse(text, 'p'), { limits: { steps: 10_000 }, now: 0n });
    return [passed, error?.problem, main === undefined ? 'none' : show(main)];
  };
  fc.assert(
    fc.property(POLICIES, (text) => {
      expect(decide(format(text, 'p'))).toEqual(decide(text));
    }),
    { numRuns: 200 },
  );
});

test('the parser only fails with its own errors, for random texts', () => {
  const PIECES = fc.constantFrom(
    ...[
      'rule',
      'when',
      'if',
      'else',
      'func',
      'import',
      'param',
      'any',
      'as',
      'is',
      'not',
      'in',
      'empty',
      'case',
      'for',
    ],
    ...[
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      ',',
      '.',
      ':',
      '=',
      '+=',
      '-',
      '"a"',
      '`',
      '"',
      '/*',
      '#',
      '\n',
      ';',
      'a',
      '0x',
      '08',
      '1.',
      '\u{1f600}',
    ],
  );
  fc.assert(
    fc.property(fc.array(PIECES, { maxLength: 30 }), (pieces) => {
      try {
        parse(pieces.join(' '), 'p');
      } catch (error) {
        expect(error).toBeInstanceOf(SentinelError);
        if (error instanceof SentinelError) error.describe();
      }
    }),
    { numRuns: 2000 },
  );
});

test('the evaluator only fails with its own errors, for random policies', () => {
  fc.assert(
    fc.property(POLICIES, (text) => {
      const { error } = evaluate(parse(text, 'p'), { limits: { steps: 10_000 } });
      if (error) expect(error.describe()).toContain('p:');
    }),
    { numRuns: 300 },
  );
});

test('the error is the first fault of a text', () => {
  const STATEMENTS = Array.from(
    { length: 30 },
    (_, index) => `value_${index} = rule { request.path is "a" and ${index} > 1 }`,
  );
  const FAULTS = ['x = = 1', 'x = [1 2]', 'x = @', 'x := 1', 'r = rule { a = 1 }', 'x = "a', 'else {', '}'];
  fc.assert(
    fc.property(fc.nat(29), fc.constantFrom(...FAULTS), (at, fault) => {
      const text = STATEMENTS.with(at, fault).join('\n');
      expect(() => parse(text, 'p')).toThrow(new RegExp(`^p:${at + 1}:`));
    }),
  );
});
