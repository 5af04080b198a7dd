import { fixtureStack, type FixtureStack } from './support/stack';

let stack: FixtureStack;
beforeAll(async () => {
  stack = await fixtureStack();
});
afterAll(() => stack.dispose());

interface Shown {
  severity: string;
  summary: string;
  detail: string;
  line: number | undefined;
}

/**
 * Returns the messages of `terraform validate`. Lines are counted from the first line of the given
 * configuration.
 */
async function validate(configuration: string): Promise<Shown[]> {
  stack.configure(configuration.trimStart());
  const { stdout } = await stack.workspace.run('validate', '-json');
  const before =
    stack.workspace.read('main.tf').split('\n').length - configuration.trimStart().split('\n').length;
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { severity: string; summary: string; detail: string; range?: { start: { line: number } } }[];
  };
  return diagnostics.map(({ severity, summary, detail, range }) => ({
    severity,
    summary,
    detail,
    line: range && range.start.line - before,
  }));
}

test('a valid configuration is accepted', async () => {
  expect(await validate('resource "fixture_thing" "a" { name = "alpha" }')).toEqual([]);
});

test("an error shows the attribute's path, the value and the allowed values", async () => {
  expect(await validate('resource "fixture_thing" "a" {\n  note = "x"\n  name = "x"\n}')).toContainEqual({
    severity: 'error',
    summary: 'Invalid name',
    detail: 'name must have 2 to 40 characters or elements, got 1.',
    line: 3,
  });
});

test('a computed attribute cannot be set', async () => {
  expect(await validate('resource "fixture_thing" "a" {\n  name = "alpha"\n  id   = "banana"\n}')).toEqual([
    {
      severity: 'error',
      summary: 'Attribute cannot be set',
      detail: 'id is determined by the provider. Remove it from the configuration.',
      line: 3,
    },
  ]);
});

test('the rules between attributes of a resource are checked', async () => {
  expect(await validate('resource "fixture_thing" "a" {\n  name = "same"\n  note = "same"\n}')).toEqual([
    {
      severity: 'warning',
      summary: 'A note that says nothing',
      detail: 'The note repeats the name.',
      line: 3,
    },
  ]);
});

test('a deprecated attribute causes a warning', async () => {
  expect(await validate('resource "fixture_thing" "a" {\n  name = "alpha"\n  old_note = "x"\n}')).toEqual([
    { severity: 'warning', summary: 'Argument is deprecated', detail: 'old_note: use note instead', line: 3 },
  ]);
});

test('errors in nested attributes and blocks show their lines', async () => {
  const shown = await validate(`
resource "fixture_shapes" "s" {
  settings = {
    level = 1
    mode  = "medium"
  }
  listener {
    port = 80
  }
  listener {
    port = 70000
    tls { file = "b.pem" }
  }
}`);
  expect(shown).toEqual([
    {
      severity: 'error',
      summary: 'Invalid settings.mode',
      detail: 'settings.mode must be one of "fast", "slow", got "medium".',
      line: 4,
    },
    {
      severity: 'error',
      summary: 'Invalid listener[1].port',
      detail: 'listener[1].port is no port.',
      line: 10,
    },
    {
      severity: 'error',
      summary: 'Invalid listener[1].tls.file',
      detail: 'listener[1].tls.file must be one of "a.pem", got "b.pem".',
      line: 11,
    },
  ]);
});

test('errors at positions without a line contain the path in the text', async () => {
  const [problem] = await validate('resource "fixture_shapes" "s" {\n  matrix = [[1], [1, null]]\n}');
  expect(problem).toEqual({
    severity: 'error',
    summary: 'Missing value',
    detail: 'matrix[1][1] must not be null. Leave it out, or give it a value.\n\nAt matrix[1][1].',
    line: 2,
  });
});

test('null elements are refused, unless the type allows them', async () => {
  const shown = await validate('resource "fixture_shapes" "s" {\n  list  = ["a", null]\n  holes = [null]\n}');
  expect(shown.map(({ detail }) => detail)).toEqual([
    'list[1] must not be null. Leave it out, or give it a value.',
  ]);
});

test('whole numbers with fractions, and too large ones, are refused', async () => {
  const shown = await validate('resource "fixture_shapes" "s" {\n  matrix = [[1.5, 9007199254740993]]\n}');
  expect(shown.map(({ detail }) => detail.split('\n')[0])).toEqual([
    'matrix[0][0] must be a whole number from -9007199254740991 to 9007199254740991, got 1.5.',
    'matrix[0][1] must be a whole number from -9007199254740991 to 9007199254740991, got 9007199254740993.',
  ]);
});

test('unknown values are accepted', async () => {
  expect(
    await validate(`
variable "later" { type = string }
resource "fixture_shapes" "s" {
  list = [var.later, "bad"]
  settings = { mode = var.later }
  listener { port = length(var.later) }
}`),
  ).toEqual([]);
});

test('data sources and the provider are checked as well', async () => {
  expect(await validate('data "fixture_thing" "d" {\n  name = "forbidden"\n}')).toEqual([
    { severity: 'error', summary: 'Forbidden name', detail: 'Ask for another one.', line: 2 },
  ]);
  stack.configure('provider "fixture" { secret = "weak" }\nresource "fixture_thing" "a" { name = "alpha" }');
  const { stderr } = await stack.workspace.run('plan', '-no-color');
  expect(stderr).toContain('Error: Weak secret');
});
