/** Every request of every way that a set can take is broken in turn; the next apply has to mend it. */
import type { Interruption, SeenRequest } from './support/interruption';
import { prepare, SCENARIOS, Try } from './support/scenarios';

/** What is only looked at, and what belongs to the provider alone. */
const CHANGES_NOTHING = /^auth\/(operators\/login|token\/revoke-self)$|^sys\/capabilities-self$/;

/** A process that is killed before a request has left what its last change has left: that is killed after it. */
function interruptionsOf({ method, path }: SeenRequest, at: number): readonly Interruption[] {
  const first: readonly Interruption[] = at === 0 ? ['killed before'] : [];
  if (method === 'GET') return [...first, 'dropped before'];
  if (CHANGES_NOTHING.test(path)) return [...first, 'dropped before', 'dropped after'];
  return ['killed before', 'killed after', 'dropped before', 'dropped after'];
}

let points = 0;

test.each(Object.entries(SCENARIOS))(
  '%s',
  async (_name, scenario) => {
    const start = await prepare(scenario);
    const undisturbed = await Try.begin(start, scenario);
    const { requests, errors } = await undisturbed.apply(scenario.to);
    expect(errors).toEqual(scenario.error ? [expect.stringContaining(scenario.error)] : []);
    if (scenario.error) expect(await undisturbed.applyNext(scenario)).toMatchObject({ errors: [] });
    expect(await undisturbed.check(scenario)).toEqual([]);
    await undisturbed.end();

    const first = requests.findIndex(({ path }) => path.endsWith(scenario.since ?? ''));
    const failures: string[] = [];
    for (const [at, request] of requests.entries()) {
      if (at < first) continue;
      for (const interruption of interruptionsOf(request, at)) {
        const where = `request ${at} (${request.method} ${request.path}) ${interruption}`;
        const one = await Try.begin(start, scenario);
        await one.apply(scenario.to, at, interruption);
        let next = await one.applyNext(scenario);
        // One that was killed before it could turn back: the next one does so.
        if (scenario.error && next.errors[0]?.includes(scenario.error)) next = await one.applyNext(scenario);
        const problems = [...next.errors, ...(await one.check(scenario))];
        if (scenario.to) {
          const last = await one.applyNext(scenario);
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
