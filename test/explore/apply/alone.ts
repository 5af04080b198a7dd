import { withNumbers, type Assumed, type World } from '../model';
import { exchanges, isRead, type Exchange } from './answering';
import { requestsIn, type Result, type Run } from './terraform';
import { Values } from './values';
import type { ClusterRequest } from '../../../src/provider/replication/set/decide';

interface Ended {
  readonly world: World;
  readonly result: Result;
  /** The steps of the plan; absent if there was no plan. */
  readonly shown: Run['shown'];
}

/** The first number for names that servers invent during a run. Earlier names have lower ones. */
const NEW = 1000;

/** Takes a run to its end, without faults and without other actors. */
export function runAlone(
  world: World,
  run: Run,
  assumed: Assumed,
  seen: (request: ClusterRequest, way: Exchange) => Exchange = (_, way) => way,
): Ended {
  const values = new Values();
  ({ world, run } = values.numbered({ world, run }));
  const requests = requestsIn(run);
  let next = requests.next();
  for (let count = 0; count < 2_000; count += 1) {
    if (next.done === true) {
      const ended = values.numbered({ world, stored: next.value.stored });
      return { world: ended.world, result: { ...next.value, stored: ended.stored }, shown: run.shown };
    }
    run = next.value.run;
    const { request } = next.value;
    const way = seen(request, exchanges(world, run.by, request, assumed).at(-1)!);
    const { world: after, outcome } = isRead(request) ? way : named(way, NEW + count);
    world = after;
    next = requests.next(outcome);
  }
  throw new Error('a run does not come to an end');
}

/** Gives a number to the names that a server has invented for an answer. */
function named({ world, outcome }: Exchange, number: number): Pick<Exchange, 'world' | 'outcome'> {
  if ('error' in outcome) return { world: withNumbers(world, number), outcome };
  const [after, value] = withNumbers([world, outcome.value] as const, number);
  return { world: after, outcome: { value } };
}
