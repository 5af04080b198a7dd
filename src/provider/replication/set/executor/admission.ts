import type { SecondaryToken } from '../../../../client';
import { PUBLIC_KEYS_SINCE, type FilterMode } from '../../../../model';
import { DiagnosticError } from '../../../../plugin';
import { serverErrorOf } from '../../../objects';
import {
  quote,
  takesToken,
  TOKEN_TTL,
  transitionBy,
  type Follow,
  type Forget,
  type Join,
  type PrimaryFacts,
  type Redirect,
  type Self,
  type Step,
  type SetFilter,
} from '../planner';
import type { Surroundings, SecondarySettings } from './settings';
import { phrase } from '../../../../model/messages';
import { contentOf, MessageError } from '../../../messages';
import type { Fleet } from './fleet';
import { PLAN_AGAIN } from './messages';
import { knownIds, readFilter } from './observe';

/** For a secondary of a primary that Terraform did not know as one. */
const DEFAULTS: SecondarySettings = { delivery: 'public_key', contact: {} };

/**
 * Makes a cluster a secondary of a primary, by a new activation token, and waits until it has received everything. The
 * token never leaves this process. The paths filter is there before the first byte can flow: an old token of the same id
 * is revoked first, then the filter is written, then the new token is issued.
 */
export async function admit(
  step: Join | Follow,
  { fleet, settings, world, issued }: Surroundings,
): Promise<void> {
  const { cluster, primary, id, filter } = step;
  const { secondaries, filters, clusterAddr } = world[primary] as PrimaryFacts;
  const { delivery, contact } = settings.under[primary]?.secondaries[cluster] ?? DEFAULTS;

  // First, as it takes a login: a cluster that has joined, and cannot be logged in to yet, keeps the token that it has.
  const key = delivery === 'public_key' ? await publicKey(fleet, cluster) : undefined;
  if (Object.hasOwn(secondaries, id)) await revoke(fleet, primary, id);
  const isFiltered = filter !== null || filters[id] !== null;
  const isWritten = !isFiltered || (await setFilterOfNewId(fleet, primary, { id, filter }));
  issued.add(id);
  const { token } = await issue(fleet, step, key);
  fleet.mask(token);
  // The token has not been used yet: nothing is replicated before the filter is set.
  if (!isWritten) await setFilter(fleet, primary, { id, filter });
  const member = fleet.member(cluster);
  await requireSameCluster(fleet, cluster, world[cluster]?.self);
  try {
    await (step.kind === 'join'
      ? member.call('make a secondary of', (calls) => calls.enableSecondary({ token, ...contact }))
      : member.call('change the primary of', (calls) => calls.updatePrimary({ token, ...contact })));
  } finally {
    // Also if the answer was lost: the cluster may be erased, and its tokens with it.
    if (transitionBy(step)?.wipesData) member.forgetLogin();
  }
  const address = settings.under[primary]?.primaryClusterAddr;
  // The token carries the address that the primary was given when it became one.
  if (step.kind === 'follow' && address !== undefined && address !== clusterAddr) {
    await tryAddress(fleet, cluster, address);
  }
  const following = { primary: fleet.member(primary), filtered: filter !== null, id };
  await member.waitUntilCaughtUp(following, settings.limits.sync);
}

/** Checks immediately before a cluster is changed that its address still leads to it. */
async function requireSameCluster(fleet: Fleet, cluster: string, self: Self | undefined): Promise<void> {
  if (self === undefined) return;
  const { cluster_id: id } = await fleet.member(cluster).health();
  if (typeof id !== 'string' || id === '' || id === self.id) return;
  throw new MessageError({
    path: ['secondaries', cluster],
    summary: `${fleet.title}: the address of ${quote(cluster)} leads to another cluster than when this apply began`,
    details: `Id of the cluster at the address now: ${quote(id)}; before: ${quote(self.id)}. It was not changed.`,
    cures: phrase`make sure that the address of ${quote(cluster)} in the provider's configuration always leads to the same
        cluster, and ${PLAN_AGAIN}`,
  });
}

/**
 * Writes the paths filter of an id before its activation token is issued. Some servers refuse this.
 *
 * @returns `false` if the server refuses.
 */
