import type { PrivateState } from '../../../plugin';
import type { World } from './planner';

const OBSERVED = 'observed';
const CONFIRMED = 'confirmed';

/** What is kept beside the state of a set, for the plan and the next apply. */
export class Memory {
  readonly #privateState: PrivateState;

  constructor(privateState: PrivateState) {
    this.#privateState = privateState;
  }

  /** The clusters as they were seen last. Plans are made from it, so that planning twice gives the same. */
  get observed(): World {
    return (this.#privateState.get(OBSERVED) as World | undefined) ?? {};
  }

  set observed(world: World) {
    this.#privateState.set(OBSERVED, world);
  }

  /** The clusters whose confirmation of data loss was used: it said nothing of what they hold since. */
  get confirmed(): readonly string[] {
    return (this.#privateState.get(CONFIRMED) as readonly string[] | undefined) ?? [];
  }

  set confirmed(names: readonly string[]) {
    this.#privateState.set(CONFIRMED, names);
  }
}
