/**
 * Takes random walks of replication sets in several processes: `npm run walks -- --walks 10000
 * --seed 7 [--processes 2]`. With `--provider`, plans and applies run in the provider's executable,
 * in real time: run `npm run build` first. A walk that fails prints its seed and all its steps;
 * `--walks 1 --seed SEED` repeats it.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { bundleTest } from './bundle-test.mjs';
import { npmRun, number } from './npm-run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const values = npmRun(
  'walks',
  'Takes random walks of replication sets. A walk that fails prints its seed; --walks 1 --seed SEED takes it again.',
)
  .option('--walks <NUMBER>', 'how many', number, 1000)
  .option('--seed <NUMBER>', 'of the first one', number, 1)
  .option('--processes <NUMBER>', 'how many run at a time', number, availableParallelism())
  .option('--provider', "run plans and applies in the provider's executable, in real time")
  .parse()
  .opts();
const { walks } = values;
const share = Math.ceil(walks / Math.min(values.processes, walks));

/** Gives Node more memory for short-lived values, so that the garbage collector runs less often. */
const YOUNG = '--max-semi-space-size=128';

const outfile = await bundleTest('provider/replication/set/walks/run.ts', 'walks.cjs');

const began = performance.now();
const starts = Array.from({ length: Math.ceil(walks / share) }, (_, index) => index * share);
const codes = await Promise.all(
  starts.map((start) => take(Math.min(share, walks - start), values.seed + start)),
);
console.log(`${walks} walks in ${((performance.now() - began) / 1000).toFixed(0)} s`);
process.exit(Math.max(...codes));

function take(count, seed) {
  const child = spawn(
    process.execPath,
    ['--enable-source-maps', YOUNG, outfile, String(count), String(seed), values.provider ? 'provider' : ''],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)));
}
