import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
/**
 * A program that lints with the project's rules on regular expressions only, which need no types.
 */
const LINT = `
  const { ESLint } = require('eslint');
  const rules = ['no-restricted-syntax', 'regexp/no-super-linear-backtracking', 'regexp/no-super-linear-move'];
  const eslint = new ESLint({
    ruleFilter: ({ ruleId }) => rules.includes(ruleId),
    overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } },
  });
  const { files, code } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  Promise.all(files.map(async (filePath) => {
    const [{ messages }] = await eslint.lintText(code, { filePath });
    return [filePath, messages.map(({ ruleId, line }) => ruleId + ' ' + line)];
  })).then((found) => process.stdout.write(JSON.stringify(Object.fromEntries(found))));
`;
const PLANTED = [
  'export const A = /^(a+)+$/;',
  'export const D = /^\\s*e/m;',
  'export function b(c) {',
  '  return new RegExp(c);',
  '}',
];
const FOUND = [
  'regexp/no-super-linear-backtracking 1',
  'regexp/no-super-linear-move 2',
  'no-restricted-syntax 4',
];
const FILES = [
  ...['src/model/acl/a.ts', 'src/client/a.ts', 'src/cli/a.ts', 'src/cli/output/a.ts', 'src/provider/a.ts'],
  ...['src/emulator/a.ts', 'src/sentinel/a.ts', 'constructs/a.ts', 'constructs/private/framework.ts'],
  ...['src/view/page/static/a.js', 'scripts/a.mjs', 'scripts/flavours/a.mjs'],
];

test('the linter finds nested quantifiers, quadratic searches and expressions that are built in functions, in all sources', () => {
  const { stdout } = spawnSync(process.execPath, ['-e', LINT], {
    cwd: ROOT,
    input: JSON.stringify({ files: FILES, code: PLANTED.join('\n') }),
    encoding: 'utf8',
  });
  // Scripts may use quadratic searches, because they only read the project's own files.
  const inScripts = FOUND.filter((found) => !found.includes('no-super-linear-move'));
  expect(JSON.parse(stdout)).toEqual(
    Object.fromEntries(FILES.map((file) => [file, /^scripts|\.js$/.test(file) ? inScripts : FOUND])),
  );
});
