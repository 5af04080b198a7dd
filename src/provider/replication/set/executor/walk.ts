import { VaultError } from '../../../../client';
import { PERFORMANCE_PATH, SWITCHOVER_POLICY } from '../../../../model';
import { linesOf, phrase, type Message, type Phrase } from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { contentOf, MessageError, withoutAdvice } from '../../../messages';
import { serverErrorOf } from '../../../objects';
import { mayHaveTakenEffect } from '../../shared/member';
import {
  emptyStorage,
  hasSteppedDown,
  inWords,
  isAttached,
  isDangerous,
  list,
  quote,
  possibleSteps,
  setBack,
  setForce,
  stepsOf,
  takesToken,
  TOKEN_TTL,
  transitionBy,
  type ClusterFacts,
  type Course,
  type Demote,
  type PrimaryFacts,
  type Promote,
  type Step,
  type World,
} from '../planner';
import { Account } from './account';
import { takeStep } from './actions';
import { revokeUnused } from './admission';
import type { Fleet } from './fleet';
import { APPLY_AGAIN, FIX_AND_GO_ON, PLAN_AGAIN } from './messages';
import { mayPass } from './may-pass';
import { observe } from './observe';
import { checkRights } from './preflight';
import { RivalError, Succession } from './succession';
import type { SetSettings } from './settings';
import { TimedOut } from './timed-out';

/** How often one step is begun in one apply: what was interrupted may be done, or not. */
const TRIES = 3;

const THEN_GO_ON = phrase`Then ${APPLY_AGAIN}, which continues from here.`;

interface WalkOptions {
  readonly fleet: Fleet;
  readonly settings: SetSettings;
  /** Clusters whose data is looked for before they join. */
  readonly lookInto: readonly string[];
  /** The earlier facts of the clusters. */
  readonly before: World;
  /** The clusters that the plan was made for: their own ids, by their names. */
  readonly expected: Readonly<Record<string, string>>;
  /**
   * The texts of the planned steps; `unknown` if the plan could not show them; `all` if all steps
   * are approved.
   */
  readonly planned: readonly string[] | 'unknown' | 'all';
  /** Told of what was reached after each step. */
  readonly onReached: (world: World) => void;
  /** Clusters that have to have received everything in the end, also where an earlier apply let them join. */
  readonly settle: readonly string[];
}

interface Walked {
  /** The world at the end. */
  readonly world: World;
  /** The texts of the steps that were taken. */
  readonly done: readonly string[];
}

/**
 * Takes the steps of a course, one after the other. The clusters are read before each: a step that
 * an interrupted apply or another person has already taken is not taken again, and none is taken
 * that must not be taken now.
 *
 * @returns when nothing is left to do.
 * @throws DiagnosticError that says what was reached, and what to do.
 */
export function walk(course: Course, options: WalkOptions): Promise<Walked> {
  return new Walk(course, options).run();
}

class Walk {
  readonly #account: Account;
  readonly #tries = new Map<string, number>();
  /** Abandoned clusters that do not answer. */
  readonly #gone = new Set<string>();
  /** Clusters that did not answer, and were waited for. */
  readonly #waitedFor = new Set<string>();
  /** Secondaries that have to have received everything in the end, with the step that is completed by it, if there is one. */
  readonly #unsettled: Map<string, Step | undefined>;
  /** The primaries that have stepped down in this walk and do not follow another one yet, with their secondary ids at that time. */
  readonly #steppedDown = new Map<string, string>();
  /** Members that followed a primary earlier in this walk, with their secondary ids. */
  readonly #followers = new Map<string, string>();
  /** Clusters that this apply has promoted or tried to promote. */
  readonly #promoted = new Set<string>();
  /** The ids for which this apply has requested activation tokens. */
  readonly #issued = new Set<string>();
  readonly #succession: Succession;
  #course: Course;
  /**
   * Steps that failed on one secondary, by their texts: the other secondaries do not wait for it.
   */
  readonly #postponed = new Map<
    string,
    { readonly step: Step; readonly failure: DiagnosticError | VaultError }
  >();
  /** The promotion that was not possible: since then the walk goes back to the old primary. */
  #turnedBackFrom: Promote | undefined;
  #turnedBackBecause: DiagnosticError | VaultError | undefined;
  #checked = false;
  /** Whether a primary took over from a cluster that did not follow it yet. */
  #hasNote = false;
  readonly #options: WalkOptions;

