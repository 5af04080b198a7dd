import type { Assumed, World } from '../model';
import { exchanges, type Exchange } from './answering';
import { decoded, encoded } from './codec';
import { next, type Result, type Run } from './terraform';
import { EFFECTS, type ClusterRequest } from '../../../src/provider/replication/set/decide';

interface Ended {
  readonly world: World;
  readonly result: Result;
  /** The steps of the plan; absent if there was no plan. */
  readonly shown: Run['shown'];
}

/** Takes a run to its end, without faults and without other actors. */
export function runAlone(
  world: World,
  run: Run,
  assumed: Assumed,
  seen: (request: ClusterRequest, way: Exchange) => Exchange = (_, way) => way,
): Ended {
  for (let count = 0; count < 2_000; count += 1) {
    const found = next(run);
    if (found.kind === 'ended') return { world, result: found.result, shown: run.shown };
    const way = seen(found.request, exchanges(world, run.by, found.request, assumed).at(-1)!);
    const after = { world: way.world, run: { ...found.run, outcomes: [...found.run.outcomes, way.outcome] } };
    // Only a change creates new names, so names are numbered only after a change.
    ({ world, run } =
      EFFECTS[found.request.kind] === 'change' ? decoded<typeof after>(encoded(after)) : after);
  }
  throw new Error('a run does not come to an end');
}
