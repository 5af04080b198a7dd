import { describeReplicationStatus, rootOf, VaultError } from '../../../../client';
import { or, phrase } from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { MessageError } from '../../../messages';
import { serverErrorOf } from '../../../objects';
import { mayHaveTakenEffect } from '../../shared/member';
import {
  hasSteppedDown,
  idOf,
  incomparable,
  list,
  quote,
  removeFilter,
  setForce,
  setPrimary,
  type ClusterFacts,
  type Demote,
  type Promote,
  type SecondaryFacts,
  type Step,
} from '../planner';
import { APPLY_AGAIN, PLAN_AGAIN } from './messages';
import { all, ask, local, warn, type Look, type Procedure } from './requests';
import { primaryFields, type SetSettings, type StepContext } from './settings';
import {
  acknowledge,
  announce,
  notePromotion,
  requireAnnounced,
  requireSuccessor,
  RivalError,
  rootsTakenOver,
  withdraw,
  withdrawPromotion,
} from './switchover-note';
import { TimedOut } from './timed-out';

/** Milliseconds between two attempts to promote a cluster that is still catching up. */
const PROMOTION_PAUSE = 500;

/**
 * The time for which logins must remain valid when a primary steps down, as a multiple of the
 * mode_change timeout.
 */
const LOGIN_LIFE = 2;

/**
 * Seconds to wait for a cluster that is probably gone. A cluster that is starting answers at once.
 */
const GLANCE = 3;

/**
 * Seconds to wait for another apply, or a person, to complete a switchover that this apply has not
 * begun.
 */
const GRACE = 5;

/**
 * Demotes the primary. Writes that its successor has not received at that moment never arrive, so
 * the primary steps down only when its successor has all data and no paths filter.
 */
export function* demote(step: Demote, context: StepContext): Procedure<void> {
  const { cluster, successor, forced } = step;
  const { title, settings, observation, memory } = context;
  const { secondaryId: id } = observation[successor] as SecondaryFacts;
  const { sync, modeChange } = settings.limits;
  if (!forced) yield* refuseFiltered(title, cluster, successor, id);
  const timeout = forced ? modeChange : sync;
  const following = { primary: cluster, filtered: false, id, timeout };
  yield* unlessForced(forced, ask({ kind: 'wait_until_caught_up', cluster: successor, ...following }));
  if (!forced) {
    for (const name of [cluster, successor]) yield* requireLogin(title, name, LOGIN_LIFE * modeChange);
  }
  yield* unlessForced(forced, announce(cluster, successor, context), isNoRival);
  try {
    yield* unlessForced(forced, waitUntilLevel(cluster, successor, modeChange));
    if (isImmediate(step, settings)) yield* noteBeforehand(step, context);
    yield* unlessForced(forced, requireAnnounced(context), isNoRival);
  } catch (error) {
    if (VaultError.is(error)) yield* withdraw(cluster, memory);
    if (isImmediate(step, settings)) yield* withdrawPromotion(successor);
    throw error;
  }
  try {
    yield* ask({ kind: 'demote', cluster });
  } catch (error) {
    // If the demotion may have taken effect, the announcement has to stay: only the announced
    // cluster may take over. An announcement of another apply is never deleted.
    if (memory.announcedOn !== undefined && !mayHaveTakenEffect(error)) yield* withdraw(cluster, memory);
    if (isImmediate(step, settings) && !mayHaveTakenEffect(error)) yield* withdrawPromotion(successor);
    throw error;
  }
  if (!isImmediate(step, settings))
    yield* ask({ kind: 'wait_for_mode', cluster, mode: 'secondary', timeout: modeChange });
}

/**
 * Writes the promotion note before the primary steps down, because an immediate switchover leaves
 * no time for it afterwards. The note is useless if the primary accepts a further write.
 */
function* noteBeforehand({ cluster, successor }: Demote, context: StepContext): Procedure<void> {
  const root = rootOf(yield* ask({ kind: 'status', cluster: successor }));
  if (root !== undefined) yield* notePromotion(successor, { [cluster]: root }, context.observation);
  yield* waitUntilLevel(cluster, successor, context.settings.limits.modeChange);
}

/**
 * Whether the successor of a primary that steps down is promoted before that primary answers again.
 */
export function isImmediate(step: Step, { immediate }: SetSettings): step is Demote {
  return immediate && step.kind === 'demote' && !step.forced;
}

