import {
  describeReplicationStatus,
  haveSameData,
  isStreaming,
  rootOf,
  VaultError,
  type ReplicationStatus,
} from '../../../../client';
import { phrase } from '../../../../model/messages';
import { DiagnosticError } from '../../../../plugin';
import { MessageError } from '../../../messages';
import { serverErrorOf } from '../../../objects';
import {
  idOf,
  list,
  quote,
  type ClusterFacts,
  type Demote,
  type Promote,
  type SecondaryFacts,
  removeFilter,
  setForce,
  setPrimary,
} from '../planner';
import { isSettled, mayHaveTakenEffect, type SettledStatus } from '../../shared/member';
import type { Fleet } from './fleet';
import { APPLY_AGAIN, PLAN_AGAIN } from './messages';
import { RivalError } from './succession';
import { primaryFields, type Surroundings } from './settings';
import { TimedOut } from './timed-out';

/** Milliseconds between two attempts to promote a cluster that is still catching up. */
const PROMOTION_PAUSE = 500;

/** Milliseconds between two looks for a moment in which nothing is written: such moments are short. */
const LEVEL_PAUSE = 50;

/** How long logins have to last before a primary steps down: so many times the time of a change of mode. */
const LOGIN_LIFE = 2;

/** Seconds to look at a cluster that is probably gone: one that is starting answers at once. */
const GLANCE = 3;

/** Milliseconds within which an answer counts as given at once. */
const QUICK = 1_000;

/** Seconds for another apply, or a person, to end a switchover that this apply has not begun. */
const GRACE = 5;

/**
 * Has the primary step down. Until then it takes writes, and what its successor has not got by then does not arrive any
 * more: it does so only in a moment in which its successor has everything, and lacks nothing because of a filter.
 */
export async function demote(
  { cluster, successor, forced }: Demote,
  surroundings: Surroundings,
): Promise<void> {
  const { fleet, settings, world, succession } = surroundings;
  const { secondaryId } = world[successor] as SecondaryFacts;
  const { sync, modeChange } = settings.limits;
  if (!forced) {
    await refuseFiltered(fleet, cluster, successor, secondaryId);
    await refuseIncomparable(fleet, cluster, successor);
  }
  const following = { primary: fleet.member(cluster), filtered: false, id: secondaryId };
  await unlessForced(forced, fleet, () =>
    fleet.member(successor).waitUntilCaughtUp(following, forced ? modeChange : sync),
  );
  if (!forced) {
    for (const name of [cluster, successor]) await requireLogin(fleet, name, LOGIN_LIFE * modeChange);
  }
  await unlessForced(forced, fleet, () => succession.announce(cluster, successor, world), isNoRival);
  try {
    await unlessForced(forced, fleet, () => waitUntilLevel(fleet, cluster, successor, modeChange));
    await unlessForced(forced, fleet, () => succession.requireAnnounced(), isNoRival);
  } catch (error) {
    if (VaultError.is(error)) await succession.withdraw(cluster);
    throw error;
  }
  try {
    await fleet.member(cluster).call('demote', (replication) => replication.demotePrimary());
  } catch (error) {
    // After a demotion that may have worked, only the announced cluster may take over. Another apply's announcement is not ours to delete.
    if (succession.hasAnnounced && !mayHaveTakenEffect(error)) await succession.withdraw(cluster);
    throw error;
  }
  await fleet.member(cluster).waitForMode('secondary', modeChange);
}

/** Without a primary, it may be impossible to log in: servers have to write what logins leave behind. */
async function requireLogin(fleet: Fleet, cluster: string, seconds: number): Promise<void> {
  const left = await fleet.member(cluster).loginLasting(seconds);
  if (left >= seconds) return;
  throw new MessageError({
    path: ['primary'],
    summary: `${fleet.title}: the login of cluster ${quote(cluster)} is too short for a switchover`,
    details:
      `Its token lives for ${Math.round(left)} s. Required: ${seconds} s, twice the mode_change timeout. If the token ended while ` +
      'there is no primary, nobody might be able to log in and promote one.',
    cures:
      'raise the TTL of the tokens of this login (such as token_ttl and token_max_ttl of its role), or reduce ' +
      'mode_change in timeouts',
  });
}

