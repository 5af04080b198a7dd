import { isNotYet, VaultError } from '../../../../client';
import { DiagnosticError } from '../../../../plugin';
import { inWords, list, quote, stepsOf, type Course, type Step, type World } from '../planner';
import { Account } from './account';
import { takeStep } from './actions';
import { revokeUnused } from './admission';
import type { Fleet } from './fleet';
import { observe } from './observe';
import { checkRights } from './preflight';
import type { SetSettings } from './settings';

/** How often one step is begun in one apply: what was interrupted may be done, or not. */
const TRIES = 3;

/** Steps that reviewers have to have seen. The others neither erase nor move anything. */
const HARMLESS: ReadonlySet<Step['kind']> = new Set<Step['kind']>(['set_filter', 'forget']);

export interface WalkOptions {
  readonly fleet: Fleet;
  readonly settings: SetSettings;
  /** Clusters whose data is looked for before they join. */
  readonly lookInto: readonly string[];
  /** What is known from before. */
  readonly before: World;
  /** The steps that were planned, in words. Absent: the plan could not tell. */
  readonly planned: readonly string[] | undefined;
  /** Told of what was reached after each step. */
  readonly onReached: (world: World) => void;
  /** Clusters that have to have received everything in the end, also where an earlier apply let them join. */
  readonly settle: readonly string[];
}

export interface Walked {
  /** The world at the end. */
  readonly world: World;
  /** The steps that were taken, in words. */
  readonly done: readonly string[];
}

/**
 * Takes the steps of a course, one after the other. The clusters are looked at before each: what an interrupted apply,
 * or somebody else, has done already is not done again, and what must not be done now is not.
 *
 * @returns once nothing is left to do.
 * @throws DiagnosticError that says what was reached, and what to do.
 */