  constructor(course: Course, options: WalkOptions) {
    this.#options = options;
    this.#course = course;
    this.#account = new Account(options.fleet, course.members);
    this.#unsettled = new Map(options.settle.map((name) => [name, undefined]));
    this.#succession = new Succession(options.fleet);
  }

  async run(): Promise<Walked> {
    const begin = await this.#look(this.#options.before, { identify: true });
    await this.#refuseOthers(begin);
    await this.#refuseUnshown(begin);
    for (let world = begin; ;) {
      await this.#refuse(world);
      const next = this.#course.next(world);
      const isReady = (each: Step) => this.#missingFor(each, world).length === 0;
      const step = next.find((each) => !this.#postponed.has(inWords(each)) && isReady(each));
      const [failed] = next.flatMap((each) => this.#postponed.get(inWords(each)) ?? []);
      if (step) {
        world = await this.#take(step, world);
      } else if (failed) {
        throw await this.#failed(failed.step, failed.failure, world);
      } else if (next[0]) {
        await this.#waitForSomebody(next[0], world);
        world = await this.#look(world);
      } else {
        await this.#settle(world);
        await this.#conclude(world);
        if (this.#turnedBackFrom !== undefined) throw await this.#isBack(this.#turnedBackFrom);
        return { world, done: this.#account.done };
      }
    }
  }

  async #look(before: World, { identify = false } = {}): Promise<World> {
    const { members, watched, ids, comparesProgress } = this.#course;
    const { fleet, lookInto } = this.#options;
    const connections = { promoted: this.#promoted, issued: this.#issued };
    const adjust = (world: World) => this.#withFollowers(world);
    const options = {
      ids,
      lookInto,
      before,
      identify,
      comparesProgress,
      glanceAt: watched,
      adjust,
      ...connections,
    };
    const present = watched.filter((name) => !this.#gone.has(name));
    const seen = await this.#accounted(() => observe(fleet, [...members, ...present], options));
    const world = this.#withStepDowns(seen);
    for (const name of present) if (world[name]?.unreachable !== undefined) this.#gone.add(name);
    const noted = Object.values(world).some((facts) => facts.mode === 'primary' && facts.hasWritesOf?.length);
    this.#hasNote ||= noted;
    return world;
  }

  /**
   * Some servers report a secondary that has lost its primary as if it had stepped down itself. A member that followed the primary
   * earlier in this apply still counts as its follower.
   */
  #withFollowers(world: World): World {
    const primary = Object.values(world).find(
      (facts): facts is PrimaryFacts => facts.mode === 'primary' && facts.unreachable === undefined,
    );
    const kept = Object.entries(world).flatMap(([name, facts]) => {
      if (facts.mode !== 'secondary' || this.#promoted.has(name) || this.#steppedDown.has(name)) return [];
      if (primary && isAttached(facts, primary)) this.#followers.set(name, facts.secondaryId);
      const id = this.#followers.get(name);
      const isSame = id !== undefined && ['', id].includes(facts.secondaryId);
      return isSame && hasSteppedDown(facts)
        ? [[name, { ...facts, secondaryId: id, alone: false }] as const]
        : [];
    });
    return { ...world, ...Object.fromEntries(kept) };
  }

  /** A cluster that stepped down in this apply follows no primary until it gets a token, whatever its status says. */
  #withStepDowns(world: World): World {
    const own = Object.entries(world).flatMap(([name, facts]) =>
      facts.mode === 'secondary' && this.#steppedDown.get(name) === facts.secondaryId && !facts.connected
        ? [[name, { ...facts, alone: true }] as const]
        : [],
    );
    return { ...world, ...Object.fromEntries(own) };
  }

  /** Once all members follow the primary, it no longer matters whose writes it has. */
  async #conclude(world: World): Promise<void> {
    if (!this.#hasNote) return;
    const primary = Object.keys(world).find((name) => world[name]!.mode === 'primary');
    const isOver = !Object.values(world).some(hasSteppedDown);
    if (primary !== undefined && isOver) await this.#succession.withdraw(primary);
  }

  /** If the plan could not list the steps, a walk that needs a dangerous step does not begin: nobody has reviewed it. */
  async #refuseUnshown(world: World): Promise<void> {
    if (this.#options.planned !== 'unknown' || this.#course.refusals(world).length > 0) return;
    const step = stepsOf(this.#course, world).find(isDangerous);
    if (step) throw await this.#notPlanned(step);
  }

  /** A plan is for the clusters that it was made for, not for others under the same names. */
  async #refuseOthers(world: World): Promise<void> {
    const { fleet, expected } = this.#options;
    const other = Object.keys(expected).find((name) => {
      const id = world[name]?.unreachable === undefined ? world[name]?.self?.id : undefined;
      return id !== undefined && id !== expected[name];
    });
    if (other === undefined) return;
    throw await this.#account.error({
      summary: `${fleet.title}: ${quote(other)} is not the cluster that the plan was made for`,
      details: `The cluster at its address has the id ${quote(world[other]!.self!.id)}; in the plan it was ${quote(expected[other]!)}.`,
      cures: phrase`correct the address of cluster ${quote(other)} in the provider's configuration. Or ${PLAN_AGAIN}, and review
          what happens to the cluster that is there now.`,
    });
  }

  async #refuse(world: World): Promise<void> {
    const { fleet } = this.#options;
    if (fleet.stopped) {
      throw await this.#error(world, {
        summary: `${fleet.title}: stopped`,
        cures: phrase`${APPLY_AGAIN}, which continues from here`,
      });
    }
    const [refusal] = this.#course.refusals(world);
    if (!refusal) return;
    // If the primary stepped down in this apply, do not leave the set without one.
    const [next] = this.#steppedDown.size > 0 ? this.#course.next(world) : [];
    if (next?.kind === 'promote' && this.#turnBack(next, new MessageError(refusal), world)) return;
    throw await this.#account.error({ ...refusal, summary: phrase`${fleet.title}: ${refusal.summary}` });
  }

