/**
 * Writes docs/reference/lint.md: the findings of "policy lint", with explanations and examples.
 * Another file may be named as the argument.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { targetArgument } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { LINT_RULES } = createRequire(import.meta.url)(
  join(root, 'lib', 'src', 'cli', 'policy', 'answers', 'lint-rules.js'),
);
const target = targetArgument(join(root, 'docs', 'reference', 'lint.md'));

writeFileSync(
  target,
  `${[
    '# Findings of `policy lint`',
    'This page is generated from `src/cli/policy/answers/lint-rules.ts`. `policy lint --explain ID` prints the same for one finding.',
    ...LINT_RULES.flatMap(({ id, why, bad, good }) => [
      `## ${id}`,
      why,
      ...(bad === undefined ? [] : [block(bad)]),
      ...(good === undefined ? [] : ['Instead:', block(good)]),
    ]),
  ].join('\n\n')}\n`,
);

function block(text) {
  return `\`\`\`hcl\n${text}\`\`\``;
}