/** A successor that has caught up still lags a little: it is level when nothing is written while it gets the last of it. */
async function waitUntilLevel(
  fleet: Fleet,
  primary: string,
  successor: string,
  timeout: number,
): Promise<void> {
  let wasQuiet = false;
  const standsStill = fleet.member(primary).standingStill();
  const isLevel = async () => {
    const before = await fleet.member(primary).primaryStatus();
    const status = await fleet.member(successor).status();
    const after = await fleet.member(primary).primaryStatus();
    // Positions may count entries that change no data.
    const isStill = standsStill(rootOf(after)) || before.last_performance_wal === after.last_performance_wal;
    wasQuiet = isStill && haveSameData(before, after);
    return wasQuiet && isStreaming(status) && haveSameData(status, after);
  };
  if (await fleet.member(primary).keepTrying({ timeout, pause: LEVEL_PAUSE }, isLevel)) return;
  throw wasQuiet
    ? new TimedOut(
        `${quote(successor)} does not have the data of ${quote(primary)}, although nothing is written: within ${timeout} s ` +
          'their merkle roots did not become equal',
        phrase`fix the cause (check the merkle trees of both with sys/replication/merkle-check), and ${APPLY_AGAIN}`,
      )
    : new TimedOut(
        `${quote(primary)} keeps receiving writes, and ${quote(successor)} lags: within ${timeout} s it never had all data`,
        phrase`pause the writers, or wait until it lags less, and ${APPLY_AGAIN}`,
      );
}

/** Without roots, it could not be determined afterwards whether the successor has the last writes. */
async function refuseIncomparable(fleet: Fleet, primary: string, successor: string): Promise<void> {
  const statuses = await Promise.all([
    fleet.member(primary).primaryStatus(),
    fleet.member(successor).status(),
  ]);
  if (statuses.some((status) => rootOf(status) === undefined)) throw incomparable(fleet, primary, successor);
}

/** The data of two clusters cannot be compared. */
class IncomparableError extends MessageError {}

function incomparable(fleet: Fleet, primary: string, successor: string): IncomparableError {
  return new IncomparableError({
    path: ['primary'],
    summary: `${fleet.title}: could not determine whether ${quote(successor)} has all writes of ${quote(primary)}`,
    details: 'Their replication status has no merkle_root to compare.',
    cures: phrase`stop the writers, ${setForce(successor)}, and use confirm_data_loss to confirm that the
        writes that only ${quote(primary)} has may be lost. Or keep ${quote(primary)} as the primary.`,
  });
}

/** Both sides are asked: data that was filtered until a moment ago may not have arrived yet. */
async function refuseFiltered(fleet: Fleet, primary: string, successor: string, id: string): Promise<void> {
  const verb = 'read the dynamic filter of';
  const views = await Promise.all([
    fleet.member(primary).call(verb, (replication) => replication.primaryDynamicFilter(id)),
    fleet.member(successor).call(verb, (replication) => replication.secondaryDynamicFilter(id)),
  ]);
  const withheld = views.flatMap((view) => [
    ...(view?.data.dynamic_filtered_mounts ?? []),
    ...(view?.data.dynamic_filtered_namespaces ?? []),
  ]);
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
 * Makes a secondary the primary, when no other cluster is one. It must have all writes that its
 * predecessors accepted before they stepped down: their data must be the same, and the server's own
 * check must pass. Only a forced promotion skips this.
 */
export async function promote(step: Promote, surroundings: Surroundings): Promise<void> {
  const { cluster, predecessors, forced } = step;
  const { fleet, settings, world, succession, members, steppedDown } = surroundings;
  const { modeChange } = settings.limits;
  const timeout = Math.min(settings.limits.takeover, modeChange);
  if (forced) {
    await waitForReturning(surroundings, cluster, timeout);
    await waitForAnnounced(step, surroundings);
  } else {
    const about = { members, world, steppedDown };
    const announced = await unlessLast(step, fleet, () => succession.requireSuccessor(step, about));
    if (announced === undefined || (!steppedDown && !announced)) {
      await waitForRivals(fleet, cluster, Object.keys(world));
    }
  }
  const roots: Record<string, string> = {};
  for (const predecessor of predecessors) {
    const facts = world[predecessor];
    if (facts?.mode !== 'secondary' || (forced && facts.unreachable !== undefined)) continue;
    await unlessForced(forced, fleet, async () => {
      roots[predecessor] = await waitUntilSame(fleet, cluster, predecessor, timeout);
    });
  }
  if (forced) await unlessForced(forced, fleet, () => succession.requireAnnounced(), isNoRival);
  await callPromote(step, surroundings);
  await fleet.member(cluster).waitForMode('primary', modeChange);
  if (forced) return;
  await succession.acknowledge(cluster, roots, world);
}

/**
 * Reads who was announced as the successor. Servers may not serve policies while a set has no primary: the last primary can be
 * promoted nevertheless, since no writes are lost.
 *
 * @returns `undefined` if the announcement could not be read, and the cluster is the last primary.
 */
async function unlessLast<T>(
  { predecessors }: Promote,
  fleet: Fleet,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (predecessors.length > 0 || !isNoRival(error)) throw error;
    fleet.log.warn(`${fleet.title}: ${error.message}`);
    return undefined;
  }
}

