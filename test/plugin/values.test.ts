import { actions } from '../support/terraform';
import { fixtureStack, type FixtureStack } from './support/stack';

let stack: FixtureStack;
beforeEach(async () => {
  stack = await fixtureStack();
});
afterEach(() => stack.dispose());

const shapes = (body: string) => `resource "fixture_shapes" "s" {\n${body}\n}\n`;

async function applied(body: string): Promise<Record<string, unknown>> {
  stack.configure(shapes(body));
  await stack.workspace.apply();
  return (await stack.workspace.state())['fixture_shapes.s']!;
}

const NOTHING = {
  id: 'shapes',
  text: null,
  number: null,
  whole: null,
  flag: null,
  any: null,
  list: null,
  holes: null,
  set: null,
  map: null,
  matrix: null,
  object: null,
  chosen: 'by the provider',
  chosen_list: null,
  labels: { made: 'default' },
  settings: null,
  rules: null,
  limits: null,
  parts: null,
  option: null,
  listener: [],
  peer: [],
};

test('all arguments can be left out', async () => {
  expect(await applied('')).toEqual(NOTHING);
  expect(actions(await stack.workspace.plan())).toEqual({ 'fixture_shapes.s': 'no-op' });
});

test('values of every type are stored, and planned without changes', async () => {
  const body = `
    text   = "ä\\n\${1 + 1}"
    number = 0.1
    whole  = 12
    flag   = false
    any    = { a = [1, "two", null], b = true }
    list   = ["b", "a"]
    holes  = ["x", null]
    set    = [3, 1.5, 2]
    map    = { "__proto__" = "odd", "key with spaces" = "" }
    matrix = [[1, 2], []]
    object = { a = "x", b = null }
    chosen = "by me"
    labels = {}
    settings = { mode = "fast", deep = { value = "d" } }
    rules    = [{ path = "/a" }, { path = "/b" }]
    limits   = { one = { most = 5 }, two = { most = 6, unit = "bit" } }
    parts    = [{ name = "p", weight = 2 }, { name = "q" }]
    option { key = "k" }
    listener {
      port = 80
      tls { file = "a.pem" }
    }
    listener { port = 81 }
    peer { host = "h2" }
    peer { host = "h1" }
  `;
  expect(await applied(body)).toEqual({
    ...NOTHING,
    text: 'ä\n2',
    number: 0.1,
    whole: 12,
    flag: false,
    any: { a: [1, 'two', null], b: true },
    list: ['b', 'a'],
    holes: ['x', null],
    set: [1.5, 2, 3],
    map: JSON.parse('{"__proto__": "odd", "key with spaces": ""}') as unknown,
    matrix: [[1, 2], []],
    object: { a: 'x', b: null },
    chosen: 'by me',
    labels: {},
    settings: { mode: 'fast', level: 3, token: 'token-of-settings', deep: { value: 'd' } },
    rules: [
      { path: '/a', rank: 0 },
      { path: '/b', rank: 1 },
    ],
    limits: { one: { most: 5, unit: 'byte' }, two: { most: 6, unit: 'bit' } },
    parts: [
      { name: 'p', weight: 2 },
      { name: 'q', weight: null },
    ],
    option: { key: 'k', secret: null },
    listener: [
      { port: 80, address: '127.0.0.1:80', tls: { file: 'a.pem' } },
      { port: 81, address: '127.0.0.1:81', tls: null },
    ],
    peer: [{ host: 'h1' }, { host: 'h2' }],
  });
  expect(actions(await stack.workspace.plan())).toEqual({ 'fixture_shapes.s': 'no-op' });
});

const NUMBERS: Readonly<Record<string, string>> = {
  beyond_2_53: '9007199254740993',
  beyond_64_bits: '123456789012345678901234567890',
  negative: '-9223372036854775809',
  more_digits_than_a_double: '0.1234567890123456789',
  binary_fractions: '9.313225746154785e-10 + 1 / 1073741824',
  periodic: '1 / 3',
  huge: '1e300',
};