/**
 * Refuses a switchover if a login would end before its end. A login writes a token, which may be
 * impossible without a primary.
 */
function* requireLogin(title: string, cluster: string, seconds: number): Procedure<void> {
  const left = yield* ask({ kind: 'renew_login', cluster, seconds });
  if (left >= seconds) return;
  throw new MessageError({
    path: ['primary'],
    summary: `${title}: the login of cluster ${quote(cluster)} is too short for a switchover`,
    details:
      `Its token lives for ${Math.round(left)} s. Required: ${seconds} s, twice the mode_change timeout. If the token ended while ` +
      'there is no primary, nobody might be able to log in and promote one.',
    cures:
      'raise the TTL of the tokens of this login (such as token_ttl and token_max_ttl of its role), or reduce ' +
      'mode_change in timeouts',
  });
}

/**
 * Waits for a moment in which the primary receives no writes and its successor has all data. A
 * successor that has caught up still lags a little while there are writes.
 */
function* waitUntilLevel(primary: string, successor: string, timeout: number): Procedure<void> {
  const reached = yield* ask({ kind: 'wait_until_level', cluster: successor, primary, timeout });
  if (reached === 'level') return;
  throw reached === 'differs'
    ? new TimedOut(
        `${quote(successor)} does not have the data of ${quote(primary)}, although nothing is written: within ${timeout} s ` +
          'their merkle roots did not become equal',
        phrase`if ${quote(successor)} lags by more than that, raise mode_change in timeouts. Otherwise check the merkle trees of
          both (sys/replication/merkle-check). Then ${APPLY_AGAIN}.`,
      )
    : new TimedOut(
        `${quote(primary)} keeps receiving writes, and ${quote(successor)} lags: within ${timeout} s it never had all data`,
        phrase`pause the writers, wait until it lags less, or raise mode_change in timeouts, and ${APPLY_AGAIN}`,
      );
}

/** The error if the data of two clusters cannot be compared. */
class IncomparableError extends MessageError {}

function incomparableError(title: string, primary: string, successor: string): IncomparableError {
  const message = incomparable(primary, successor);
  return new IncomparableError({ ...message, path: ['primary'], summary: `${title}: ${message.summary}` });
}

/**
 * Refuses a successor with a paths filter. The filter is read on both clusters: after a filter was
 * removed, the data that it withheld may not have arrived yet.
 */
function* refuseFiltered(title: string, primary: string, successor: string, id: string): Procedure<void> {
  const views = yield* all([
    ask({ kind: 'withheld', cluster: primary, side: 'primary', id }),
    ask({ kind: 'withheld', cluster: successor, side: 'secondary', id }),
  ]);
  const withheld = views.flat();
  if (withheld.length === 0) return;
  throw new MessageError({
    path: ['primary'],
    summary: `${quote(successor)} lacks data of ${quote(primary)}: if it is promoted, the whole set loses that data`,
    details: `Withheld by a paths filter: ${list([...new Set(withheld)])}.`,
    cures: phrase`${setPrimary(primary, `with ${quote(primary)} as primary`)}, ${removeFilter(successor)} and apply.
          Once it has received everything, change primary.`,
  });
}

/**
 * Promotes a secondary if no other cluster is a primary. The secondary must have all writes that
 * the former primaries accepted before they stepped down: their data must be equal, and the
 * server's own check must pass. Only a forced promotion skips these checks.
 */
export function* promote(step: Promote, context: StepContext): Procedure<void> {
  const { cluster, predecessors, forced } = step;
  const { title, settings, observation, memory } = context;
  const { modeChange } = settings.limits;
  if (memory.demoted !== undefined && (yield* promoteAtOnce(step, memory.demoted, context))) return;
  const timeout = Math.min(settings.limits.takeover, modeChange);
  if (forced) {
    yield* waitForReturning(context, cluster, timeout);
    yield* waitForAnnounced(step, context);
  } else {
    const announced = yield* unlessLast(step, requireSuccessor(step, context));
    if (announced === undefined || (memory.steppedDown.size === 0 && !announced)) {
      yield* waitForRivals(cluster, Object.keys(observation));
    }
  }
  const roots: Record<string, string> = {};
  // Only a cluster that was a primary itself can have taken over from others before.
  const takenOver = hasSteppedDown(observation[cluster]!)
    ? yield* rootsTakenOver(cluster, observation)
    : new Map<string, string>();
  for (const predecessor of predecessors) {
    const facts = observation[predecessor];
    if (facts?.mode !== 'secondary' || (forced && facts.unreachable !== undefined)) continue;
    const known = takenOver.get(idOf(predecessor, observation));
    const root = yield* unlessForced(forced, waitUntilSame(title, cluster, predecessor, timeout, known));
    if (root !== undefined) roots[predecessor] = root;
  }
  if (forced) yield* unlessForced(forced, requireAnnounced(context), isNoRival);
  else yield* notePromotion(cluster, roots, observation);
  yield* callPromote(step, context);
  yield* ask({ kind: 'wait_for_mode', cluster, mode: 'primary', timeout: modeChange });
  if (!forced) yield* acknowledge(cluster, roots, observation);
}

