/**
 * Takes random walks of replication sets in several processes: `npm run walks -- --walks 10000
 * --seed 7`. With `--provider`, plans and applies run in the provider's executable, in real time:
 * run `npm run build` first. A walk that fails prints its seed and all its steps; `--walks 1 --seed
 * SEED` repeats it.
 */
import { performance } from 'node:perf_hooks';
import { bundleTest } from './bundle-test.mjs';
import { npmRun, number } from './npm-run.mjs';
import { inProcesses } from './processes/pool.mjs';

const { walks, seed, provider } = npmRun(
  'walks',
  'Takes random walks of replication sets. A walk that fails prints its seed; --walks 1 --seed SEED takes it again.',
)
  .option('--walks <NUMBER>', 'how many', number, 1000)
  .option('--seed <NUMBER>', 'of the first one', number, 1)
  .option('--provider', "run plans and applies in the provider's executable, in real time")
  .parse()
  .opts();

const outfile = await bundleTest('provider/replication/set/walks/run.ts', 'walks.cjs');
const began = performance.now();
const seeds = Array.from({ length: walks }, (_, index) => seed + index);
const sum = { failed: 0, applies: 0, requests: 0 };
for (const walk of inProcesses(outfile, provider ? 'walkThroughProvider' : 'walkInProcess', seeds)) {
  const { seed, problems, trace, applies, requests } = await walk;
  sum.applies += applies;
  sum.requests += requests;
  if (problems.length === 0) continue;
  sum.failed += 1;
  console.log(`seed ${seed}: ${problems[0]}\n${trace.join('\n')}\n`);
}
const seconds = ((performance.now() - began) / 1000).toFixed(0);
console.log(
  `${walks} walks from seed ${seed} in ${seconds} s: ${sum.failed} failed; ${sum.applies} applies, ${sum.requests} requests`,
);
process.exitCode = sum.failed > 0 ? 1 : 0;