  /** @returns the world after the step, or after an attempt that may have worked or be made again. */
  async #take(step: Step, before: World): Promise<World> {
    const { fleet } = this.#options;
    if (!this.#isPlanned(step)) throw await this.#notPlanned(step);
    await this.#check(before);
    const words = inWords(step);
    const tried = (this.#tries.get(words) ?? 0) + 1;
    if (tried > TRIES) throw await this.#withoutEffect(step, before);
    this.#tries.set(words, tried);

    const failure = await this.#attempt(step, before);
    if (failure === undefined) this.#account.add(step);
    const world = await this.#look(forgetting(step, before));
    this.#options.onReached(world);
    if (step.kind === 'promote') this.#hasNote = true;
    if (failure === undefined) {
      if (step.kind === 'demote') return this.#noteStepDown(step, world);
      if (step.kind === 'follow') this.#steppedDown.delete(step.cluster);
      return world;
    }
    const isNext = this.#isNext(step, world);
    // Another apply may have changed the next step.
    const isDone = !isNext && isInEffect(step, world);
    // If only the answer was lost, the step is complete except for the wait.
    const isSync = takesToken(step) || step.kind === 'redirect';
    if (isSync) this.#unsettled.set(step.cluster, isDone ? step : undefined);
    if (isDone && !isSync) this.#account.add(step);
    else if (isDone || (isNext && (hasChanged(step, before, world) || this.#leavesAnnouncement(step))))
      this.#account.addPart(step, this.#howFar(step, failure, world));
    const final = tried >= TRIES || isDeadline(failure) || (isNext && !mayPass(failure));
    if (final && !fleet.stopped) {
      await revokeUnused(fleet, step, { world, issued: this.#issued });
      if (isOfSecondary(step, failure)) this.#postponed.set(words, { step, failure });
      else if (!this.#turnBack(step, failure, world)) throw await this.#failed(step, failure, world);
    }
    return world;
  }

  #noteStepDown({ cluster }: Demote, world: World): World {
    const facts = world[cluster];
    this.#steppedDown.set(cluster, facts?.mode === 'secondary' ? facts.secondaryId : '');
    return this.#withStepDowns(world);
  }

  /**
   * If no cluster can take over from a primary that has stepped down, it becomes the primary again. Not if the promotion
   * may have been made: there would be two.
   *
   * @returns whether there is a way back.
   */
  #turnBack(step: Step, failure: DiagnosticError | VaultError, world: World): boolean {
    if (step.kind !== 'promote' || step.fallback === undefined || failure instanceof RivalError) return false;
    const back = this.#promoted.has(step.cluster) ? undefined : this.#course.back(world);
    if (!back) return false;
    this.#course = back;
    this.#turnedBackFrom = step;
    this.#turnedBackBecause = failure;
    const isShown = failure instanceof DiagnosticError;
    this.#account.addFailure(step, isShown ? withoutAdvice(failure) : failure.message);
    return true;
  }

  /** Once, before the first step: what the tokens of all clusters may do. */
  async #check(world: World): Promise<void> {
    if (this.#checked) return;
    this.#checked = true;
    await this.#accounted(
      () =>
        checkRights(this.#options.fleet, possibleSteps(this.#course, world), {
          ids: this.#course.ids,
          world,
        }),
      world,
    );
  }

  /**
   * Adds the completed steps to the error if clusters cannot be read.
   *
   * @param world the latest known facts about the clusters.
   */
  async #accounted<R>(look: () => Promise<R>, world: World = {}): Promise<R> {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const content = contentOf(error);
      throw await this.#error(world, serverErrorOf(error) ? goingOn(content, error) : content, error);
    }
  }

  async #attempt(step: Step, world: World): Promise<DiagnosticError | VaultError | undefined> {
    const { fleet, settings } = this.#options;
    fleet.log.info(`${fleet.title}: ${inWords(step)}`);
    try {
      await takeStep(step, {
        fleet,
        settings,
        world,
        succession: this.#succession,
        members: this.#course.members,
        watched: this.#course.watched,
        needed: this.#course.needs(step, world),
        steppedDown: this.#steppedDown.size > 0,
        promoted: this.#promoted,
        issued: this.#issued,
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof DiagnosticError) && !VaultError.is(error)) throw error;
      fleet.log.warn(`${fleet.title}: ${inWords(step)}: ${error.message}`);
      return error;
    }
  }

