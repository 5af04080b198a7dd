import type { Observation } from './facts';
import type { Message, Phrase } from '../../../../model/messages';
import type { Path } from '../../../../plugin';
import type { Step } from './steps';

/** Where a set is to go: what is to be done, and what must not be done, in any state that its clusters may be in. */
export interface StepPlan {
  /** All clusters that it is about. */
  readonly members: readonly string[];
  /** Abandoned clusters. They are read, since they may come back as primaries. */
  readonly watched: readonly string[];
  /** Ids of secondaries whose paths filters it has to know. */
  readonly ids: readonly string[];
  /** Whether the members' progress decides what may be done. */
  readonly comparesProgress: boolean;
  /** The steps that are next, the most urgent first. None: the set is as wanted. */
  next(observation: Observation): readonly Step[];
  /** The clusters that have to answer for a step. */
  needs(step: Step, observation: Observation): readonly string[];
  /** The ids that members have in this observation. */
  ownIds(observation: Observation): readonly string[];
  /**
   * Why nothing must be done.
   *
   * @param own further ids that members had: one that has just left may still be shown as connected.
   */
  refusals(observation: Observation, own?: ReadonlySet<string>): readonly Refusal[];
  /** The plan to follow where a promotion is not possible, after the old primary has stepped down for it. */
  back(observation: Observation): StepPlan | undefined;
  /** Further advice for a user who is stuck in this situation. */
  advice(observation: Observation): Phrase | undefined;
}

/** Why nothing is done. */
export interface Refusal extends Message {
  /** The place in the configuration. */
  readonly path: Path;
}
