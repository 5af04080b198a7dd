import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..', '..');
/**
 * Runs one rule of the project's settings that needs no types, because computing the types takes
 * ten seconds.
 */
const LINT = `
  const { ESLint } = require('eslint');
  const eslint = new ESLint({
    ruleFilter: ({ ruleId }) => ruleId === 'no-restricted-syntax',
    overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
  });
  eslint
    .lintText(require('node:fs').readFileSync(0, 'utf8'), { filePath: 'src/cli/errors.ts' })
    .then(([{ messages }]) => process.stdout.write(JSON.stringify(messages)));
`;

/** Ways to print that bypass output/print.ts. */
const PLANTED = [
  "console.log('a');",
  "process.stdout.write('a');",
  "process.stderr.end('a');",
  "export const print = (output: NodeJS.WriteStream) => output.write('a');",
  'export const stream = process.stdout;',
  'export const { stdout } = process;',
  "process['stdout'].write('a');",
  "import { writeSync } from 'node:fs';",
  "require('node:fs').writeSync(1, 'a');",
];

interface Message {
  readonly line: number;
  readonly message: string;
}

test('the linter finds every way to print that bypasses output/print.ts', () => {
  const { stdout } = spawnSync(process.execPath, ['-e', LINT], {
    cwd: ROOT,
    input: PLANTED.join('\n'),
    encoding: 'utf8',
  });
  const messages = JSON.parse(stdout) as Message[];
  const found = messages.filter(({ message }) => message.startsWith('Print with `output/print.ts`'));
  expect([...new Set(found.map(({ line }) => PLANTED[line - 1]))]).toEqual(PLANTED);
});