export async function walk(course: Course, options: WalkOptions): Promise<Walked> {
  const { fleet, settings, lookInto } = options;
  const { members, ids } = course;
  const account = new Account(fleet, members);
  const tries = new Map<string, number>();
  const waitedFor = new Set<string>();
  const answered = new Set<string>();
  const look = (before: World) => observe(fleet, members, { ids, lookInto, before });
  let checked = false;

  for (let world = await look(options.before); ; options.onReached(world)) {
    if (fleet.stopped)
      throw await account.error(`${fleet.title}: stopped`, 'To do: apply again, which goes on from here.');
    const [refusal] = course.refusals(world);
    if (refusal) throw await account.error(`${fleet.title}: ${refusal.summary}`, refusal.detail, refusal);

    const next = course.next(world);
    for (const name of members) if (world[name]?.unreachable === undefined) answered.add(name);
    const missing = (step: Step) => course.needs(step).filter((name) => isMissing(step, name, world));
    const step = next.find((each) => missing(each).length === 0);
    if (!step) {
      const [blocked] = next;
      if (!blocked) {
        await Promise.all(options.settle.map((name) => settle(name, world)));
        return { world, done: account.done };
      }
      const lost = missing(blocked);
      const silent = lost.find((name) => !waitedFor.has(name));
      if (silent === undefined) throw await unreachable(blocked, lost, world);
      waitedFor.add(silent);
      await fleet.waitForAnswer(silent, settings.limits.modeChange);
      world = await look(world);
      continue;
    }

    if (!isPlanned(step)) throw await notPlanned(step);
    if (!checked) await check(world);
    checked = true;

    const words = inWords(step);
    const tried = (tries.get(words) ?? 0) + 1;
    tries.set(words, tried);
    const failure = await attempt(step, world);
    world = await look(forgetting(step, world));
    if (failure === undefined) account.add(step);
    else if (tried >= TRIES || (isNext(step, world) && !mayPass(failure))) {
      await revokeUnused(fleet, step, world);
      throw await failed(step, failure, world);
    }
  }

  async function check(world: World): Promise<void> {
    try {
      await checkRights(fleet, stepsOf(course, world), world);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      throw await account.error(error.summary, error.detail, { cause: error });
    }
  }

  /** A secondary that answered a moment ago is no primary now: the set must not be left without one because of it. */
  function isMissing(step: Step, name: string, world: World): boolean {
    const facts = world[name];
    if (facts?.unreachable === undefined) return false;
    const harmless = step.kind === 'promote' && name !== step.cluster && answered.has(name);
    return !(harmless && facts.mode === 'secondary');
  }

  async function attempt(step: Step, world: World): Promise<DiagnosticError | VaultError | undefined> {
    fleet.log.info(`${fleet.title}: ${inWords(step)}`);
    try {
      await takeStep(step, { fleet, settings, world });
      return undefined;
    } catch (error) {
      if (!(error instanceof DiagnosticError) && !VaultError.is(error)) throw error;
      fleet.log.warn(`${fleet.title}: ${inWords(step)}: ${error.message}`);
      return error;
    }
  }

  async function settle(name: string, world: World): Promise<void> {
    if (world[name]?.unreachable !== undefined) return;
    try {
      await fleet.waitForStream(name, 0, settings.limits.sync);
    } catch (error) {
      if (!VaultError.is(error)) throw error;
      throw await fail(
        world,
        `${fleet.title}: ${quote(name)} does not follow its primary`,
        `${upperFirst(error.message)}.`,
      );
    }
  }

  /** Whether the step is still to be taken: a failure may have come after its effect. */
  function isNext(step: Step, world: World): boolean {
    return course.next(world).some((each) => inWords(each) === inWords(step));
  }

  function isPlanned(step: Step): boolean {
    return (
      HARMLESS.has(step.kind) || options.planned === undefined || options.planned.includes(inWords(step))
    );
  }

  function notPlanned(step: Step): Promise<DiagnosticError> {
    return account.error(
      `${fleet.title}: the clusters have changed since the plan was made`,
      `Now needed, and not in the plan:\n  - ${inWords(step)}\nTo do: plan again, and review the steps.`,
    );
  }

  function unreachable(step: Step, missing: readonly string[], world: World): Promise<DiagnosticError> {
    const reasons = missing.map((name) => `${name}: ${world[name]?.unreachable}`).join('\n');
    return fail(
      world,
      `${fleet.title}: ${list(missing)} cannot be reached, and ${missing.length === 1 ? 'is' : 'are'} needed`,
      `Still to do:\n  - ${inWords(step)}\n${reasons}\n` +
        'To do: apply again once the cluster answers. If it is gone for good, name it in abandoned_clusters; if it was ' +
        'the primary, set force_promotion to the cluster that takes over as well.',
    );
  }

  function failed(step: Step, failure: DiagnosticError | VaultError, world: World): Promise<DiagnosticError> {
    const [summary, detail] =
      failure instanceof DiagnosticError
        ? [failure.summary, failure.detail]
        : [`${fleet.title}: a step did not come to its end`, `${upperFirst(failure.message)}.`];
    return fail(
      world,
      summary,
      `${detail}\nThe step was:\n  - ${inWords(step)}\nTo do: mend the cause and apply again, which goes on from here.`,
      failure,
    );
  }

  function fail(world: World, summary: string, detail: string, cause?: unknown): Promise<DiagnosticError> {
    const advice = course.advice(world);
    return account.error(summary, advice === undefined ? detail : `${detail}\n${advice}`, { cause });
  }
}

/** The filters that a step may have changed are read again. */
function forgetting(step: Step, world: World): World {
  const primary = 'primary' in step ? step.primary : step.cluster;
  const facts = world[primary];
  if (facts?.mode !== 'primary' || !('id' in step)) return world;
  const filters = Object.fromEntries(Object.entries(facts.filters).filter(([id]) => id !== step.id));
  return { ...world, [primary]: { ...facts, filters } };
}

/** Whether trying again may help: the server was busy with a change of its mode, or the connection broke. */
function mayPass(failure: DiagnosticError | VaultError): boolean {
  const error = failure instanceof DiagnosticError ? failure.cause : failure;
  return VaultError.is(error) && isNotYet(error) && error.code !== 'timeout';
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
