// Runs the random tests for longer: `npm run fuzz -- --minutes 30 [--seed SEED] [FILE...]`.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '30' }, seed: { type: 'string' } },
  allowPositionals: true,
});

const folder = join(root, 'test', 'fuzz');
const files = readdirSync(folder).filter(
  (name) =>
    name.endsWith('.test.ts') &&
    (positionals.length === 0 || positionals.some((part) => name.includes(part))),
);
const counts = files.map(
  (name) => readFileSync(join(folder, name), 'utf8').match(/^(?:fuzz|climb|command)\b/gm)?.length ?? 0,
);
const fuzzers = counts.reduce((sum, count) => sum + count, 0);
// At most two files run at a time.
const workers = Math.min(2, files.length);
const seconds = Math.max(2, Math.floor((Number(values.minutes) * 60 * workers) / fuzzers));
if (!(seconds > 0))
  throw new Error('expected: --minutes NUMBER, and part of the name of a file in test/fuzz');

console.log(`${fuzzers} fuzzers, ${seconds} s each`);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--maxWorkers',
    '2',
    ...files.map((name) => join(folder, name)),
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SECONDS: String(seconds), ...(values.seed && { FUZZ_SEED: values.seed }) },
  },
);
process.exit(status ?? 1);
