/**
 * Breaks each request of each scenario, one at a time; the next apply has to complete the change.
 *
 * - Changes are broken in all ways, with one exception: only the first change is broken by a kill
 *   before it. A process that is killed before a later change leaves the same clusters and state as
 *   one that is killed after the previous change.
 * - Requests that belong to the provider alone, such as a login, are dropped once after each
 *   change.
 * - The client repeats reads, so that its callers do not notice a dropped one. To check this, each
 *   read of an apply is dropped once, and the apply has to end as usual.
 */
import type { Interrupt, Interruption, SeenRequest } from './support/interruption';
import { prepare, SCENARIOS, Try, type Scenario, type Start } from './support/scenarios';

/** The paths of requests that belong to the provider alone. */
const OWN = /^auth\/(operators\/login|token\/revoke-self)$|^sys\/capabilities-self$/;

interface Point {
  readonly at: number;
  readonly interruption: Interruption;
}

/** @param first the number of the first request to break. */
function pointsOf(requests: readonly SeenRequest[], first: number): readonly Point[] {
  const points: Point[] = [{ at: first, interruption: 'killed before' }];
  const add = (at: number, ...interruptions: readonly Interruption[]) => {
    if (at >= first) points.push(...interruptions.map((interruption) => ({ at, interruption })));
  };
  let own = new Set<string>();
  for (const [at, { method, path }] of requests.entries()) {
    if (method === 'GET') continue;
    if (!OWN.test(path)) {
      own = new Set();
      add(at, 'killed after', 'dropped before', 'dropped after');
    } else if (!own.has(path)) {
      own.add(path);
      add(at, 'dropped before', 'dropped after');
    }
  }
  return points;
}

/** Drops each read once, but not its repetition. */
function droppingLooks(): Interrupt {
  const dropped = new Set<string>();
  return ({ method, origin, path }) => {
    const look = `${origin}/${path}`;
    if (method !== 'GET' || dropped.delete(look)) return undefined;
    dropped.add(look);
    return 'dropped before';
  };
}

/**
 * Applies, and then applies the next configuration, which has to complete the set.
 *
 * @returns the requests of the first apply
 */
async function reach(
  scenario: Scenario,
  start: Start,
  interrupt?: Interrupt,
): Promise<readonly SeenRequest[]> {
  const one = await Try.begin(start, scenario);
  const { requests, errors } = await one.apply(scenario.to, interrupt);
  expect(errors).toEqual(scenario.error ? [expect.stringContaining(scenario.error)] : []);
  if (scenario.error) expect(await one.applyNext(scenario)).toMatchObject({ errors: [] });
  expect(await one.check(scenario)).toEqual([]);
  await one.end();
  return requests;
}

/** Returns the faults after an interrupted apply and the applies that follow it. */
async function problemsAfter(
  { at, interruption }: Point,
  scenario: Scenario,
  start: Start,
): Promise<readonly string[]> {
  const one = await Try.begin(start, scenario);
  await one.apply(scenario.to, (_request, number) => (number === at ? interruption : undefined));
  let next = await one.applyNext(scenario);
  // If the first apply was killed before it could restore the old primary, this apply does so.
  if (scenario.error && next.errors[0]?.includes(scenario.error)) next = await one.applyNext(scenario);
  const problems = [...next.errors, ...(await one.check(scenario))];
  if (scenario.to) {
    const last = await one.applyNext(scenario);
    if (last.steps !== null) problems.push(`the plan after that: ${JSON.stringify(last)}`);
  }
  await one.end();
  return problems;
}

let broken = 0;
afterAll(() => {
  console.log(`${broken} requests were broken`);
  expect(broken).toBeGreaterThan(150);
});

test.each(Object.entries(SCENARIOS))('an apply repairs each interruption: %s', async (_name, scenario) => {
  const start = await prepare(scenario);
  const requests = await reach(scenario, start);
  await reach(scenario, start, droppingLooks());

  const first = requests.findIndex(({ path }) => path.endsWith(scenario.since ?? ''));
  const failures: string[] = [];
  for (const point of pointsOf(requests, first)) {
    const { method, path } = requests[point.at]!;
    const where = `request ${point.at} (${method} ${path}) ${point.interruption}`;
    failures.push(...(await problemsAfter(point, scenario, start)).map((problem) => `${where}: ${problem}`));
    broken += 1;
  }
  expect(failures).toEqual([]);
});
