import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  findPolicies,
  isTextFault,
  policiesOf,
  readPolicyConfiguration,
  runTests,
} from '../../../src/sentinel/testing';
import { temporaryFolder } from '../../support/temporary-folder';

let folder = '';
beforeEach(() => {
  folder = temporaryFolder('sentinel-tests');
});

/** Runs the tests of a policy `p`. Returns for each file whether it passed, or its error. */
function verdicts(
  policy: string,
  files: Readonly<Record<string, string>>,
): Readonly<Record<string, boolean | string>> {
  write('p.sentinel', policy);
  for (const [name, text] of Object.entries(files)) write(`test/p/${name}`, text);
  const result = runTests(findPolicies([folder])).find(({ path }) => path.endsWith('/p.sentinel'));
  return Object.fromEntries(
    (result?.cases ?? []).map(({ path, passed, error }) => [
      path.slice(join(folder, 'test/p/').length),
      error ? error.problem : passed,
    ]),
  );
}

function write(name: string, text: string): void {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test('findPolicies finds the policies in folders, except those of tests', () => {
  for (const name of [
    'b.sentinel',
    'a.sentinel',
    'inner/c.sentinel',
    'test/a/mock.sentinel',
    '.hidden/d.sentinel',
  ]) {
    write(name, 'main = true\n');
  }
  for (const name of ['test/a/2.hcl', 'test/a/1.json', 'test/a/mocks/x.hcl', 'inner/test/c/1.hcl'])
    write(name, '{}');
  const found = findPolicies([folder]).map(({ path, cases }) =>
    [path, ...cases].map((each) => each.slice(folder.length)),
  );
  expect(found).toEqual([
    ['/a.sentinel', '/test/a/1.json', '/test/a/2.hcl'],
    ['/b.sentinel'],
    ['/inner/c.sentinel', '/inner/test/c/1.hcl'],
  ]);
});

test('a test passes if the evaluated rules or the result are as expected', () => {
  const policy =
    'param x default 1\nnever = rule { false }\nskipped = rule when false { false }\nmain = rule { x is 1 and skipped }\n';
  expect(
    verdicts(policy, {
      'alone.hcl': '',
      'asserted.hcl': 'test {\n  rules = { main = true }\n}\n',
      'empty.hcl': 'test {}\n',
      'fails.hcl': 'param "x" { value = 2 }\n',
      'fails-as-expected.hcl': 'param "x" {\n  value = 2\n}\ntest {\n  rules = {\n    main = false\n  }\n}\n',
      'not-read.hcl': 'test {\n  rules = { never = false }\n}\n',
      'skipped.hcl': 'test {\n  rules = { skipped = true }\n}\n',
      'turned.hcl': 'test {\n  rules = { main = false }\n}\n',
      'twice.hcl': 'test {\n  rules = { main = true }\n}\ntest {\n  rules = { main = true }\n}\n',
      'twice-turned.hcl': 'test {\n  rules = { main = false }\n}\ntest {\n  rules = { main = true }\n}\n',
    }),
  ).toEqual({
    'alone.hcl': true,
    'asserted.hcl': true,
    'empty.hcl': true,
    'fails.hcl': false,
    'fails-as-expected.hcl': true,
    'not-read.hcl': false,
    'skipped.hcl': false,
    'turned.hcl': false,
    'twice.hcl': true,
    'twice-turned.hcl': false,
  });
});

test('an undefined main is not false', () => {
  const files = {
    'a.hcl': 'test {\n  rules = { main = false }\n}\n',
    'b.hcl': 'test {\n  rules = { main = true }\n}\n',
  };
  expect(verdicts('m = {}\nmain = rule { m.x }\n', files)).toEqual({ 'a.hcl': false, 'b.hcl': false });
});

test('mocks, modules, static data, globals and parameters are read from HCL', () => {
  const policy = [
    'import "time"',
    'import "helper"',
    'import "people"',
    'import "people/boss" as boss',
    'param level',
    'main = rule { time.now.hour is 9 and helper.twice(level) is 4 and names[1] is "b" and',
    '\tlength(people.all) is 2 and boss.name is "x" and ratio is 0.5 }',
  ].join('\n');
  write('modules/helper.sentinel', 'twice = func(x) { return x * 2 }\n');
  write('data/people.json', '{"all": [1, null], "boss": {"name": "x"}}');
  expect(
    verdicts(policy, {
      'all.hcl': `
# comment
mock "time" {
  data = {
    now = { hour = 9, "minute" : 42 }
  }
}
import "module" "helper" {
  source = "../../modules/helper.sentinel"
}
import "static" "people" {
  source = "../../data/people.json"
  format = "json"
}
global "names" { value = ["a", "b",] }
global "ratio" { value = 5e-1 }
param "level" { value = 2 /* an int */ }
`,
    }),
  ).toEqual({ 'all.hcl': true });
});

test('a JSON file is read in the form of HCL, and in the older format', () => {
  const policy =
    'import "time"\nimport "helper"\nparam p default 0\nmain = rule { time.now.hour is 9 and helper.x is 1 and g is 2 and p is 3 }\n';
  write('test/p/mock.sentinel', 'x = 1\n');
  expect(
    verdicts(policy, {
      'new.json': JSON.stringify({
        mock: { time: { data: { now: { hour: 9 } } }, helper: { module: { source: 'mock.sentinel' } } },
        global: { g: { value: 2 } },
        param: { p: { value: 3 } },
        test: { rules: { main: true } },
      }),
      'old.json': JSON.stringify({
        mock: { time: { now: { hour: 9 } }, helper: 'mock.sentinel' },
        global: { g: 2 },
        param: { p: 3 },
        test: { main: true },
      }),
      'old-fails.json': JSON.stringify({
        mock: { time: { now: { hour: 8 } } },
        modules: { helper: { path: 'mock.sentinel' } },
        global: { g: 2 },
        test: { main: false },
      }),
    }),
  ).toEqual({ 'new.json': true, 'old.json': true, 'old-fails.json': true });
});

test('a fault in a test file is an error with its position', () => {
  expect(
    verdicts('import "m"\nmain = rule { true }\n', {
      'absent.hcl': 'mock "m" {\n  module {\n    source = "no.sentinel"\n  }\n}\n',
      'block.hcl': 'globla "x" {\n  value = 1\n}\n',
      'broken.hcl': 'mock "m" {\n',
      'broken.json': '{"mock": ',
      'missing.hcl': '',
      'module.hcl': 'mock "m" {\n  module {\n    source = "bad.txt"\n  }\n}\n',
      'twice.hcl': 'global "x" {\n  value = 1\n}\nglobal "x" {\n  value = 2\n}\n',
      'word.hcl': 'global "x" {\n  value = yes\n}\n',
    }),
  ).toEqual({
    'absent.hcl': `${join(folder, 'test/p/no.sentinel')} could not be read (ENOENT)`,
    'block.hcl': 'unknown block "globla"',
    'broken.hcl': 'expected "}" to close "{" of line 1, found the end of the text',
    'broken.json': 'the text is not valid JSON: see line 1, near "{\\"mock\\": "',
    'missing.hcl': 'the import "m" was not found',
    'module.hcl': `${join(folder, 'test/p/bad.txt')} could not be read (ENOENT)`,
    'twice.hcl': '"x" is already configured',
    'word.hcl': 'expected a value, found "y"',
  });
});

test('a policy that does not parse fails its tests', () => {
  write('p.sentinel', 'main = rule {\n');
  write('test/p/a.hcl', '');
  const [result] = runTests(findPolicies([folder]));
  expect(result?.cases.map(({ passed, error }) => [passed, isTextFault(error)])).toEqual([[false, true]]);
});

test('the time zone and the time of "time" can be configured', () => {
  const policy =
    'import "time"\nparam hour\nmain = rule { time.now.hour is hour and time.now.minute is 30 and time.load(0).hour is 0 }\n';
  const config = (settings: string, hour: number) =>
    `import "plugin" "time" {\n  config = { ${settings} }\n}\nparam "hour" {\n  value = ${hour}\n}\n`;
  expect(
    verdicts(policy, {
      'a-utc.hcl': config('fixed_time = "2026-07-01T22:30:00Z"', 22),
      'b-summer.hcl': config('fixed_time = "2026-07-01T22:30:00Z", timezone = "Europe/Berlin"', 0),
      'c-winter.hcl': config('fixed_time = "2026-01-01T22:30:00Z", timezone = "Europe/Berlin"', 23),
      'd-half-hours.hcl': config('fixed_time = "2026-01-01T22:00:00Z", timezone = "Asia/Kolkata"', 3),
      'e-west.json':
        '{"import": {"plugin": {"time": {"config": {"timezone": "America/Denver", "fixed_time": 1782945000}}}}, "param": {"hour": {"value": 16}}}',
      'f-unknown.hcl': config('timezone = "Mars/Olympus"', 0),
      'g-no-time.hcl': config('fixed_time = "noon"', 0),
    }),
  ).toEqual({
    'a-utc.hcl': true,
    'b-summer.hcl': true,
    'c-winter.hcl': true,
    'd-half-hours.hcl': true,
    'e-west.json': true,
    'f-unknown.hcl': 'timezone is not a known time zone: "Mars/Olympus"',
    'g-no-time.hcl': 'fixed_time is not valid: time: "noon" is not a time as RFC 3339 has it',
  });
});

describe('the configuration of a folder', () => {
  const read = () => readPolicyConfiguration(join(folder, 'sentinel.hcl'));

  test('merges override files in the order of their names', () => {
    write(
      'sentinel.hcl',
      'global "a" {\n  value = 1\n}\nmock "m" {\n  module {\n    source = "one.sentinel"\n  }\n}\n' +
        'param "x" {\n  value = 1\n}\n' +
        'policy "p" {\n  source = "./p.sentinel"\n  params = { x = 2, y = 3 }\n}\n' +
        'policy "q" {\n  source = "./q.sentinel"\n  params = { x = 9 }\n  enforcement_level = "soft-mandatory"\n}\n' +
        'policy "r" {}\n',
    );
    write('override.hcl', 'global "a" {\n  value = 3\n}\n');
    write(
      'a_override.hcl',
      'global "a" {\n  value = 2\n}\nmock "m" {\n  module {\n    source = "two.sentinel"\n  }\n}\n' +
        'policy "p" {\n  enforcement_level = "advisory"\n}\ntest {\n  rules = { main = false }\n}\n',
    );
    const configuration = read();
    const { globals, imports, params, rules } = configuration;
    expect(globals).toEqual(new Map([['a', 3n]]));
    expect(imports.get('m')).toMatchObject({ kind: 'module', path: 'two.sentinel' });
    expect(params).toEqual(new Map([['x', 1n]]));
    expect(policiesOf(configuration)).toMatchObject([
      {
        name: 'p',
        path: join(folder, 'p.sentinel'),
        level: 'advisory',
        params: new Map([
          ['x', 2n],
          ['y', 3n],
        ]),
      },
      { name: 'q', path: join(folder, 'q.sentinel'), level: 'soft-mandatory', params: new Map([['x', 9n]]) },
      { name: 'r', path: join(folder, 'r.sentinel'), level: 'advisory', params: new Map() },
    ]);
    expect(rules).toEqual([['main', false]]);
  });

  test('an unknown enforcement level is refused, and the error lists the allowed levels', () => {
    write('sentinel.hcl', 'policy "p" {\n  enforcement_level = "mandatory"\n}\n');
    expect(read).toThrow(
      join(
        folder,
        'sentinel.hcl:2:3: the enforcement level of "p" is not valid; allowed are advisory, soft-mandatory, hard-mandatory',
      ),
    );
  });

  test('a policy with a remote source is found in the folder vendor', () => {
    write('sentinel.hcl', 'policy "p" {\n  source = "https://example.com/p.sentinel"\n}\n');
    expect(() => policiesOf(read())).toThrow(
      'the remote source https://example.com/p.sentinel is not fetched; copy the file to vendor/example.com/p.sentinel beside the policies',
    );
    write('vendor/example.com/p.sentinel', 'main = true\n');
    expect(policiesOf(read())).toMatchObject([{ path: join(folder, 'vendor/example.com/p.sentinel') }]);
  });

  test('merges JSON and HCL with each other', () => {
    write(
      'sentinel.json',
      JSON.stringify({
        global: { a: { value: 1 }, b: { value: 1.5 } },
        mock: { m: { module: { source: 'one.sentinel' } }, n: { data: { x: 1 } } },
        policy: { p: { source: './p.sentinel', params: { x: 2 } } },
        import: { plugin: { time: { config: { timezone: 'UTC' } } } },
        sentinel: { features: { terraform: true } },
      }),
    );
    write(
      'a_override.json',
      JSON.stringify({ global: [{ a: { value: 2 } }], test: { rules: { main: true } } }),
    );
    write('override.hcl', 'global "b" {\n  value = 3\n}\n');
    write(
      'override.json',
      JSON.stringify({
        mock: { m: { module: [{ source: 'two.sentinel' }] }, n: { data: [1] } },
        policy: { p: { params: { x: 4 } } },
        import: { plugin: { time: { config: { timezone: 'Asia/Tokyo' } } } },
      }),
    );
    const configuration = readPolicyConfiguration(join(folder, 'sentinel.json'));
    const { globals, imports, rules, time } = configuration;
    expect([...globals]).toEqual([
      ['a', 2n],
      ['b', 3n],
    ]);
    expect(imports.get('m')).toMatchObject({ kind: 'module', path: 'two.sentinel' });
    expect(imports.get('n')).toEqual({ kind: 'data', data: [1n] });
    expect(policiesOf(configuration)).toMatchObject([{ name: 'p', params: new Map([['x', 4n]]) }]);
    expect(rules).toEqual([['main', true]]);
    expect(time).toEqual({ zone: 'Asia/Tokyo' });
  });

  test.each([
    [
      '{"global": {"b": {"value": 1}}}',
      'there is no block global "b" to override; add it to the configuration',
    ],
    ['{"global": {"a": 1}}', '"global.a" must be an object'],
    ['{"global": 1}', '"global" must be an object'],
    ['{"import": {"plugin": 1}}', '"import.plugin" must be an object'],
    ['[]', 'the text must be a JSON object'],
    ['{', 'the text is not valid JSON: see line 1, near "{"'],
  ])('refuses the override %s', (text, message) => {
    write('sentinel.hcl', 'global "a" {\n  value = 1\n}\n');
    write('override.json', text);
    expect(read).toThrow(join(folder, `override.json:1:1: ${message}`));
  });

  test.each([
    [
      'global "b" {\n  value = 1\n}\n',
      'override.hcl:1:1: there is no block global "b" to override; add it to the configuration',
    ],
    ['\nglobal "a" {\n}\n', 'override.hcl:2:1: the block "global" requires the attribute "value"'],
    [
      'glob "a" {\n}\n',
      'override.hcl:1:1: unknown block "glob"; allowed are global, param, mock, module, import and test',
    ],
  ])('refuses the override %j', (text, message) => {
    write('sentinel.hcl', 'global "a" {\n  value = 1\n}\n');
    write('override.hcl', text);
    expect(read).toThrow(new Error(join(folder, message)));
  });
});

test('a remote source is not fetched, but found in the folder vendor beside the policies', () => {
  const module = (source: string) => `import "module" "m" {\n  source = "${source}"\n}\n`;
  write('vendor/example.com/lib/a.sentinel', 'answer = 42\n');
  expect(
    verdicts('import "m"\nmain = rule { m.answer is 42 }\n', {
      'git.hcl': module('git::https://me@example.com/lib.git//a.sentinel?ref=v1'),
      'https.hcl': module('https://example.com/lib/a.sentinel'),
      'missing.hcl': module('https://example.com/lib/b.sentinel'),
      'outside.hcl': module('https://example.com/../../b.sentinel'),
    }),
  ).toEqual({
    'git.hcl': true,
    'https.hcl': true,
    'missing.hcl': 'the remote source https://example.com/lib/b.sentinel is not fetched',
    'outside.hcl': 'the remote source https://example.com/../../b.sentinel is not fetched',
  });
});

test('a plugin is an error if the policy imports it and the test does not replace it', () => {
  const plugin = 'import "plugin" "weather" {\n  source = "./weather"\n}\n';
  expect(
    verdicts('import "weather"\nmain = rule { weather.sunny }\n', {
      'alone.hcl': plugin,
      'alone.json':
        '{"import": {"plugin": {"weather": {"source": "./weather"}}}, "test": {"rules": {"main": true}}}',
      'mocked.hcl': `${plugin}mock "weather" {\n  data = { sunny = true }\n}\n`,
    }),
  ).toEqual({
    'alone.hcl': 'the import "weather" is a plugin, and programs of others are not run',
    'alone.json': 'the import "weather" is a plugin, and programs of others are not run',
    'mocked.hcl': true,
  });
});
