/** Clusters crash at every step that they can crash at, while a set is on its way; applying again has to mend it. */
import { crashSteps, type CrashStep } from '../../../../src/emulator/replication/steps';
import { prepare, SCENARIOS, Try } from './support/scenarios';

const STEPS = Object.keys(crashSteps) as CrashStep[];

let crashes = 0;
afterAll(() => {
  console.log(`${crashes} crashes`);
  expect(crashes).toBeGreaterThan(30);
});

test.each(Object.entries(SCENARIOS))(
  '%s',
  async (_name, scenario) => {
    const start = await prepare(scenario);
    const failures: string[] = [];
    for (const step of STEPS) {
      for (const name of start.members) {
        const one = await Try.begin(start);
        const { replication } = one.clusters.emulator;
        replication.crashAt(name, step);
        await one.apply(scenario.to);
        if (replication.state().crashes[name] === undefined) {
          crashes += 1;
          replication.crashAt(name, undefined);
          const next = await one.apply(scenario.to);
          const problems = [...next.errors, ...(await one.check(scenario))];
          failures.push(...problems.map((problem) => `${name} at ${step}: ${problem}`));
        }
        await one.end();
      }
    }
    expect(failures).toEqual([]);
  },
  300_000,
);
