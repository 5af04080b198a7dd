/**
 * Searches every state that applies of a replication set and a bounded number of faults lead to:
 * `npm run explore -- [--bound A] [--start switchover] [--verbose] [--write] [--keep]`. A violation
 * is printed with the shortest path to it.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { bundleTest } from './bundle-test.mjs';
import { collect, npmRun, number } from './npm-run.mjs';
import { inProcesses } from './processes/pool.mjs';

const DESCRIPTION = `Searches every state that applies of a replication set and a bounded number of faults
lead to, by the provider's own decisions and abstract clusters.

The numbers of states, of transitions and of ends of the bounds A, D and E are stored, and the advice of
their messages: a difference means that a decision has changed, and fails.

With --replay, it ends with 1 if something goes otherwise, and with 2 if the file is no path of a search.`;

const FIGURES = '## Figures';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const values = npmRun('explore', DESCRIPTION)
  .option('--bound <NAME>', 'the bound to search (repeatable; default: all)', collect)
  .option('--start <NAME>', 'search from one start, such as switchover')
  .option('--verbose', 'list the failures that were met, and what happened to each request')
  .option('--write', 'put the figures and that table into docs/replication-search.md')
  .option('--keep', 'store the figures of a change that is wanted')
  .option('--plant <NAME>', 'plant a fault in what the provider learns')
  .option('--out <FOLDER>', 'write the path of each violation as a file')
  .option('--replay <FILE>', 'take such a path with the real terraform, the provider and emulated clusters')
  .option(
    '--replay-ends <NUMBER>',
    'take as many paths of each start, without a violation, in the same way',
    number,
    0,
  )
  .parse()
  .opts();
const bundle = (entry, name) => bundleTest(`explore/${entry}`, name);
const load = createRequire(import.meta.url);
if (values.replay === undefined) await searchBounds();
else process.exit(await replay(values.replay));

async function searchBounds() {
  const module = await bundle('apply/main.ts', 'explore.cjs');
  const samples = values.replayEnds;
  const { holds, table, reached, counted, differences, paths } = await load(module).explore(
    { ...values, samples },
    (tasks) => inProcesses(module, 'searchOf', tasks),
  );
  if (values.verbose) console.log(`\n${reached}`);
  if (values.write) writePage(table, reached);
  if (values.out) writePaths(paths, values.out);
  if (values.keep) await storeFigures(counted);
  else if (differences.length > 0)
    console.error(
      `\nOther figures than the stored ones:\n${differences.join('\n')}\nIf that is wanted: --keep`,
    );
  process.exitCode = holds && (values.keep || differences.length === 0) ? 0 : 1;
  if (samples === 0) return;
  const { replayAll } = load(await bundle('terraform/main.ts', 'replay.cjs'));
  process.exit((await replayAll(paths)) ? process.exitCode : 1);
}

async function replay(file) {
  const { replayText } = load(await bundle('terraform/main.ts', 'replay.cjs'));
  try {
    return (await replayText(readFileSync(file, 'utf8'))) ? 0 : 1;
  } catch (error) {
    console.error(`${file}: ${error.message}`);
    return 2;
  }
}

function writePaths(paths, folder) {
  mkdirSync(folder, { recursive: true });
  paths.forEach((path, index) => {
    const file = join(folder, `path-${index + 1}.json`);
    writeFileSync(file, `${JSON.stringify(path, null, 2)}\n`);
    console.log(file);
  });
}

async function storeFigures(counted) {
  const file = join(root, 'test', 'explore', 'apply', 'figures.json');
  const all = { ...JSON.parse(readFileSync(file, 'utf8')), ...counted };
  writeFileSync(file, await format(JSON.stringify(all), { ...(await resolveConfig(file)), parser: 'json' }));
}

function writePage(results, reached) {
  const page = join(root, 'docs', 'replication-search.md');
  const [text] = readFileSync(page, 'utf8').split(FIGURES);
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    page,
    `${text}${FIGURES}\n\nWritten by \`npm run explore -- --write\` on ${date}.\n\n${results}\n\n## What happened to each request\n\n${reached}\n`,
  );
}
