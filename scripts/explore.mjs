/**
 * Searches every state that applies of a replication set and a bounded number of faults lead to:
 * `npm run explore -- [--bound A] [--start switchover] [--verbose] [--write]`. A violation is
 * printed with the shortest path to it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleTest } from './bundle-test.mjs';

const HELP = `npm run explore -- [--bound NAME]… [--start NAME] [--verbose] [--write]

Searches every state that applies of a replication set and a bounded number of faults
lead to, by the provider's own decisions and abstract clusters. Without a bound, all of
them are searched but B2, which takes hours. --verbose lists the failures that were met, and what
happened to each request. --write puts the figures and that table into docs/replication-search.md.`;

const FIGURES = '## Figures';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { values } = parseArgs({
  options: {
    bound: { type: 'string', multiple: true },
    start: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const outfile = await bundleTest('explore/apply/main.ts', 'explore.cjs');
const { explore } = createRequire(import.meta.url)(outfile);
const { holds, table, reached } = explore(values);
if (values.verbose) console.log(`\n${reached}`);
if (values.write) writePage(table, reached);
process.exitCode = holds ? 0 : 1;

function writePage(results, reached) {
  const page = join(root, 'docs', 'replication-search.md');
  const [text] = readFileSync(page, 'utf8').split(FIGURES);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    page,
    `${text}${FIGURES}\n\nWritten by \`npm run explore -- --write\` on ${date}.\n\n${results}\n\n## What happened to each request\n\n${reached}\n`,
  );
}
