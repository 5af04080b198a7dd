import type { Transition } from '../../../../model';
import { linesOf } from '../../../../model/messages';
import type { Course, Refusal } from './course';
import {
  factsOf,
  newFacts,
  type ClusterFacts,
  type Filter,
  type PrimaryFacts,
  type SecondaryFacts,
  type World,
} from './facts';
import { inWords } from './messages';
import { isSameSecondary } from './relations';
import { transitionBy, type Follow, type Join, type Step } from './steps';

/** The number of steps per cluster after which a plan is considered endless. */
const STEPS_PER_CLUSTER = 10;

/** All steps of a course from a world on, if each has the effect that the model says. */
export function stepsOf(course: Course, world: World): readonly Step[] {
  const steps: Step[] = [];
  const limit = STEPS_PER_CLUSTER * (course.members.length + course.ids.length);
  for (let present = world; steps.length < limit; present = after(steps.at(-1)!, present)) {
    const [step] = course.next(present);
    if (!step) return steps;
    steps.push(step);
  }
  throw new Error(`a plan for ${course.members.join(', ')} does not come to an end`);
}

/**
 * Returns why nothing must be done, or why the apply would stop after one of its steps, if each step has the effect that the
 * model describes. Empty: it can take all of them. An apply must not begin what it cannot finish.
 */
export function refusalsOnTheWay(course: Course, world: World): readonly Refusal[] {
  const own = new Set(course.ownIds(world));
  const refusals = course.refusals(world);
  if (refusals.length > 0) return refusals;
  let present = world;
  for (const step of stepsOf(course, world)) {
    present = after(step, present);
    for (const id of course.ownIds(present)) own.add(id);
    const later = course.refusals(present, own);
    if (later.length > 0) return later.map((refusal) => laterRefusal(refusal, step));
  }
  return [];
}

function laterRefusal(refusal: Refusal, step: Step): Refusal {
  const when = `The apply would have to stop after this step:\n  - ${inWords(step)}`;
  return { ...refusal, details: [when, ...linesOf(refusal.details)] };
}

/** All steps that a course may come to: its own, and those of the way back from each promotion. */
export function possibleSteps(course: Course, world: World): readonly Step[] {
  let present = world;
  return stepsOf(course, world).flatMap((step) => {
    const back = step.kind === 'promote' ? course.back(present) : undefined;
    const steps = back ? [step, ...stepsOf(back, present)] : [step];
    present = after(step, present);
    return steps;
  });
}

/** The world after a step. */
export function after(step: Step, world: World): World {
  const { cluster } = step;
  switch (step.kind) {
    case 'join':
    case 'follow':
      return connect(step, world);
    case 'redirect': {
      const primary = world[step.primary] as PrimaryFacts;
      const secondaries = { ...primary.secondaries, [step.id]: 'connected' as const };
      return { ...world, [step.primary]: { ...primary, secondaries } };
    }
    case 'set_filter': {
      const primary = world[cluster] as PrimaryFacts;
      return { ...world, [cluster]: withFilter(primary, step.id, step.filter) };
    }
    case 'forget':
      return { ...world, [cluster]: withoutSecondary(world[cluster] as PrimaryFacts, step.id) };
    case 'demote': {
      const demoted = { [cluster]: afterTransition(transitionBy(step)!, world[cluster]!) };
      return { ...withoutConnections(world[cluster] as PrimaryFacts, world), ...demoted };
    }
    case 'promote': {
      const primary = afterTransition(transitionBy(step)!, world[cluster]!) as PrimaryFacts;
      // Unless it was forced, it was promoted once it had all writes of the set.
      const hasWritesOf = Object.keys(world).filter(
        (name) => name !== cluster && isOfSet(world[name]!, primary),
      );
      return { ...world, [cluster]: step.forced ? primary : { ...primary, hasWritesOf } };
    }
    default:
      return { ...world, [cluster]: afterTransition(transitionBy(step)!, world[cluster]!) };
  }
}

function afterTransition({ to, clusterId }: Transition, before: ClusterFacts): ClusterFacts {
  return newFacts(to, clusterId === 'kept' ? (before as PrimaryFacts | SecondaryFacts).clusterId : 'new');
}

/** The secondaries of a primary that steps down lose their connection, and try to restore it. */
function withoutConnections(primary: PrimaryFacts, world: World): World {
  const entries = Object.entries(world).map(([name, facts]): readonly [string, ClusterFacts] => [
    name,
    isOfSet(facts, primary) ? { ...facts, connected: false } : facts,
  ]);
  return Object.fromEntries(entries);
}

function isOfSet(facts: ClusterFacts, { clusterId }: PrimaryFacts): facts is SecondaryFacts {
  return facts.mode === 'secondary' && facts.clusterId === clusterId;
}

/** A cluster with several names changes under all of them. */
function connect({ kind, cluster, primary, id, filter }: Join | Follow, world: World): World {
  const names = Object.keys(world).filter((name) =>
    isSameSecondary(factsOf(world, cluster), factsOf(world, name)),
  );
  const before = world[primary] as PrimaryFacts;
  const { clusterId } = before;
  const connected = (name: string): SecondaryFacts => {
    // A cluster that was wiped may get another id.
    const self = kind === 'follow' ? world[name]?.self : undefined;
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
    ...world,
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