  /** Waits, once for each cluster, for one that a step needs and that may be restarting. */
  async #waitForSomebody(step: Step, world: World): Promise<void> {
    const { fleet, settings } = this.#options;
    const missing = this.#missingFor(step, world);
    const silent = missing.find((name) => !this.#waitedFor.has(name));
    if (silent === undefined) throw await this.#unreachable(step, missing, world);
    this.#waitedFor.add(silent);
    await fleet.member(silent).waitForAnswer(settings.limits.modeChange);
  }

  async #settle(world: World): Promise<void> {
    const { fleet, settings } = this.#options;
    const names = [...this.#unsettled].filter(([name]) => world[name]?.unreachable === undefined);
    await Promise.all(
      names.map(async ([name, step]) => {
        try {
          await fleet.member(name).waitForStream(settings.limits.sync);
          if (step) this.#account.add(step);
        } catch (error) {
          if (!VaultError.is(error)) throw error;
          throw await this.#error(world, {
            summary: `${fleet.title}: ${quote(name)} does not follow its primary`,
            details: sentence(error.message),
            cures: FIX_AND_GO_ON,
          });
        }
      }),
    );
  }

  /** The clusters that a step needs and that do not answer. */
  #missingFor(step: Step, world: World): readonly string[] {
    return this.#course.needs(step, world).filter((name) => world[name]?.unreachable !== undefined);
  }

  /** Whether the step is still to be taken: a failure may have come after its effect. */
  #isNext(step: Step, world: World): boolean {
    return this.#course.next(world).some((each) => inWords(each) === inWords(step));
  }

  /**
   * A step is covered by the plan if the plan lists it, or a more dangerous one in its place: to follow is covered by a join,
   * which an interrupted join continues with, and without a loss it is covered by a loss. The way back is covered by the
   * promotion, which names the cluster that becomes the primary again.
   */
  #isPlanned(step: Step): boolean {
    const { planned } = this.#options;
    if (this.#turnedBackFrom !== undefined) return true;
    // If the plan could not show the steps, nobody has approved any that cannot be reverted.
    if (planned === 'unknown') return !isDangerous(step);
    // A step that changes no mode neither erases nor moves anything.
    if (transitionBy(step) === undefined || planned === 'all' || planned.includes(inWords(step))) return true;
    if (step.kind !== 'follow') return false;
    return [{ ...step, kind: 'join' } as const, { ...step, mayLose: true }].some((each) =>
      planned.includes(inWords(each)),
    );
  }

  /** Ends a walk whose step succeeds again and again without any effect. */
  #withoutEffect(step: Step, world: World): Promise<DiagnosticError> {
    return this.#error(world, {
      summary: `${this.#options.fleet.title}: a step has no effect`,
      details: [
        `The step was:\n  - ${inWords(step)}`,
        `It was taken ${TRIES} times without an error, but the replication status of the clusters does not show its effect.`,
      ],
      cures: phrase`make sure that no other tool reverts it. Compare the replication status of the clusters
          (vault read sys/replication/performance/status) with the step, check their logs, and ${APPLY_AGAIN}.`,
    });
  }

  #notPlanned(step: Step): Promise<DiagnosticError> {
    if (this.#options.planned === 'unknown') {
      return this.#account.error({
        summary: `${this.#options.fleet.title}: the plan could not show a step that is needed`,
        details: `Needed now, but not in the plan, because some values were not known then:\n  - ${inWords(step)}`,
        cures: phrase`apply the resources that the values come from, if you have not done so yet. Then ${PLAN_AGAIN}, and review
            the steps.`,
      });
    }
    return this.#account.error({
      summary: `${this.#options.fleet.title}: the clusters have changed since the plan was made`,
      details: `Needed now, but not in the plan:\n  - ${inWords(step)}`,
      cures: phrase`${PLAN_AGAIN}, and review the steps`,
    });
  }

  #isBack({ cluster, fallback }: Promote): Promise<DiagnosticError> {
    return this.#account.error({
      summary: `${this.#options.fleet.title}: ${quote(cluster)} could not take over, and ${quote(fallback!)} is the primary again`,
      details: `Nothing is lost: ${quote(fallback!)} has all writes, and its secondaries follow it as before.`,
      cures: phrase`${this.#remedy({ cluster, fallback })}. To cancel the switchover, ${setBack(fallback!)}.`,
    });
  }

  /** Writers only have to pause where the successor did not come to the same data. */
  #remedy({ cluster, fallback }: Pick<Promote, 'cluster' | 'fallback'>): Phrase {
    const failure = this.#turnedBackBecause;
    if (failure !== undefined && isDeadline(failure)) {
      return phrase`pause the writers, or wait until ${quote(cluster)} lags less, and ${APPLY_AGAIN}. If that fails although
        nothing is written, use force while the writers pause: ${setForce(cluster)}, and confirm the loss for
        ${quote(fallback!)} with confirm_data_loss (the merkle_root of ${quote(fallback!)} may change when it steps down, and
        then cannot be compared)`;
    }
    const [cure] =
      failure instanceof MessageError && serverErrorOf(failure) ? linesOf(failure.content.cures) : [];
    if (cure !== undefined) return phrase`${cure} Then ${APPLY_AGAIN}`;
    return phrase`correct what prevented the promotion of ${quote(cluster)} (the reason is below), and ${APPLY_AGAIN}`;
  }

  #unreachable(step: Step, missing: readonly string[], world: World): Promise<DiagnosticError> {
    const isOne = missing.length === 1;
    return this.#error(world, {
      summary: `${this.#options.fleet.title}: ${list(missing)} cannot be reached, but ${isOne ? 'is' : 'are'} required`,
      details: [
        `Still to do:\n  - ${inWords(step)}`,
        ...missing.map((name) => `${name}: ${world[name]?.unreachable}`),
      ],
      cures: phrase`${APPLY_AGAIN} once ${isOne ? 'it answers' : 'they answer'}. A cluster that is gone for good: add it to
          abandoned_clusters, and remove it from secondaries; if it was the primary, also set force_promotion to the cluster
          that takes over.`,
    });
  }

  #failed(step: Step, failure: DiagnosticError | VaultError, world: World): Promise<DiagnosticError> {
    const content: Message =
      failure instanceof DiagnosticError
        ? contentOf(failure)
        : {
            summary: `${this.#options.fleet.title}: a step failed`,
            details: sentence(failure.message),
            ...(failure instanceof TimedOut && { cures: failure.cures }),
          };
    const ofJoin = content.cures === undefined ? cureOfJoin(step, world) : undefined;
    const { details, cures } = ofJoin ? { ...content, cures: ofJoin } : goingOn(content, failure);
    const contact = this.#contactOf(step, world);
    const made = `The step was:\n  - ${inWords(step)}`;
    return this.#error(
      world,
      { ...content, details: [...linesOf(details), made, ...contact], cures },
      failure,
    );
  }

  /** Whether the successor of a primary is announced on it, although it may not have stepped down. */
  #leavesAnnouncement(step: Step): step is Demote {
    return step.kind === 'demote' && this.#succession.hasAnnounced;
  }

  /**
   * Describes the progress of a failed step that has changed a cluster, or whose request may have.
   */
  #howFar(step: Step, failure: DiagnosticError | VaultError, world: World): string {
    const { cluster } = step;
    const facts = world[cluster];
    if (facts?.unreachable !== undefined) return `unknown, because ${cluster} does not answer`;
    if ('primary' in step && (VaultError.is(failure) || mayHaveTakenEffect(failure))) {
      const lacks = `${VaultError.is(failure) ? 'has not' : 'may not have'} received everything from ${step.primary} yet`;
      if (step.kind === 'join' && facts?.mode === 'secondary')
        return `${cluster} is erased and a secondary, but ${lacks}`;
      if (step.kind !== 'join') return `the request was sent to ${cluster}, but it ${lacks}`;
    }
    if (this.#leavesAnnouncement(step))
      return `the ACL policy ${quote(SWITCHOVER_POLICY)} on ${cluster} names ${step.successor} as the cluster that takes over`;
    if ('primary' in step) return `${step.primary} is prepared, ${cluster} is unchanged`;
    return VaultError.is(failure)
      ? `the request was sent to ${cluster}, which is in mode ${facts?.mode}`
      : `some of the changes to ${cluster} were made`;
  }

  /**
   * Advice on the address at which a secondary may not find its primary: neither cluster reports
   * it.
   */
  #contactOf(step: Step, world: World): readonly string[] {
    if (!takesToken(step)) return [];
    const facts = world[step.primary];
    if (facts?.mode !== 'primary' || facts.clusterAddr === '') return [];
    const [cluster, primary] = [quote(step.cluster), quote(step.primary)];
    // A new member cannot be given another address before it has reached the primary. Others hold data of the set.
    const cure =
      step.kind === 'follow'
        ? `set primary_cluster_addr to the address of ${primary}, and apply again: ${cluster} is then given that address.`
        : `correct primary_cluster_addr. ${primary} uses another address once it becomes a primary again: if it has no other ` +
          'secondaries, disable replication on it first (vault write -f sys/replication/performance/primary/disable); ' +
          'otherwise a switchover does it.';
    return [
      `${cluster} contacts ${primary} at its primary_cluster_addr, ${quote(facts.clusterAddr)}: check that this address leads to ` +
        `${primary}. If not, ${cure}`,
    ];
  }

  #error(world: World, message: Message, cause?: unknown): Promise<DiagnosticError> {
    const advice = this.#course.advice(world);
    const cures = [...linesOf(message.cures), ...(advice === undefined ? [] : [advice])];
    return this.#account.error({ ...message, cures }, { cause });
  }
}

