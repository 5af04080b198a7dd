import Ajv from 'ajv';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';
import { elementsOf } from '../support/xml';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('policy-formats');
  write('old/app.hcl', 'path "secret/data/app/*" { capabilities = ["read", "list"] }\n');
  write(
    'new/app.hcl',
    'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\n' +
      'path "sys/policies/acl/app" {\n  capabilities = ["create", "update"]\n}\n',
  );
  write('broken/bad.hcl', 'path "b" { capabilities = ["raed"] }\n');
  write('broken/latin.hcl', Buffer.from('path "\xe4" {}', 'latin1'));
  write('broken/good.hcl', 'path "a" {\n  capabilities = ["read"]\n}\n');
  write('broken/x.sentinel', 'main = rule { 1\n');
  write('hours/hours.sentinel', 'main = rule { day is "Monday" }\n');
  for (const day of ['Monday', 'Sunday'])
    write(`hours/test/hours/${day}.hcl`, `global "day" {\n  value = "${day}"\n}\n`);
});

function write(name: string, content: string | Buffer): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
}

const policy = (...args: readonly string[]) => vaultAdmin(['policy', ...args], {}, folder);

const COMMANDS = [
  ['lint', 'broken'],
  ['check', 'broken'],
  ['test', 'hours'],
  ['diff', 'old', 'new'],
] as const;

describe('annotations for GitHub', () => {
  test.each<[readonly string[], number, readonly string[]]>([
    [
      ['lint', 'broken'],
      1,
      [
        '::error file=broken/bad.hcl,line=1,col=28,title=bad%3A refused::path "b": the server refuses the policy: ' +
          'invalid capability "raed". To do: write "read".',
        '::error file=broken/latin.hcl,title=latin%3A unreadable::the file cannot be read: the file is not UTF-8 text. ' +
          'To do: make it a readable text in UTF-8, or leave it out.',
        ' 3 policies: 2 errors, 0 warnings, 0 notes',
      ],
    ],
    [
      ['check', 'broken'],
      1,
      [
        '::error file=broken/bad.hcl,line=1,col=28,title=bad.hcl%3A acl-error::path "b": invalid capability "raed"; ' +
          'to do: write "read"',
        '::error file=broken/latin.hcl,title=latin.hcl%3A unreadable::the file cannot be read: the file is not UTF-8 text',
        '::error file=broken/x.sentinel,line=2,col=1,title=x.sentinel%3A syntax::expected "}" to end the body of ' +
          'the rule, found the end of the text',
        ' 4 policies checked, 3 errors, 0 warnings',
      ],
    ],
    [
      ['test', 'hours'],
      1,
      [
        '::error file=hours/test/hours/Sunday.hcl,title=hours/hours.sentinel%3A failed::expected "main" to be true, got: false',
        ' 2 tests of 1 policy: 1 passed, 1 failed',
      ],
    ],
    [
      ['diff', 'old', 'new', '--fail-on', 'sensitive'],
      1,
      [
        '::error file=new/app.hcl,line=4,col=6,title=app%3A policies::the token may now grant itself any policy: ' +
          'create, update sys/policies/acl/app',
        '::notice file=new/app.hcl,line=1,col=6,title=app%3A narrowing::no longer allowed: list on secret/data/app/*',
        '::notice file=new/app.hcl,line=4,col=6,title=app%3A widening::newly allowed: create, update on ' +
          'sys/policies/acl/app',
        ' 1 change allows more, 1 change allows less, by the rules of server version 1.21.0 (the default)',
      ],
    ],
  ])('policy %j prints annotations, and exits with %i', async (args, code, lines) => {
    expect(await policy(...args, '--format', 'github')).toEqual({
      code,
      stdout: lines.map((line) => `${line}\n`).join(''),
      stderr: '',
    });
  });
});

