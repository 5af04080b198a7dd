/** The search finds the faults of naive processes, each by the shortest path. */
import { Assumed } from '../../src/emulator/assume';
import { newWorld, step, type Answer, type Request, type World } from './model';
import { erasesOnlyConfirmed, LOOKS_BEFORE_PROMOTION } from './properties';
import { search, type Act, type Bound, type Process } from './search';

const assumptions = new Assumed();
const assumed: Bound['assumed'] = (name) => assumptions.of(name);

/** A process that makes one request after the other, and ends at the first that does not succeed. */
function inOrder(requests: readonly (readonly [number, Request])[], mayGoOn = succeeded): Process {
  return {
    start: 0,
    decide(at: number): Act {
      const next = requests[at];
      return next === undefined ? { kind: 'done' } : { kind: 'request', cluster: next[0], request: next[1] };
    },
    remember: (at: number, _: Act, answer: Answer | null) => (mayGoOn(answer) ? at + 1 : requests.length),
  };
}

function succeeded(answer: Answer | null): boolean {
  return answer !== null && answer.status < 300;
}

/** As before, unless a cluster reports that it is a primary. */
function unlessPrimary(answer: Answer | null): boolean {
  return succeeded(answer) && (answer?.data as { mode?: string } | undefined)?.mode !== 'primary';
}

const PROMOTE: Request = { kind: 'promote', addr: '', force: true };

/** A primary and a secondary that it has lost, with logins of process 1 and of a person. */
function pair(): World {
  let world = newWorld(2);
  for (const cluster of [0, 1]) {
    for (const by of [0, 1]) world = step(world, { cluster, by, request: { kind: 'login' } }, assumed).world;
    world = step(world, { cluster, by: 0, request: { kind: 'enable-primary', addr: '' } }, assumed).world;
    world.clusters[cluster]!.busy = false;
  }
  world = step(world, { cluster: 1, by: 0, request: { kind: 'demote' } }, assumed).world;
  world.clusters[1]!.busy = false;
  return world;
}

const PAIR: Omit<Bound, 'process'> = {
  start: pair(),
  assumed,
  properties: [LOOKS_BEFORE_PROMOTION, erasesOnlyConfirmed([])],
  faults: 1,
  hands: 1,
  byHand: [{ cluster: 0, request: { kind: 'demote' } }],
};

test('a process that promotes without a look is found, by the shortest path', () => {
  const { violations } = search({ ...PAIR, process: inOrder([[1, PROMOTE]]) });
  expect(violations.get(LOOKS_BEFORE_PROMOTION.name)).toEqual(['1 promote: 200']);
});

test('a process that ignores the status of the primary is found', () => {
  const careless = inOrder([
    [0, { kind: 'status' }],
    [1, PROMOTE],
  ]);
  expect(search({ ...PAIR, process: careless }).violations.has(LOOKS_BEFORE_PROMOTION.name)).toBe(true);
});

test('a process that promotes only where no other cluster is a primary violates nothing', () => {
  const careful = inOrder(
    [
      [0, { kind: 'status' }],
      [1, PROMOTE],
    ],
    unlessPrimary,
  );
  const { violations, states, transitions } = search({ ...PAIR, process: careful });
  expect([...violations]).toEqual([]);
  expect(states).toBeGreaterThan(5);
  expect(transitions).toBeGreaterThan(states);
});

test('a process that erases a cluster is found unless its loss is confirmed', () => {
  let start = newWorld(2);
  for (const cluster of [0, 1])
    start = step(start, { cluster, by: 1, request: { kind: 'login' } }, assumed).world;
  start.clusters[1]!.key = '§k0';
  const token = { id: 'x', set: '§s0', addr: 'c0', key: '§k1', for: '§k0' };
  const process = inOrder([[1, { kind: 'enable-secondary', token }]]);
  const erasing = (confirmed: readonly number[]) =>
    search({ ...PAIR, start, process, properties: [erasesOnlyConfirmed(confirmed)] }).violations.size;
  expect(erasing([])).toBe(1);
  expect(erasing([1])).toBe(0);
});