async function setFilterOfNewId(
  fleet: Fleet,
  primary: string,
  filter: Pick<SetFilter, 'id' | 'filter'>,
): Promise<boolean> {
  try {
    await setFilter(fleet, primary, filter);
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}

/** Tells a secondary where its primary is, and waits until it has received everything. */
export async function redirect(
  { cluster, primary, id, address }: Redirect,
  { fleet, settings, world }: Surroundings,
): Promise<void> {
  const { filters } = world[primary] as PrimaryFacts;
  await useAddress(fleet, cluster, address);
  const following = { primary: fleet.member(primary), filtered: Boolean(filters[id]), id };
  await fleet.member(cluster).waitUntilCaughtUp(following, settings.limits.sync);
}

/** The address in the token may be right as well. */
async function tryAddress(fleet: Fleet, cluster: string, address: string): Promise<void> {
  try {
    await useAddress(fleet, cluster, address);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    fleet.log.warn(`${fleet.title}: ${error.message}`);
  }
}

async function useAddress(fleet: Fleet, cluster: string, address: string): Promise<void> {
  await fleet
    .member(cluster)
    .call(`change the address of the primary (to ${address}) on`, (replication) =>
      replication.updatePrimary({ update_primary_addrs: [address] }),
    );
}

/**
 * Revokes a token that a failed step left, if it was not used. A token that cannot be revoked expires with its TTL. A cluster that
 * joined with it, and does not reach its primary, keeps it: nobody can log in to it to give it another one.
 */
export async function revokeUnused(
  fleet: Fleet,
  step: Step,
  { world, issued }: Pick<Surroundings, 'world' | 'issued'>,
): Promise<void> {
  if (!takesToken(step)) return;
  const own = world[step.cluster];
  // A cluster that does not answer may have joined with it before, which its last known status does not show.
  if (own?.unreachable !== undefined || (step.kind === 'join' && own?.mode === 'secondary')) return;
  // A token that another apply issued may be about to be used.
  if (!issued.has(step.id)) return;
  const facts = world[step.primary];
  if (facts?.mode !== 'primary' || facts.secondaries[step.id] !== 'never') return;
  try {
    await revoke(fleet, step.primary, step.id);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    fleet.log.warn(`${fleet.title}: an activation token could not be revoked: ${error.message}`);
  }
}

/** Has the primary forget a secondary: its token first, since a token without its filter would let everything through. */
export async function forget({ cluster, id }: Forget, { fleet }: Surroundings): Promise<void> {
  await revoke(fleet, cluster, id);
  await setFilter(fleet, cluster, { id, filter: null });
}

/** Servers may refuse to revoke an id that an interrupted apply has revoked already. */
async function revoke(fleet: Fleet, primary: string, id: string): Promise<void> {
  const member = fleet.member(primary);
  try {
    await member.call(`revoke secondary ${quote(id)} of`, (replication) => replication.revokeSecondary(id));
  } catch (error) {
    if (!isRefused(error) || knownIds(await member.primaryStatus()).includes(id)) throw error;
  }
}

async function issue(
  fleet: Fleet,
  { cluster, primary, id }: Join | Follow,
  key: string | undefined,
): Promise<SecondaryToken> {
  const request = () =>
    fleet.member(primary).call('issue an activation token by', (replication) =>
      replication.secondaryToken({
        id,
        ttl: TOKEN_TTL,
        ...(key !== undefined && { secondary_public_key: key }),
      }),
    );
  const { data } = await request().catch(async (error: unknown) => {
    if (!isRefused(error)) throw error;
    // A killed apply may have left a token of this id, and servers may not list ids that never connected.
    await revoke(fleet, primary, id).catch(() => Promise.reject(error as Error));
    return request();
  });
  if (key === undefined || data.kind === 'encrypted') return data;
  await revoke(fleet, primary, id);
  throw noPublicKeys(cluster, primary);
}

/**
 * The codes with which a server may refuse a call that does not fit its state. This is not
 * documented.
 */
const REFUSALS: readonly (string | undefined)[] = ['invalid_request', 'not_found', 'server_error'];

function isRefused(error: unknown): boolean {
  return REFUSALS.includes(serverErrorOf(error)?.code);
}

async function publicKey(fleet: Fleet, cluster: string): Promise<string> {
  try {
    const { data } = await fleet
      .member(cluster)
      .call('make a public key on', (replication) => replication.generatePublicKey());
    return data.secondary_public_key;
  } catch (error) {
    const code = serverErrorOf(error)?.code;
    if (code === 'unsupported_path') throw noPublicKeys(cluster, cluster);
    if (code !== 'invalid_request' || !(error instanceof DiagnosticError)) throw error;
    const cures = [
      `if the server of ${quote(cluster)} makes public keys only before it joins a set, ${useWrapped(cluster)}`,
    ];
    throw new MessageError({ ...contentOf(error), cures }, { cause: error.cause });
  }
}

function noPublicKeys(cluster: string, old: string): DiagnosticError {
  return new MessageError({
    path: ['secondaries', cluster],
    summary: `${quote(cluster)} cannot join with a public key: the server of ${quote(old)} does not support public keys`,
    details: `They require server version ${PUBLIC_KEYS_SINCE}.`,
    cures: useWrapped(cluster),
  });
}

function useWrapped(cluster: string): string {
  return `set token_delivery to "wrapped" in secondaries[${quote(cluster)}]. The secondary then calls the primary to unwrap the token.`;
}

/** Writes or removes the paths filter of a secondary on its primary. */
export async function setFilter(
  fleet: Fleet,
  primary: string,
  { id, filter }: Pick<SetFilter, 'id' | 'filter'>,
): Promise<void> {
  if (filter === null) return removeFilter(fleet, primary, id);
  const { mode, paths } = filter;
  await fleet
    .member(primary)
    .call(`write the paths filter of secondary ${quote(id)} of`, (replication) =>
      replication.writePathsFilter(id, { mode: mode as FilterMode, paths }),
    );
}

/** Servers may refuse to remove what an interrupted apply has removed already. */
async function removeFilter(fleet: Fleet, primary: string, id: string): Promise<void> {
  const member = fleet.member(primary);
  try {
    await member.call(`remove the paths filter of secondary ${quote(id)} of`, (replication) =>
      replication.deletePathsFilter(id),
    );
  } catch (error) {
    if (!isRefused(error) || (await readFilter(fleet, primary, id)) !== null) throw error;
  }
}
