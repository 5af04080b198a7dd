/**
 * Takes walks outside of Jest, which is several times as fast. `npm run walks` bundles and runs
 * this file.
 */
import { ProcessSession, startWatched } from './provider-process';
import { walk, type Ground } from './walk';

/** Takes the walks in processes of the provider. */
const IN_PROCESSES: Ground = {
  start: startWatched,
  session: (clusters) => new ProcessSession(clusters),
  isReal: true,
};

/**
 * A refusal is an error whose stack nobody reads. Without stacks, walks take a twelfth less time.
 */
Error.stackTraceLimit = 1;

async function run(count: number, seed: number, ground?: Ground): Promise<void> {
  const sum = { applies: 0, requests: 0, failed: 0 };
  // Node ends the process with a success if a walk waits for something that cannot happen any more.
  // Such a walk has failed.
  let underWay = seed;
  process.on('exit', () => {
    if (underWay === seed + count) return;
    console.log(`seed ${underWay}: the walk never ended`);
    process.exitCode = 1;
  });
  for (let each = seed; each < seed + count; each += 1) {
    underWay = each;
    const { problems, trace, applies, requests } = await walk(each, {}, ground);
    sum.applies += applies;
    sum.requests += requests;
    if (problems.length === 0) continue;
    sum.failed += 1;
    console.log(`seed ${each}: ${problems[0]}\n${trace.join('\n')}\n`);
  }
  underWay = seed + count;
  const { user, system } = process.cpuUsage();
  console.log(
    `${count} walks from seed ${seed}: ${sum.failed} failed; ${sum.applies} applies, ${sum.requests} requests, ` +
      `${((user + system) / 1e6).toFixed(0)} s of computing`,
  );
  process.exit(sum.failed > 0 ? 1 : 0);
}

const [count, seed, where] = process.argv.slice(2);
void run(Number(count), Number(seed), where === 'provider' ? IN_PROCESSES : undefined);
