import { parse } from '../../../src/sentinel';
import { show } from '../../../src/sentinel/values/show';
import { Undefined } from '../../../src/sentinel/values/value';
import { run, valueOf } from '../support/policies';

const rulesOf = (text: string): string[] =>
  run(text).rules.map(({ name, value }) => `${name}=${show(value)}`);

describe('a rule', () => {
  test('runs only once, when it is first read', () => {
    const text = 'a = 1\nb = rule { print("read") and a is 1 }\na = 2\nmain = rule { not b and not b }\n';
    const { passed, printed } = run(text);
    expect({ passed, printed }).toEqual({ passed: true, printed: ['read'] });
  });

  test('appears in the trace if it was read and not skipped', () => {
    expect(
      rulesOf('a = rule { 1 }\nb = rule { 2 }\nc = rule when false { 3 }\nmain = rule { a is 1 and c }\n'),
    ).toEqual(['a=1', 'main=true']);
  });

  test('appears once in the trace, with the later value, if its name was assigned and read twice', () => {
    expect(
      rulesOf('a = rule { 1 }\nb = a\nc = rule { 2 }\nd = c\na = rule { 3 }\nmain = rule { a is 3 }\n'),
    ).toEqual(['a=3', 'c=2', 'main=true']);
  });

  test('has an undefined value if its condition is undefined', () => {
    const { passed, main } = run('m = {}\nmain = rule when m.a { true }\n');
    expect(passed).toBe(false);
    expect(show(main ?? null)).toBe('undefined');
  });

  test('causes an error if it refers to itself', () => {
    expect(run('a = rule { b }\nb = rule { a }\nmain = rule { a }\n').error?.message).toBe(
      'test.sentinel:1:5: the rule "a" refers to itself',
    );
  });
});

describe('the value of main', () => {
  test.each([
    ['true', true],
    ['[]', true],
    ['0', true],
    ['""', true],
    ['{}', true],
    ['false', false],
    ['[0]', false],
    ['0.5', false],
    ['undefined', false],
    ['null', false],
    ['func() { return true }', false],
  ])('decides whether the policy passes: %s: %s', (main, expected) => {
    expect(run(`main = ${main}\n`).passed).toBe(expected);
  });

  test('has to exist', () => {
    expect(run('mian = rule { true }\n').error?.message).toBe(
      'test.sentinel:1:1: the policy has no "main"; did you mean "main" instead of "mian"?',
    );
  });

  test('has the place where it became undefined', () => {
    const { main } = run('m = {}\nx = m.key\nmain = rule { x is 1 }\n');
    expect(main instanceof Undefined && main.place).toBe('test.sentinel:2:5');
  });
});

describe('a variable', () => {
  test.each([
    ['a', 'a = 1\nf = func() {\n\ta = 2\n\treturn a\n}\nf()', '2'],
    ['b', 'f = func() {\n\tb = 2\n\treturn b\n}\nf()', 'error: unknown identifier accessed: b'],
    ['x', 'if true {\n\tx = 1\n}', '1'],
    ['v', 'for [1] as v {\n}', 'error: unknown identifier accessed: v'],
    ['f()', 'f = func() { return g() }\ng = func() { return 2 }', '2'],
    ['fs[0]() + fs[1]()', 'fs = []\nfor [1, 2] as i { append(fs, func() { return i }) }', '3'],
    ['l', 'l = [1]\nfor l as x { append(l, x) }', '[1 1]'],
    ['l', 'f = func(x) {\n\tappend(x, 1)\n\treturn x\n}\nl = []\nf(l)', '[1]'],
    ['b', 'a = [1]\nb = a\na += [2]', '[1]'],
    ['m', 'm = {"a": [1]}\nm["a"][0] += 4\nm["b"] = 2', '{"a": [5], "b": 2}'],
    ['strings', 'import "strings"\nstrings = 5', '5'],
  ])('has the scope of its assignment: %s after %j is %s', (expression, setup, expected) => {
    expect(valueOf(expression, setup)).toBe(expected);
  });
});

describe('a text that can never run', () => {
  test.each([
    ['break', '"break" is only allowed in "for"'],
    [
      'for [1] as x {\n\tf = func() {\n\t\tcontinue\n\t\treturn 1\n\t}\n}',
      '"continue" is only allowed in "for"',
    ],
    ['import "time"\nimport "time" as t', 'the import "time" is already imported'],
    ['import "collection/lists"', 'the import "collection/lists" requires a name'],
    ['import "time"\ntime["x"] = 1', '"time" is an import: its members cannot be assigned to'],
    ['func f() {\n\treturn 1\n}\nf = 2', '"f" is a named function and cannot be assigned to'],
    [
      'if true {\n\tfunc f() {\n\t\treturn 1\n\t}\n}',
      'a named function must be declared outside of all blocks',
    ],
    ['import "time"\nparam time', 'the parameter "time" has the name of an import'],
    ['true = 1', '"true" cannot be assigned to'],
    ['return 1', '"return" is only allowed in functions'],
  ])('has a fault: %j: %s', (text, problem) => {
    expect(run(`${text}\nmain = true\n`).error).toMatchObject({ name: 'SentinelCheckError', problem });
  });
});

describe('an import', () => {
  const module = (text: string) => ({ kind: 'module' as const, file: parse(text, 'module.sentinel') });

  test('causes an error with the nearest name if it does not exist', () => {
    expect(run('import "tmie"\nmain = true\n').error?.message).toBe(
      'test.sentinel:1:8: the import "tmie" was not found; did you mean "time"?',
    );
  });

  test('shares the scope of its module with other imports, and returns copies', () => {
    const imports = new Map([
      ['counter', module('n = [0]\nadd = func() {\n\tappend(n, 1)\n\treturn n\n}\n')],
      ['other', module('import "counter"\nlength_of = func() { return length(counter.n) }\n')],
    ]);
    const text =
      'import "counter"\nimport "other"\ncounter.add()\nx = counter.n\nappend(x, 5)\nmain = other.length_of() is 2\n';
    expect(run(text, { imports })).toMatchObject({ passed: true });
  });

  test('causes an error if two modules import each other', () => {
    const imports = new Map([
      ['a', module('import "b"\n')],
      ['b', module('import "a"\n')],
    ]);
    expect(run('import "a"\nmain = true\n', { imports }).error?.message).toMatch(/imports itself/);
  });

  test('causes an error if the host refuses it', () => {
    const refusedImports = new Set(['http']);
    expect(run('import "http"\nmain = true\n', { refusedImports }).error?.problem).toBe(
      'the import "http" is not enabled',
    );
  });

  test('named http sends requests only if the host provides a sender', () => {
    const text = 'import "http"\nmain = http.get("https://example.com").body is "ok"\n';
    expect(run(text).error?.problem).toMatch(/^http: the request to https:\/\/example\.com was refused/);
    expect(run(text, { send: () => ({ status: 200, headers: {}, body: 'ok' }) }).passed).toBe(true);
    expect(run(text, { send: () => ({ status: 404, headers: {}, body: '' }) }).error?.problem).toMatch(
      /status 404/,
    );
  });
});
