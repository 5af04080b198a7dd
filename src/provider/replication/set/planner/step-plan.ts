import type { Observation } from './facts';
import type { Message, Phrase } from '../../../../model/messages';
import type { Path } from '../../../../plugin';
import type { Step } from './steps';

/**
 * The plan for a goal. For any state of the clusters, it returns the next steps and the reasons
 * against them.
 */
export interface StepPlan {
  /** The clusters of the plan. */
  readonly members: readonly string[];
  /** Abandoned and lost clusters. They are read, since they may come back as primaries. */
  readonly watched: readonly string[];
  /** Ids of secondaries whose paths filters the plan has to know. */
  readonly ids: readonly string[];
  /** Whether the reasons depend on the progress of members. */
  readonly comparesProgress: boolean;
  /** Returns the possible next steps, the most urgent first. Empty if the goal is reached. */
  next(observation: Observation): readonly Step[];
  /** Returns the clusters that have to answer before a step. */
  needs(step: Step, observation: Observation): readonly string[];
  /** Returns the ids that members have in an observation. */
  ownIds(observation: Observation): readonly string[];
  /**
   * Returns the reasons against any step.
   *
   * @param own further ids of members: a member that has just left may still be listed as connected
   */
  refusals(observation: Observation, own?: ReadonlySet<string>): readonly Refusal[];
  /**
   * Returns the plan to follow if a promotion is not possible after the old primary has stepped
   * down for it.
   */
  back(observation: Observation): StepPlan | undefined;
  /** Returns further advice for a user whose apply stopped in this situation. */
  advice(observation: Observation): Phrase | undefined;
}

/** The reason to refuse a step. */
export interface Refusal extends Message {
  /** The path of the attribute in the configuration. */
  readonly path: Path;
}