/**
 * Promotes the successor of a primary that has just confirmed its demotion. All other clusters must
 * answer at once, and none may be a primary. If the successor lacks writes, the former primary
 * still has them, and the apply does not note on the successor that it has all writes.
 *
 * @returns `false` if nothing was done because the apply has to wait for another cluster.
 */
function* promoteAtOnce({ cluster }: Promote, demoted: string, context: StepContext): Procedure<boolean> {
  const { settings, observation, members, watched } = context;
  const { modeChange: timeout } = settings.limits;
  const asked = [cluster, ...[...members, ...watched].filter((name) => name !== cluster && name !== demoted)];
  const looks = yield* all(asked.map((name) => ask({ kind: 'look', cluster: name })));
  const primary = asked.find(
    (name, at) => name !== cluster && isSecondPrimary(name, looks[at]!, context, cluster),
  );
  if (primary !== undefined) throw secondPrimary(primary, context, cluster);
  const own = looks[0]!.found;
  if (typeof own === 'string' || looks.some(({ isQuick }) => !isQuick)) {
    yield* ask({ kind: 'wait_for_mode', cluster: demoted, mode: 'secondary', timeout });
    return false;
  }
  try {
    yield* callOnce(cluster, false, context);
  } catch (error) {
    // The status of the former primary decides whether it can become the primary again.
    yield* ask({ kind: 'wait_for_answer', cluster: demoted, timeout });
    throw error;
  }
  yield* ask({ kind: 'wait_for_mode', cluster, mode: 'primary', timeout });
  yield* ask({ kind: 'wait_for_mode', cluster: demoted, mode: 'secondary', timeout });
  const root = rootOf(yield* ask({ kind: 'status', cluster: demoted }));
  if (root !== undefined && root === rootOf(own))
    yield* acknowledge(cluster, { [demoted]: root }, observation);
  else yield* warn(`${demoted} has writes that ${cluster} had not received when it was promoted`);
  return true;
}

/** Promotes a cluster, and notes that it may have been promoted. */
function* callOnce(cluster: string, force: boolean, { settings, memory }: StepContext): Procedure<void> {
  try {
    yield* ask({ kind: 'promote', cluster, fields: primaryFields(settings, cluster), force });
  } catch (error) {
    if (mayHaveTakenEffect(error)) memory.promoted.add(cluster);
    throw error;
  }
  memory.promoted.add(cluster);
}

/**
 * Reads the announced successor. While a set has no primary, servers may not return policies. Even
 * then the last primary can be promoted again, because no writes are lost.
 *
 * @returns `undefined` if the announcement cannot be read and the cluster is the last primary.
 */
function* unlessLast<T>({ predecessors }: Promote, read: Procedure<T>): Procedure<T | undefined> {
  try {
    return yield* read;
  } catch (error) {
    if (predecessors.length > 0 || !isNoRival(error)) throw error;
    yield* warn(error.message);
    return undefined;
  }
}

/**
 * Waits until a cluster has all data of a former primary: the same data, or the data with which it
 * took over from that primary.
 *
 * @param takenOver the merkle root of the former primary when the cluster took over from it
 * @returns the merkle root of the former primary.
 */
function* waitUntilSame(
  title: string,
  cluster: string,
  predecessor: string,
  timeout: number,
  takenOver: string | undefined,
): Procedure<string> {
  const status = yield* ask({ kind: 'status', cluster: predecessor });
  const root = rootOf(status);
  if (root === undefined) throw incomparableError(title, predecessor, cluster);
  if (root === takenOver) return root;
  try {
    yield* ask({ kind: 'wait_until_same', cluster, as: predecessor, status, timeout });
    return root;
  } catch (error) {
    if (!VaultError.is(error) || error.code !== 'timeout') throw error;
    throw new VaultError({
      code: 'timeout',
      message:
        `${quote(cluster)} lacks writes that ${quote(predecessor)} accepted before it stepped down, and did not receive ` +
        `them within ${timeout} s`,
      cause: error,
    });
  }
}

