import type { Transition } from '../../../../model';
import { linesOf } from '../../../../model/messages';
import type { StepPlan, Refusal } from './step-plan';
import {
  factsOf,
  newFacts,
  type ClusterFacts,
  type Filter,
  type PrimaryFacts,
  type SecondaryFacts,
  type Observation,
} from './facts';
import { inWords } from './messages';
import { isSameSecondary } from './relations';
import { transitionBy, type Follow, type Join, type Step } from './steps';

/** The number of steps per cluster after which a plan is considered endless. */
const STEPS_PER_CLUSTER = 10;

/**
 * Returns all steps of a plan for an observation, if each step has the effect that the model
 * describes.
 */
export function stepsOf(stepPlan: StepPlan, observation: Observation): readonly Step[] {
  return [...stepByStep(stepPlan, observation)].map(([step]) => step);
}

/** Yields each step with the observation after it. */
function* stepByStep(
  stepPlan: StepPlan,
  observation: Observation,
): Generator<readonly [Step, Observation], void> {
  const limit = STEPS_PER_CLUSTER * (stepPlan.members.length + stepPlan.ids.length);
  let present = observation;
  for (let taken = 0; taken < limit; taken += 1) {
    const [step] = stepPlan.next(present);
    if (!step) return;
    present = after(step, present);
    yield [step, present];
  }
  throw new Error(`a plan for ${stepPlan.members.join(', ')} does not come to an end`);
}

/**
 * Returns the reasons against a plan, or else the reasons for which the apply would stop after one
 * of its steps. It is assumed that each step has the effect that the model describes. Empty if all
 * steps can be taken. An apply must not begin steps that it cannot complete.
 */
export function refusalsOnTheWay(stepPlan: StepPlan, observation: Observation): readonly Refusal[] {
  const own = new Set(stepPlan.ownIds(observation));
  const refusals = stepPlan.refusals(observation);
  if (refusals.length > 0) return refusals;
  for (const [step, present] of stepByStep(stepPlan, observation)) {
    for (const id of stepPlan.ownIds(present)) own.add(id);
    const later = stepPlan.refusals(present, own);
    if (later.length > 0) return later.map((refusal) => laterRefusal(refusal, step));
  }
  return [];
}

function laterRefusal(refusal: Refusal, step: Step): Refusal {
  const when = `The apply would have to stop after this step:\n  - ${inWords(step)}`;
  return { ...refusal, details: [when, ...linesOf(refusal.details)] };
}

/**
 * Returns all possible steps of a plan: its own steps, and those of the way back from each
 * promotion.
 */
export function possibleSteps(stepPlan: StepPlan, observation: Observation): readonly Step[] {
  let present = observation;
  return stepsOf(stepPlan, observation).flatMap((step) => {
    const back = step.kind === 'promote' ? stepPlan.back(present) : undefined;
    const steps = back ? [step, ...stepsOf(back, present)] : [step];
    present = after(step, present);
    return steps;
  });
}

/** Returns the observation after a step. */
export function after(step: Step, observation: Observation): Observation {
  const { cluster } = step;
  switch (step.kind) {
    case 'join':
    case 'follow':
      return connect(step, observation);
    case 'redirect': {
      const primary = observation[step.primary] as PrimaryFacts;
      const secondaries = { ...primary.secondaries, [step.id]: 'connected' as const };
      return { ...observation, [step.primary]: { ...primary, secondaries } };
    }
    case 'set_filter': {
      const primary = observation[cluster] as PrimaryFacts;
      return { ...observation, [cluster]: withFilter(primary, step.id, step.filter) };
    }
    case 'forget':
      return { ...observation, [cluster]: withoutSecondary(observation[cluster] as PrimaryFacts, step.id) };
    case 'demote': {
      const demoted = { [cluster]: afterTransition(transitionBy(step)!, observation[cluster]!) };
      return { ...withoutConnections(observation[cluster] as PrimaryFacts, observation), ...demoted };
    }
    case 'promote': {
      const primary = afterTransition(transitionBy(step)!, observation[cluster]!) as PrimaryFacts;
      // Without force, a cluster is promoted only once it has all writes of the set.
      const hasWritesOf = Object.keys(observation).filter(
        (name) => name !== cluster && isOfSet(observation[name]!, primary),
      );
      return { ...observation, [cluster]: step.forced ? primary : { ...primary, hasWritesOf } };
    }
    default:
      return { ...observation, [cluster]: afterTransition(transitionBy(step)!, observation[cluster]!) };
  }
}

/**
 * Returns the facts of a cluster after a change of mode. It keeps its own id, which distinguishes
 * members that report the same secondary id.
 */
function afterTransition({ to, clusterId }: Transition, before: ClusterFacts): ClusterFacts {
  const kept = clusterId === 'kept' ? (before as PrimaryFacts | SecondaryFacts).clusterId : 'new';
  return { ...newFacts(to, kept), ...(before.self && { self: before.self }) };
}

/** The secondaries of a primary that steps down lose their connection, and try to restore it. */
function withoutConnections(primary: PrimaryFacts, observation: Observation): Observation {
  const entries = Object.entries(observation).map(([name, facts]): readonly [string, ClusterFacts] => [
    name,
    isOfSet(facts, primary) ? { ...facts, connected: false } : facts,
  ]);
  return Object.fromEntries(entries);
}

function isOfSet(facts: ClusterFacts, { clusterId }: PrimaryFacts): facts is SecondaryFacts {
  return facts.mode === 'secondary' && facts.clusterId === clusterId;
}

/**
 * Returns the observation after a join or a follow. If a cluster has several names, its facts
 * change under all of them.
 */
function connect({ cluster, primary, id, filter }: Join | Follow, observation: Observation): Observation {
  const names = Object.keys(observation).filter((name) =>
    isSameSecondary(factsOf(observation, cluster), factsOf(observation, name)),
  );
  const before = observation[primary] as PrimaryFacts;
  const { clusterId } = before;
  const connected = (name: string): SecondaryFacts => {
    const self = observation[name]?.self;
    return {
      mode: 'secondary',
      clusterId,
      secondaryId: id,
      connected: true,
      alone: false,
      ...(self && { self }),
    };
  };
  return {
    ...observation,
    ...Object.fromEntries([cluster, ...names].map((name) => [name, connected(name)])),
    [primary]: withFilter(
      { ...before, secondaries: { ...before.secondaries, [id]: 'connected' } },
      id,
      filter,
    ),
  };
}

function withoutSecondary(before: PrimaryFacts, id: string): PrimaryFacts {
  const others = Object.entries(before.secondaries).filter(([each]) => each !== id);
  return withFilter({ ...before, secondaries: Object.fromEntries(others) }, id, null);
}

function withFilter(before: PrimaryFacts, id: string, filter: Filter | null): PrimaryFacts {
  return { ...before, filters: { ...before.filters, [id]: filter } };
}