/** Adds that the same apply continues after a call that failed. Other messages contain that already. */
function goingOn(content: Message, failure: DiagnosticError | VaultError): Message {
  const [cure, ...others] = linesOf(content.cures);
  if (cure === undefined) return { ...content, cures: FIX_AND_GO_ON };
  return serverErrorOf(failure) ? { ...content, cures: [phrase`${cure} ${THEN_GO_ON}`, ...others] } : content;
}

/** Whether one secondary refuses what others may accept: neither its primary is to blame, nor is there anything to wait for. */
function isOfSecondary(step: Step, failure: DiagnosticError | VaultError): boolean {
  const isFollowing = takesToken(step) || step.kind === 'redirect';
  if (!isFollowing || !(failure instanceof DiagnosticError) || !VaultError.is(failure.cause)) return false;
  return failure.cause.path?.startsWith(`${PERFORMANCE_PATH}/secondary/`) === true;
}

/** For a new member that has not reached its primary: a token that has expired may never be accepted again. */
function cureOfJoin(step: Step, world: World): Phrase | undefined {
  if (step.kind !== 'join') return undefined;
  const [facts, primary] = [world[step.cluster], world[step.primary]];
  const isWaiting = facts?.mode === 'secondary' && facts.unreachable === undefined && !facts.connected;
  if (!isWaiting || primary?.mode !== 'primary' || isAttached(facts, primary)) return undefined;
  const [cluster, other] = [quote(step.cluster), quote(step.primary)];
  return phrase`within ${TOKEN_TTL / 60} minutes, make the cluster address of ${other} (port 8201 by default) reachable
    from ${cluster}, which then follows by itself, and ${APPLY_AGAIN}. After that its activation token has expired:
    ${other} may refuse ${cluster} for good, and nobody can log in to ${cluster} to give it another one. In that case,
    ${emptyStorage(step.cluster)}.`;
}

