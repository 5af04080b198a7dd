import type { PrivateState } from '../../../plugin';
import type { Observation } from './planner';

const OBSERVED = 'observed';
const CONFIRMED = 'confirmed';
const LEFT_IDS = 'left_ids';
const ENDING = 'ending';

/** The texts of `confirm_data_loss`, by the name of the cluster. */
export type Confirmations = Readonly<Record<string, readonly string[]>>;

/** The private state of a set, for the plan and the next apply. */
export class Memory {
  readonly #privateState: PrivateState;

  constructor(privateState: PrivateState) {
    this.#privateState = privateState;
  }

  /**
   * The facts of the clusters at the latest refresh. Plans use them, so that a second plan is equal
   * to the first.
   */
  get observed(): Observation {
    return (this.#privateState.get(OBSERVED) as Observation | undefined) ?? {};
  }

  set observed(observation: Observation) {
    this.#privateState.set(OBSERVED, observation);
  }

  /** Whether the plan ends the set for good. This is false if the plan replaces the set. */
  get ending(): boolean {
    return this.#privateState.get(ENDING) === true;
  }

  noteEnding(): void {
    this.#privateState.set(ENDING, true);
  }

  /**
   * The earlier ids of members that are not revoked yet. The state contains only the present ids.
   */
  get leftIds(): readonly string[] {
    return (this.#privateState.get(LEFT_IDS) as readonly string[] | undefined) ?? [];
  }

  set leftIds(ids: readonly string[]) {
    this.#privateState.set(LEFT_IDS, ids);
  }

  /**
   * The confirmations of data loss that are used up, by cluster. They do not cover data that the
   * cluster has received since.
   */
  get confirmed(): Confirmations {
    const stored = this.#privateState.get(CONFIRMED) as Confirmations | readonly string[] | undefined;
    // Earlier versions stored only the names.
    return Array.isArray(stored)
      ? Object.fromEntries(stored.map((name: string) => [name, [name]]))
      : ((stored as Confirmations | undefined) ?? {});
  }

  set confirmed(confirmations: Confirmations) {
    this.#privateState.set(CONFIRMED, confirmations);
  }
}