test('numbers are kept exactly', async () => {
  const each = Object.entries(NUMBERS).map(
    ([name, number]) => `resource "fixture_shapes" "${name}" {\n  number = ${number}\n}
output "${name}" { value = fixture_shapes.${name}.number == ${number} }\n`,
  );
  stack.configure(each.join(''));
  await stack.workspace.apply();
  const outputs = JSON.parse((await stack.workspace.must('output', '-json')).stdout) as Record<
    string,
    { value: boolean }
  >;
  const same = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
  expect(same).toEqual(Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, true])));
  expect(actions(await stack.workspace.plan())).toEqual(
    Object.fromEntries(Object.keys(NUMBERS).map((name) => [`fixture_shapes.${name}`, 'no-op'])),
  );
});

test('values of several megabytes are stored', async () => {
  const text = 'x'.repeat(6 * 1024 * 1024);
  const state = await applied(`text = "${text}"`);
  expect(state.text === text).toBe(true);
});

test('several large values are stored at the same time', async () => {
  stack.configure(`
    resource "fixture_shapes" "s" {
      count = 5
      text  = join("", [for i in range(1024) : "${'y'.repeat(2048)}"])
    }
  `);
  await stack.workspace.apply();
  expect(Object.values(await stack.workspace.state()).map(({ text }) => (text as string).length)).toEqual(
    Array(5).fill(2 * 1024 * 1024),
  );
});

test('unknown values can be planned at every position', async () => {
  stack.configure(`
    resource "terraform_data" "later" { input = "later" }
    locals { later = terraform_data.later.output }
    ${shapes(`
      text   = local.later
      number = length(local.later)
      any    = local.later
      list   = ["known", local.later]
      set    = [length(local.later), 2]
      map    = { later = local.later }
      object = { a = local.later, b = 1 }
      labels = { later = local.later }
      settings = { mode = local.later == "later" ? "fast" : "slow", deep = { value = local.later } }
      rules    = [{ path = local.later }, { path = "/b" }]
      limits   = { one = { most = length(local.later), unit = local.later } }
      parts    = [{ name = local.later }, { name = "q" }]
      option { key = local.later }
      listener { port = length(local.later) }
      peer { host = local.later }
    `)}
  `);
  const { change } = (await stack.workspace.plan()).resource_changes!.find(
    ({ type }) => type === 'fixture_shapes',
  )!;
  expect(change.after_unknown).toMatchObject({
    text: true,
    list: [false, true],
    rules: [{ path: true, rank: true }, { rank: true }],
    settings: { mode: true, token: true, deep: { value: true } },
    listener: [{ port: true, address: true }],
  });
  await stack.workspace.apply('tfplan');
  expect((await stack.workspace.state())['fixture_shapes.s']).toMatchObject({
    text: 'later',
    number: 5,
    any: 'later',
    list: ['known', 'later'],
    set: [2, 5],
    settings: { mode: 'fast' },
    listener: [{ port: 5, address: '127.0.0.1:5' }],
    peer: [{ host: 'later' }],
  });
  expect(actions(await stack.workspace.plan())['fixture_shapes.s']).toBe('no-op');
});

test('whole blocks and collections can be unknown', async () => {
  stack.configure(`
    resource "terraform_data" "later" { input = ["a", "b"] }
    ${shapes(`
      list   = terraform_data.later.output
      rules  = [for path in terraform_data.later.output : { path = path }]
      dynamic "peer" {
        for_each = toset(terraform_data.later.output)
        content { host = peer.value }
      }
    `)}
  `);
  await stack.workspace.apply();
  expect((await stack.workspace.state())['fixture_shapes.s']).toMatchObject({
    list: ['a', 'b'],
    rules: [
      { path: 'a', rank: 0 },
      { path: 'b', rank: 1 },
    ],
    peer: [{ host: 'a' }, { host: 'b' }],
  });
});

test('nested attributes have defaults, computed values and replacements', async () => {
  await applied('settings = { mode = "fast", level = 7 }');
  stack.configure(shapes('settings = { mode = "fast" }'));
  const levelled = (await stack.workspace.plan()).resource_changes![0]!.change;
  expect(levelled.actions).toEqual(['update']);
  expect(levelled.after!.settings).toEqual({ mode: 'fast', level: 3, deep: null });
  expect(levelled.after_unknown.settings).toEqual({ token: true });

  stack.configure(shapes('settings = { mode = "slow", level = 7 }'));
  const replaced = (await stack.workspace.plan()).resource_changes![0]!.change;
  expect(replaced.actions).toEqual(['delete', 'create']);
  expect(replaced.replace_paths).toEqual([['settings', 'mode']]);
});