/**
 * Promotes a cluster. The server refuses this while the cluster is still catching up, so it is
 * tried for some time.
 */
function* callPromote({ cluster, predecessors, forced }: Promote, context: StepContext): Procedure<void> {
  if (forced) {
    if (!(yield* isPromoted(context, cluster, false))) yield* isPromoted(context, cluster, true);
    return;
  }
  const { limits } = context.settings;
  const seconds = Math.min(limits.takeover, limits.modeChange);
  /** Whether the cluster is the primary that stepped down in this apply. */
  const isLast = context.memory.steppedDown.size > 0 && predecessors.length === 0;
  const until = yield* ask({ kind: 'deadline', cluster, seconds });
  try {
    do if (yield* isPromoted(context, cluster, false)) return;
    while (yield* ask({ kind: 'pause', cluster, milliseconds: PROMOTION_PAUSE, until }));
  } catch (error) {
    if (!isLast || !serverErrorOf(error) || mayHaveTakenEffect(error)) throw error;
  }
  if (isLast) {
    // The last primary has all writes, so force loses none. It is used because no write is possible
    // without a primary.
    yield* isPromoted(context, cluster, true);
    return;
  }
  throw new TimedOut(
    `${quote(cluster)} was still catching up after ${seconds} s, and its server refuses to promote it`,
    phrase`${APPLY_AGAIN} once it has caught up (check that it can reach its primary). ${or('If')} that primary is gone,
        ${setForce(cluster)}: the writes that it has not received are lost`,
  );
}

/**
 * Tries to promote a cluster.
 *
 * @returns whether the cluster was promoted; if not, it is still catching up.
 */
function* isPromoted(context: StepContext, cluster: string, force: boolean): Procedure<boolean> {
  // The login comes before the check for other primaries, because a login takes time.
  yield* ask({ kind: 'log_in', cluster });
  yield* refuseSecondPrimary(context, cluster);
  try {
    yield* callOnce(cluster, force, context);
  } catch (error) {
    if (!isCatchingUp(error) || force) throw error;
    const text = describeReplicationStatus(yield* ask({ kind: 'status', cluster }));
    yield* local({ kind: 'log', level: 'info', text: `${cluster} is still catching up: ${text}` });
    return false;
  }
  return true;
}

/**
 * Waits for other clusters to become the primary: someone else may have demoted the last primary,
 * and be about to promote one of them.
 */
function* waitForRivals(cluster: string, members: readonly string[]): Procedure<void> {
  const others = members.filter((name) => name !== cluster);
  yield* all(others.map((name) => ask({ kind: 'wait_for_rival', cluster: name, timeout: GRACE })));
}

/** Waits if another apply has announced a successor and may be about to promote it. */
function* waitForAnnounced(
  { cluster, predecessors }: Promote,
  { observation, memory }: StepContext,
): Procedure<void> {
  const isElsewhere = (facts: ClusterFacts | undefined) =>
    facts?.mode === 'secondary' &&
    facts.announced !== undefined &&
    facts.announced.id !== idOf(cluster, observation);
  if (memory.announcedOn !== undefined || !predecessors.some((name) => isElsewhere(observation[name])))
    return;
  yield* waitForRivals(cluster, Object.keys(observation));
}

/**
 * Waits for lost primaries that are starting again: each of them would be a second primary after
 * its start.
 */
function* waitForReturning(
  { observation, members, watched }: StepContext,
  cluster: string,
  timeout: number,
): Procedure<void> {
  const lost = [...members, ...watched].filter((name) => name !== cluster && mayBePrimary(observation[name]));
  yield* all(lost.map(waitFor));

  function* waitFor(name: string): Procedure<void> {
    const { found } = yield* ask({ kind: 'look', cluster: name, timeout: GLANCE });
    if (found === 'starting') yield* ask({ kind: 'wait_for_answer', cluster: name, timeout });
  }
}

/** Whether a cluster was a primary when it was last seen, or has not been seen at all. */
function mayBePrimary(facts: ClusterFacts | undefined): boolean {
  return facts === undefined || facts.mode === 'primary';
}