test('the sensitive changes come first in a comment for a review', async () => {
  const { stdout } = await policy('diff', 'old', 'new', '--format', 'markdown');
  expect(stdout.split('\n').slice(0, 5)).toEqual([
    '### Changes of ACL policies',
    '',
    '- **warning** in <code>app</code>: the token may now grant itself any policy&#58; create, update ' +
      'sys/policies/acl/app (<code>new/app&#46;hcl&#58;4</code>, <code>policies</code>)',
    '',
    '1 change allows more, 1 change allows less, by the rules of server version 1&#46;21&#46;0 &#40;the default&#41;',
  ]);
  expect((await policy('diff', 'old', 'old', '--format', 'markdown')).stdout).toBe(
    'The policies allow the same requests&#46;\n',
  );
});

/**
 * The parts of SARIF that the logs have. If the published schema is on the machine, it is used as
 * well.
 */
const text = { type: 'string', minLength: 1 };
const closed = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object) => ({ type: 'array', items });
const PARTS = closed({
  $schema: text,
  version: { const: '2.1.0' },
  runs: list(
    closed({
      tool: closed({ driver: closed({ name: text, version: text, rules: list(closed({ id: text })) }) }),
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: list(
        closed({
          ruleId: text,
          ruleIndex: { type: 'integer', minimum: 0 },
          level: { enum: ['none', 'note', 'warning', 'error'] },
          message: closed({ text }),
          locations: list(
            closed({
              physicalLocation: closed(
                {
                  artifactLocation: closed({
                    uri: { type: 'string', pattern: "^[-\\w.~:/?#@!$&'()*+,;=%]+$" },
                  }),
                  region: closed({
                    startLine: { type: 'integer', minimum: 1 },
                    startColumn: { type: 'integer', minimum: 1 },
                  }),
                },
                ['artifactLocation'],
              ),
              logicalLocations: list(closed({ name: text, fullyQualifiedName: text })),
            }),
          ),
        }),
      ),
    }),
  ),
});

const JUNIT_PARTS = {
  lint: ['failure'],
  check: ['failure'],
  test: ['failure'],
  diff: ['system-out'],
} as const;

const { SARIF_SCHEMA } = process.env;
if (SARIF_SCHEMA === undefined)
  console.warn('SARIF_SCHEMA names no file with the published schema: logs are compared with its parts only');

test.each(COMMANDS)('policy %s %s writes a log in SARIF, and a JUnit report', async (command, ...sources) => {
  const args = [command, ...sources.filter((each) => each !== undefined)];
  const log = JSON.parse((await policy(...args, '--format', 'sarif')).stdout) as object;
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const published =
    SARIF_SCHEMA === undefined ? {} : (JSON.parse(readFileSync(SARIF_SCHEMA, 'utf8')) as object);
  const faults = [PARTS, { ...published, $schema: undefined, id: undefined }].map((schema) => {
    ajv.validate(JSON.parse(JSON.stringify(schema)) as object, log);
    return ajv.errors;
  });
  expect(faults).toEqual([null, null]);
  const [root, suite, ...others] = elementsOf((await policy(...args, '--format', 'junit')).stdout);
  expect([root?.name, suite?.name]).toEqual(['testsuites', 'testsuite']);
  expect(Object.keys(suite!.attributes)).toEqual(['name', 'tests', 'failures', 'errors']);
  const cases = others.filter(({ name }) => name === 'testcase');
  expect(suite!.attributes).toMatchObject({
    name: `policy ${command}`,
    tests: String(cases.length),
    errors: '0',
  });
  expect(cases.map(({ attributes }) => Object.keys(attributes))).toEqual(
    cases.map(() => ['classname', 'name']),
  );
  expect(new Set(others.map(({ name }) => name))).toEqual(new Set(['testcase', ...JUNIT_PARTS[command]]));
});

test('--json and --format exclude each other', async () => {
  expect(await policy('lint', 'old', '--json', '--format', 'sarif')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "option '--json' cannot be used with option '--format <FORMAT>'",
    ) as string,
  });
  const asJson = await policy('lint', 'old', '--format', 'json');
  expect(asJson).toEqual(await policy('lint', 'old', '--json'));
});
