// Runs the random tests for longer: `npm run fuzz -- --minutes 30 [--seed SEED] [FILE...]`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmRun, number, runJest } from './npm-run.mjs';

const command = npmRun('fuzz', 'Runs the random tests for longer.')
  .argument('[FILE...]', 'parts of the names of files in test/fuzz (default: all)')
  .option('--minutes <NUMBER>', 'how long, together', number, 30)
  .option('--seed <SEED>', 'the inputs of an earlier run')
  .parse();
const values = command.opts();

const folder = fileURLToPath(new URL('../test/fuzz', import.meta.url));
const files = readdirSync(folder).filter(
  (name) =>
    name.endsWith('.test.ts') &&
    (command.args.length === 0 || command.args.some((part) => name.includes(part))),
);
const counts = files.map(
  (name) => readFileSync(join(folder, name), 'utf8').match(/^(?:fuzz|climb|command)\b/gm)?.length ?? 0,
);
const fuzzers = counts.reduce((sum, count) => sum + count, 0);
// At most two files run at a time.
const workers = Math.min(2, files.length);
const seconds = Math.max(2, Math.floor((values.minutes * 60 * workers) / fuzzers));

console.log(`${fuzzers} fuzzers, ${seconds} s each`);
runJest(['--maxWorkers', '2', ...files.map((name) => join(folder, name))], {
  FUZZ_SECONDS: String(seconds),
  ...(values.seed && { FUZZ_SEED: values.seed }),
});
