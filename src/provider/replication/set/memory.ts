import type { PrivateState } from '../../../plugin';
import type { Observation } from './planner';

const OBSERVED = 'observed';
const CONFIRMED = 'confirmed';
const LEFT_IDS = 'left_ids';

/** Texts of `confirm_data_loss`, by the names of clusters. */
export type Confirmations = Readonly<Record<string, readonly string[]>>;

/** The private state of a set, for the plan and the next apply. */
export class Memory {
  readonly #privateState: PrivateState;

  constructor(privateState: PrivateState) {
    this.#privateState = privateState;
  }

  /** The clusters as they were seen last. Plans are made from it, so that planning twice gives the same. */
  get observed(): Observation {
    return (this.#privateState.get(OBSERVED) as Observation | undefined) ?? {};
  }

  set observed(observation: Observation) {
    this.#privateState.set(OBSERVED, observation);
  }

  /** The ids that members had before their present ones, and that are not revoked yet. The state only has the present ones. */
  get leftIds(): readonly string[] {
    return (this.#privateState.get(LEFT_IDS) as readonly string[] | undefined) ?? [];
  }

  set leftIds(ids: readonly string[]) {
    this.#privateState.set(LEFT_IDS, ids);
  }

  /**
   * The confirmations of data loss that were used, by cluster: they do not cover data that it has
   * received since.
   */
  get confirmed(): Confirmations {
    const stored = this.#privateState.get(CONFIRMED) as Confirmations | readonly string[] | undefined;
    // Earlier versions stored the names alone.
    return Array.isArray(stored)
      ? Object.fromEntries(stored.map((name: string) => [name, [name]]))
      : ((stored as Confirmations | undefined) ?? {});
  }

  set confirmed(confirmations: Confirmations) {
    this.#privateState.set(CONFIRMED, confirmations);
  }
}
