import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** A program that lints with the project's rule on comments only, which needs no types. */
const LINT = `
  const { ESLint } = require('eslint');
  const eslint = new ESLint({
    ruleFilter: ({ ruleId }) => ruleId === 'plain-comments/openings',
    overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } },
  });
  eslint.lintText(require('node:fs').readFileSync(0, 'utf8'), { filePath: 'src/model/a.ts' })
    .then(([{ messages }]) => process.stdout.write(JSON.stringify(messages.map(({ line }) => line))));
`;
const CODE = [
  '/** What a cluster says. */',
  '/** The status of a cluster. */',
  '// Of one that says none nothing is said.',
  '/**',
  ' * Who takes over.',
  ' */',
  '// Official names of clusters. What follows the first sentence is not looked at.',
  'export const A = 1;',
];

test('the linter finds comments that open with What, Of or Who', () => {
  const { stdout } = spawnSync(process.execPath, ['-e', LINT], {
    cwd: join(__dirname, '../..'),
    input: CODE.join('\n'),
    encoding: 'utf8',
  });
  expect(JSON.parse(stdout)).toEqual([1, 3, 4]);
});
