import { tokenStateAfter, type Transition } from '../../../../model';
import type { Course } from './course';
import {
  newFacts,
  type ClusterFacts,
  type Filter,
  type PrimaryFacts,
  type SecondaryFacts,
  type World,
} from './facts';
import { isSameSecondary } from './relations';
import { takesToken, transitionBy, type Follow, type Join, type Step } from './steps';

/** A plan that has more steps than so many for each cluster goes in circles. */
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
  const transition = transitionBy(step);
  if (!transition) return { ...world, [cluster]: afterPrimaryStep(step, world[cluster] as PrimaryFacts) };
  const next = afterTransition(transition, step, world);
  // Unless it was forced, it was promoted once it had all writes of those.
  const proven = step.kind === 'promote' && !step.forced && next.mode === 'primary';
  const changed = {
    ...world,
    [cluster]: proven ? { ...next, hasWritesOf: step.predecessors } : next,
  };
  if (!takesToken(step)) return changed;
  const names = Object.keys(world).filter((name) => isSameSecondary(world[cluster], world[name]));
  return connect(step, names, changed, tokenStateAfter(transition.trigger) === 'connected');
}

function afterTransition({ to, clusterId }: Transition, step: Step, world: World): ClusterFacts {
  const before = world[step.cluster];
  switch (clusterId) {
    case 'kept':
      return newFacts(to, before && 'clusterId' in before ? before.clusterId : '');
    case 'of_primary':
      return newFacts(to, (world[(step as Join).primary] as PrimaryFacts).clusterId);
    case 'new':
    case 'dropped':
      return newFacts(to, 'new');
  }
}

/** A cluster that goes by several names changes under all of them. */
function connect(
  { cluster, primary, id, filter }: Join | Follow,
  names: readonly string[],
  world: World,
  connects: boolean,
): World {
  const before = world[primary] as PrimaryFacts;
  const { clusterId } = before;
  const connected: SecondaryFacts = {
    mode: 'secondary',
    clusterId,
    secondaryId: id,
    connected: connects,
    alone: false,
  };
  return {
    ...world,
    ...Object.fromEntries([cluster, ...names].map((name) => [name, connected])),
    [primary]: withFilter(
      { ...before, secondaries: { ...before.secondaries, [id]: connects ? 'connected' : 'never' } },
      id,
      filter,
    ),
  };
}

function afterPrimaryStep(step: Step, before: PrimaryFacts): PrimaryFacts {
  switch (step.kind) {
    case 'set_filter':
      return withFilter(before, step.id, step.filter);
    case 'forget': {
      const others = Object.entries(before.secondaries).filter(([id]) => id !== step.id);
      return withFilter({ ...before, secondaries: Object.fromEntries(others) }, step.id, null);
    }
    default:
      throw new Error(`a step ${step.kind} changes a mode`);
  }
}

function withFilter(before: PrimaryFacts, id: string, filter: Filter | null): PrimaryFacts {
  return { ...before, filters: { ...before.filters, [id]: filter } };
}