/** Whether something is different that a step changes. A cluster that does not answer any more may be. */
function hasChanged(step: Step, before: World, after: World): boolean {
  const names = 'primary' in step ? [step.cluster, step.primary] : [step.cluster];
  const picture = (world: World) =>
    JSON.stringify(names.map((name) => ({ ...world[name], self: null, progress: null, hasWritesOf: null })));
  return picture(before) !== picture(after);
}

/** Whether a cluster is what a step was to make of it. */
function isInEffect(step: Step, world: World): boolean {
  const transition = transitionBy(step);
  return transition === undefined || world[step.cluster]?.mode === transition.to;
}

/** The filters that a step may have changed are read again. */
function forgetting(step: Step, world: World): World {
  const primary = 'primary' in step ? step.primary : step.cluster;
  const facts = world[primary];
  if (step.kind === 'join') world = { ...world, [step.cluster]: withoutSelf(world[step.cluster]!) };
  if (facts?.mode !== 'primary' || !('id' in step)) return world;
  const filters = Object.fromEntries(Object.entries(facts.filters).filter(([id]) => id !== step.id));
  return { ...world, [primary]: { ...facts, filters } };
}

/** Whether a wait has timed out, and not a call alone. */
function isDeadline(failure: DiagnosticError | VaultError): boolean {
  return VaultError.is(failure) && failure.code === 'timeout';
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`;
}

/** A cluster that was wiped may have got another id. */
function withoutSelf({ self: _before, ...facts }: ClusterFacts): ClusterFacts {
  return facts;
}