/** @returns the digest of all replicated data, which is the same on both. */
async function waitUntilSame(
  fleet: Fleet,
  cluster: string,
  predecessor: string,
  timeout: number,
): Promise<string> {
  const before = await fleet.member(predecessor).status();
  const root = rootOf(before);
  if (root === undefined) throw incomparable(fleet, predecessor, cluster);
  const same = (status: ReplicationStatus) => haveSameData(status, before);
  try {
    await fleet.member(cluster).waitUntil(`come to the same data as ${predecessor}`, same, timeout);
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

/** The server refuses a cluster that is still catching up. */
async function callPromote(
  { cluster, predecessors, forced }: Promote,
  surroundings: Surroundings,
): Promise<void> {
  const { fleet, settings, steppedDown } = surroundings;
  if (forced) {
    if (!(await isPromoted(surroundings, cluster, false))) await isPromoted(surroundings, cluster, true);
    return;
  }
  const timeout = Math.min(settings.limits.takeover, settings.limits.modeChange);
  const trying = { timeout, pause: PROMOTION_PAUSE };
  /** Whether it is the primary that stepped down in this apply. */
  const isLast = steppedDown && predecessors.length === 0;
  try {
    if (await fleet.member(cluster).keepTrying(trying, () => isPromoted(surroundings, cluster, false)))
      return;
  } catch (error) {
    if (!isLast || !serverErrorOf(error) || mayHaveTakenEffect(error)) throw error;
  }
  if (isLast) {
    // It has all writes, so force loses none. Without a primary, nobody can write.
    await isPromoted(surroundings, cluster, true);
    return;
  }
  throw new TimedOut(
    `${quote(cluster)} was still catching up after ${timeout} s, and its server refuses to promote it`,
    phrase`${APPLY_AGAIN} once it has caught up (check that it can reach its primary). If that primary is gone,
        ${setForce(cluster)}: the writes that it has not received are lost`,
  );
}

/** @returns whether the cluster was promoted; if not, it is still catching up. */
async function isPromoted(surroundings: Surroundings, cluster: string, force: boolean): Promise<boolean> {
  const { fleet, settings, promoted } = surroundings;
  // A login takes time as well.
  await fleet.member(cluster).logIn();
  await refuseSecondPrimary(surroundings, cluster);
  try {
    const fields = primaryFields(settings, cluster);
    await fleet
      .member(cluster)
      .call('promote', (replication) => replication.promoteSecondary({ ...fields, force }));
  } catch (error) {
    if (mayHaveTakenEffect(error)) promoted.add(cluster);
    if (!isCatchingUp(error) || force) throw error;
    fleet.log.info(
      `${fleet.title}: ${cluster} is still catching up: ${describeReplicationStatus(await fleet.member(cluster).status())}`,
    );
    return false;
  }
  promoted.add(cluster);
  return true;
}

/** If someone else made the last primary step down, they may be about to promote another cluster. */
async function waitForRivals(fleet: Fleet, cluster: string, members: readonly string[]): Promise<void> {
  const others = members.filter((name) => name !== cluster);
  await Promise.allSettled(
    others.map((name) =>
      fleet.member(name).waitUntil('be promoted', ({ mode }) => mode === 'primary', GRACE),
    ),
  );
}

/** Another apply may have made the last primary step down, and be about to promote the successor that it has announced. */
async function waitForAnnounced(
  { cluster, predecessors }: Promote,
  { fleet, world, succession }: Surroundings,
): Promise<void> {
  const isElsewhere = (facts: ClusterFacts | undefined) =>
    facts?.mode === 'secondary' &&
    facts.announced !== undefined &&
    facts.announced.id !== idOf(cluster, world);
  if (succession.hasAnnounced || !predecessors.some((name) => isElsewhere(world[name]))) return;
  await waitForRivals(fleet, cluster, Object.keys(world));
}

/** A lost primary that answers again, but is still starting, would be a second primary a moment later. */
async function waitForReturning(
  { fleet, world, members, watched }: Surroundings,
  cluster: string,
  timeout: number,
): Promise<void> {
  const lost = [...members, ...watched].filter((name) => name !== cluster && mayBePrimary(world[name]));
  await Promise.all(
    lost.map(async (name) => {
      if ((await lookAt(fleet, name, GLANCE)) === 'starting') await fleet.member(name).waitForAnswer(timeout);
    }),
  );
}

/** Whether a cluster was a primary when it was last seen, or has not been seen at all. */
function mayBePrimary(facts: ClusterFacts | undefined): boolean {
  return facts === undefined || facts.mode === 'primary';
}

/**
 * Refuses a promotion while another cluster is a primary. The clusters are asked immediately before: while this apply waits
 * for one that is silent or slow, another cluster may be promoted, so the others are asked again afterwards.
 */
async function refuseSecondPrimary(surroundings: Surroundings, cluster: string): Promise<void> {
  const { fleet, settings, world, members, watched, needed } = surroundings;
  const waitedFor = new Set<string>();
  const silent = new Set<string>();
  let asked = [...members, ...watched].filter((name) => name !== cluster);
  for (;;) {
    const looks = new Map(
      await Promise.all(asked.map(async (name) => [name, await timedLook(fleet, name)] as const)),
    );
    const primary = asked.find((name) => isSecondPrimary(name, looks.get(name)!, surroundings, cluster));
    if (primary !== undefined) throw secondPrimary(primary, surroundings, cluster);
    const quiet = asked.filter((name) => typeof looks.get(name)!.found === 'string');
    // It may be the primary that another apply has just promoted.
    const awaited = quiet.filter(
      (name) => !waitedFor.has(name) && (needed.includes(name) || hasAnswered(world[name])),
    );
    for (const name of quiet) (awaited.includes(name) ? waitedFor : silent).add(name);
    await Promise.all(awaited.map((name) => fleet.member(name).waitForAnswer(settings.limits.modeChange)));
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

interface TimedLook {
  readonly found: SettledStatus | 'starting' | 'silent';
  /** Whether it was answered at once, so that it still stands when the others have answered. */
  readonly isQuick: boolean;
}

async function timedLook(fleet: Fleet, cluster: string): Promise<TimedLook> {
  const member = fleet.member(cluster);
  const begin = member.now();
  const found = await lookAt(fleet, cluster);
  return { found, isQuick: typeof found !== 'string' && member.now() - begin <= QUICK };
}

/** Abandoned clusters may have a set of their own by now. */
function isSecondPrimary(
  name: string,
  { found }: TimedLook,
  { world, members }: Surroundings,
  cluster: string,
): boolean {
  const { clusterId } = world[cluster] as SecondaryFacts;
  if (typeof found === 'string' || found.mode !== 'primary') return false;
  return members.includes(name) || found.cluster_id === clusterId;
}

function secondPrimary(other: string, { fleet, world }: Surroundings, cluster: string): MessageError {
  if (mayBePrimary(world[other])) {
    return new MessageError({
      path: ['primary'],
      summary: `${fleet.title}: ${quote(other)} is back, and is a primary`,
      details: `It did not answer when this apply began. ${quote(cluster)} was not promoted: there would be two primaries.`,
      cures: phrase`${PLAN_AGAIN}. If ${quote(other)} is to remain the primary, set primary back to it first. Otherwise the plan
            shows how it steps down.`,
    });
  }
  return new MessageError({
    path: ['primary'],
    summary: `${fleet.title}: ${quote(other)} has become the primary in the meantime, outside of this apply`,
    cures: phrase`${PLAN_AGAIN}, and review the steps`,
  });
}

/** @returns `starting` if the cluster answers, but is in no mode yet; `silent` if it does not answer. */
async function lookAt(
  fleet: Fleet,
  cluster: string,
  timeout?: number,
): Promise<SettledStatus | 'starting' | 'silent'> {
  try {
    const status = await fleet.member(cluster).status(timeout);
    return isSettled(status) ? status : 'starting';
  } catch (error) {
    if (VaultError.is(error)) return error.status === undefined ? 'silent' : 'starting';
    if (error instanceof DiagnosticError) return 'silent';
    throw error;
  }
}

function isCatchingUp(error: unknown): boolean {
  return serverErrorOf(error)?.code === 'catching_up';
}

/** Makes a call. If the step is forced, a failure that it may ignore is logged instead of thrown. */
async function unlessForced(
  forced: boolean,
  fleet: Fleet,
  call: () => Promise<unknown>,
  mayIgnore: (error: unknown) => error is Error = isWaitOver,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    if (!forced || !mayIgnore(error)) throw error;
    fleet.log.warn(`${fleet.title}: continues by force: ${error.message}`);
  }
}

function isWaitOver(error: unknown): error is Error {
  return error instanceof IncomparableError || (VaultError.is(error) && error.code === 'timeout');
}

/** Whether the announcement could not be written or read. A RivalError means that another apply has written it. */
function isNoRival(error: unknown): error is DiagnosticError {
  return error instanceof DiagnosticError && !(error instanceof RivalError);
}
