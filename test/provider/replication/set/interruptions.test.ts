/** Every request of every way that a set can take is broken in turn; the next apply has to mend it. */
import type { Interruption } from './support/interruption';
import { prepare, SCENARIOS, Try } from './support/scenarios';

let points = 0;

test.each(Object.entries(SCENARIOS))(
  '%s',
  async (_name, scenario) => {
    const start = await prepare(scenario);
    const undisturbed = await Try.begin(start);
    const { requests, errors } = await undisturbed.apply(scenario.to);
    expect([...errors, ...(await undisturbed.check(scenario))]).toEqual([]);
    await undisturbed.end();

    const failures: string[] = [];
    for (const [at, request] of requests.entries()) {
      const interruptions: readonly Interruption[] =
        request.method === 'GET'
          ? ['killed before', 'dropped before']
          : ['killed before', 'killed after', 'dropped before', 'dropped after'];
      for (const interruption of interruptions) {
        const where = `request ${at} (${request.method} ${request.path}) ${interruption}`;
        const one = await Try.begin(start);
        await one.apply(scenario.to, at, interruption);
        const next = await one.apply(scenario.to);
        const problems = [...next.errors, ...(await one.check(scenario))];
        if (scenario.to) {
          const last = await one.apply(scenario.to);
          if (last.steps !== null) problems.push(`the plan after that: ${JSON.stringify(last)}`);
        }
        failures.push(...problems.map((problem) => `${where}: ${problem}`));
        await one.end();
        points += 1;
      }
    }
    expect(failures).toEqual([]);
  },
  300_000,
);

afterAll(() => {
  console.log(`${points} points were interrupted`);
  expect(points).toBeGreaterThan(400);
});
