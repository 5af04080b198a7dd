/** Random walks: see walk.ts. `npm run walks -- --walks 10000 --seed 7` takes more of them. */
import { walk } from './walk';

const { WALKS: count = '40', WALKS_SEED: seed = '1', WALKS_TRACE: traced } = process.env;

test(`${count} walks from seed ${seed}`, async () => {
  const began = performance.now();
  const before = process.cpuUsage();
  let applies = 0;
  let requests = 0;
  const failures: string[] = [];
  for (let each = Number(seed); each < Number(seed) + Number(count); each += 1) {
    const { problems, trace, ...counts } = await walk(each);
    applies += counts.applies;
    requests += counts.requests;
    if (problems.length > 0) failures.push(`seed ${each}: ${problems[0]}`);
    if (traced && problems.length > 0) process.stdout.write(`seed ${each}:\n${trace.join('\n')}\n`);
  }
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${count} walks, ${applies} applies, ${requests} requests, ${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of computing\n`);
  expect(failures).toEqual([]);
}, 3_600_000);
