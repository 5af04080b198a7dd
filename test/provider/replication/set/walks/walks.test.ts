/**
 * Random walks, see walk.ts. `npm run walks -- --walks 10000 --seed 7` takes more of them. No
 * unconfirmed write is lost, no apply makes a second primary, the plan shows every dangerous step,
 * and once all faults are over, the advice of the errors leads to a set.
 */
import { walk } from './walk';

const { WALKS: count = '25', WALKS_SEED: seed = '1' } = process.env;

test(`${count} walks from seed ${seed} find no fault`, async () => {
  const began = performance.now();
  const before = process.cpuUsage();
  const sum = { applies: 0, requests: 0 };
  const failures: string[] = [];
  for (let each = Number(seed); each < Number(seed) + Number(count); each += 1) {
    const { problems, trace, applies, requests } = await walk(each);
    sum.applies += applies;
    sum.requests += requests;
    if (problems.length > 0) failures.push(`seed ${each}: ${problems[0]}\n${trace.join('\n')}`);
  }
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(
    `${count} walks from seed ${seed}: ${sum.applies} applies, ${sum.requests} requests, ` +
      `${seconds.toFixed(1)} s (${((user + system) / 1e6).toFixed(1)} s of computing)\n`,
  );
  expect(failures).toEqual([]);
}, 3_600_000);
