/** Clusters crash at each step of each scenario, and the next apply has to complete the change. */
import { Site } from '../../../../src/emulator/replication/site';
import type { CrashStep } from '../../../../src/emulator/replication/steps';
import { prepare, SCENARIOS, Try, type Scenario, type Start } from './support/scenarios';

/** The steps that clusters reach in each scenario without a crash. */
async function stepsOf(scenario: Scenario, start: Start): Promise<readonly (readonly [string, CrashStep])[]> {
  const one = await Try.begin(start, scenario);
  const reached = jest.spyOn(Site.prototype, 'reached');
  await one.apply(scenario.to);
  const steps = new Map<string, readonly [string, CrashStep]>();
  reached.mock.calls.forEach(([step], call) => {
    const { name } = reached.mock.contexts[call] as Site;
    steps.set(`${name} at ${step}`, [name, step]);
  });
  reached.mockRestore();
  await one.end();
  return [...steps.values()];
}

let crashes = 0;
afterAll(() => {
  console.log(`${crashes} crashes`);
  expect(crashes).toBeGreaterThan(30);
});

test.each(Object.entries(SCENARIOS))('an apply repairs a crash at each step: %s', async (_name, scenario) => {
  const start = await prepare(scenario);
  const failures: string[] = [];
  for (const [name, step] of await stepsOf(scenario, start)) {
    const one = await Try.begin(start, scenario);
    const { replication } = one.clusters.emulator;
    replication.crashAt(name, step);
    await one.apply(scenario.to);
    expect(replication.state().crashes).toEqual({});
    crashes += 1;
    const next = await one.applyNext(scenario);
    const problems = [...next.errors, ...(await one.check(scenario))];
    failures.push(...problems.map((problem) => `${name} at ${step}: ${problem}`));
    await one.end();
  }
  expect(failures).toEqual([]);
});
