/**
 * Writes docs/emulator-assumptions.md: what the emulator does where Vault's public sources are silent, from the list
 * that its code takes those choices from. Another file may be named as the argument.
 */
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { ASSUMPTIONS } = createRequire(import.meta.url)(
  join(root, 'lib', 'src', 'emulator', 'assumptions.js'),
);
const target = process.argv[2] ?? join(root, 'docs', 'emulator-assumptions.md');

const rows = Object.values(ASSUMPTIONS).map(({ what, choice }) => `| ${cell(what)} | ${cell(choice)} |`);
writeFileSync(
  target,
  `# What the emulator assumes

Where Vault's public sources leave something open, the emulator does what this page says, and a real server may do something
else. The page is generated from \`src/emulator/assumptions.ts\`.

| Open | What the emulator does |
|---|---|
${rows.join('\n')}
`,
);

function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