/**
 * Refuses a promotion while another cluster is a primary. All clusters are asked immediately before
 * the promotion. If one of them is silent or slow, the others are asked again afterwards, because
 * one of them may have been promoted during the wait.
 */
function* refuseSecondPrimary(context: StepContext, cluster: string): Procedure<void> {
  const { settings, observation, members, watched, needed } = context;
  const timeout = settings.limits.modeChange;
  const waitedFor = new Set<string>();
  const silent = new Set<string>();
  let asked = [...members, ...watched].filter((name) => name !== cluster);
  for (;;) {
    const found = yield* all(asked.map((name) => ask({ kind: 'look', cluster: name })));
    const looks = new Map(asked.map((name, at) => [name, found[at]!]));
    const primary = asked.find((name) => isSecondPrimary(name, looks.get(name)!, context, cluster));
    if (primary !== undefined) throw secondPrimary(primary, context, cluster);
    const quiet = asked.filter((name) => typeof looks.get(name)!.found === 'string');
    // A silent cluster may be the primary that another apply, or a person, has just promoted.
    const mayAnswer = (name: string) =>
      needed.includes(name) || hasAnswered(observation[name]) || looks.get(name)!.found === 'starting';
    const awaited = quiet.filter((name) => !waitedFor.has(name) && mayAnswer(name));
    for (const name of quiet) (awaited.includes(name) ? waitedFor : silent).add(name);
    yield* all(awaited.map((name) => ask({ kind: 'wait_for_answer', cluster: name, timeout })));
    const again = asked.filter((name) => awaited.includes(name) || looks.get(name)!.isQuick);
    if (again.length === asked.length && awaited.length === 0) break;
    asked = again;
  }
  const missing = [...silent].find((name) => needed.includes(name));
  if (missing === undefined) return;
  throw new VaultError({
    code: 'timeout',
    message: `${quote(missing)} does not answer, and may have become the primary in the meantime`,
  });
}

function hasAnswered(facts: ClusterFacts | undefined): boolean {
  return facts !== undefined && facts.unreachable === undefined;
}

/**
 * Whether a cluster is a second primary of this set. Abandoned clusters may have a set of their own
 * by now.
 */
function isSecondPrimary(
  name: string,
  { found }: Look,
  { observation, members }: StepContext,
  cluster: string,
): boolean {
  const { clusterId } = observation[cluster] as SecondaryFacts;
  if (typeof found === 'string' || found.mode !== 'primary') return false;
  return members.includes(name) || found.cluster_id === clusterId;
}

function secondPrimary(other: string, { title, observation }: StepContext, cluster: string): MessageError {
  if (mayBePrimary(observation[other])) {
    return new MessageError({
      path: ['primary'],
      summary: `${title}: ${quote(other)} is back, and is a primary`,
      details: `It did not answer when this apply began. ${quote(cluster)} was not promoted: there would be two primaries.`,
      cures: phrase`${PLAN_AGAIN}. ${or('If')} ${quote(other)} is to remain the primary,
            ${setPrimary(other, 'set primary back to it')} first. Otherwise the plan shows how it steps down.`,
    });
  }
  return new MessageError({
    path: ['primary'],
    summary: `${title}: ${quote(other)} has become the primary in the meantime, outside of this apply`,
    cures: phrase`${PLAN_AGAIN}, and review the steps`,
  });
}

function isCatchingUp(error: unknown): boolean {
  return serverErrorOf(error)?.code === 'catching_up';
}

/**
 * Runs a procedure. If the step is forced, errors that `mayIgnore` accepts are logged instead of
 * thrown.
 *
 * @returns `undefined` after such an error.
 */
function* unlessForced<T>(
  forced: boolean,
  procedure: Procedure<T>,
  mayIgnore: (error: unknown) => error is Error = isWaitOver,
): Procedure<T | undefined> {
  try {
    return yield* procedure;
  } catch (error) {
    if (!forced || !mayIgnore(error)) throw error;
    yield* warn(`continues by force: ${error.message}`);
    return undefined;
  }
}

function isWaitOver(error: unknown): error is Error {
  return error instanceof IncomparableError || (VaultError.is(error) && error.code === 'timeout');
}

/**
 * Whether an error means that the announcement cannot be written or read. A RivalError is excluded:
 * it means that another apply has written the announcement.
 */
function isNoRival(error: unknown): error is DiagnosticError {
  return error instanceof DiagnosticError && !(error instanceof RivalError);
}
