/** Random walks find faults that are planted in the provider. */
import type * as Checks from '../../../../../src/provider/replication/set/planner/checks';
import type { Wire } from '../support/wire';
import type * as Walks from './walk';

const CHECKS = '../../../../../src/provider/replication/set/planner/checks';
const STATUS = 'sys/replication/performance/status';
/**
 * The number of walks after which a fault counts as not found. Usually one of the first few finds
 * it.
 */
const PATIENCE = 200;

let refuses = true;
jest.doMock(CHECKS, () => {
  const checks = jest.requireActual<typeof Checks>(CHECKS);
  return {
    ...checks,
    refusals: (...world: Parameters<typeof checks.refusals>) => (refuses ? checks.refusals(...world) : []),
  };
});
const { walk } = jest.requireActual<typeof Walks>('./walk');

/** @param first the seed of the first walk, chosen so that the fault is found soon. */
async function expectFound(problem: RegExp, plant: Walks.Plant = {}, first = 1): Promise<void> {
  for (let seed = first; seed < first + PATIENCE; seed += 1) {
    const { problems } = await walk(seed, plant);
    if (problems.some((each) => problem.test(each))) {
      process.stdout.write(`found with seed ${seed}\n`);
      return;
    }
  }
  throw new Error(`not found in ${PATIENCE} walks`);
}

afterEach(() => {
  refuses = true;
});

test('a provider that refuses nothing loses data', async () => {
  refuses = false;
  await expectFound(/is lost, which/, {}, 302);
});

test('a provider that does not see the primary makes a second one', async () => {
  const sight = (wire: Wire, primary: () => string): Wire => {
    return async (request) => {
      const answer = await wire(request);
      if (!request.path.endsWith(STATUS) || request.origin.includes(`/${primary()}.`)) return answer;
      const hidden = answer.body.replace(
        '"mode":"primary"',
        '"mode":"secondary","secondary_id":"","primaries":[]',
      );
      return { ...answer, body: hidden.replace('"state":"running"', '"state":"idle"') };
    };
  };
  await expectFound(/is (promoted|enabled) beside/, { sight });
});

test('a provider that does not read a lost primary again promotes another one beside it', async () => {
  const sight = (wire: Wire, primary: () => string): Wire => {
    const lost = new Set<string>();
    return async (request) => {
      if (!request.path.endsWith(STATUS)) return wire(request);
      const seen = `${request.origin}, seen for ${primary()}`;
      if (lost.has(seen)) throw new Error('socket hang up');
      try {
        return await wire(request);
      } catch (error) {
        lost.add(seen);
        throw error;
      }
    };
  };
  await expectFound(/is promoted beside/, { sight }, 27);
});

test('a plan that does not show its steps is found', async () => {
  await expectFound(/was not planned/, { steps: () => [] });
});
