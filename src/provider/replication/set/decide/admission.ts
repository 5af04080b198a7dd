import type { SecondaryToken } from '../../../../client';
import { PUBLIC_KEYS_SINCE } from '../../../../model';
import { DiagnosticError } from '../../../../plugin';
import { serverErrorOf } from '../../../objects';
import {
  quote,
  takesToken,
  TOKEN_TTL,
  type Follow,
  type Forget,
  type Join,
  type PrimaryFacts,
  type Redirect,
  type Self,
  type Step,
  type SetFilter,
  type Observation,
} from '../planner';
import { phrase } from '../../../../model/messages';
import { contentOf, MessageError } from '../../../messages';
import { PLAN_AGAIN } from './messages';
import type { ApplyMemory } from './memory';
import { knownIds } from './observe';
import { ask, warn, type Procedure } from './requests';
import type { StepContext, SecondarySettings } from './settings';

/** For a secondary of a primary that Terraform did not know as one. */
const DEFAULTS: SecondarySettings = { delivery: 'public_key', contact: {} };

/**
 * Makes a cluster a secondary of a primary, by a new activation token, and waits until it has
 * received everything. The token never leaves this process. The paths filter is there before the
 * first byte can flow: an old token of the same id is revoked first, then the filter is written,
 * then the new token is issued.
 */
export function* admit(step: Join | Follow, context: StepContext): Procedure<void> {
  const { title, settings, observation, memory } = context;
  const { cluster, primary, id, filter } = step;
  const { secondaries, filters, clusterAddr } = observation[primary] as PrimaryFacts;
  const { delivery, contact } = settings.under[primary]?.secondaries[cluster] ?? DEFAULTS;

  // First, as it takes a login: a cluster that has joined, and cannot be logged in to yet, keeps
  // the token that it has.
  const key = delivery === 'public_key' ? yield* publicKey(cluster) : undefined;
  if (Object.hasOwn(secondaries, id)) yield* revoke(primary, id);
  const isFiltered = filter !== null || filters[id] !== null;
  const isWritten = !isFiltered || (yield* setFilterOfNewId(primary, { id, filter }));
  memory.issued.add(id);
  memory.delivered.delete(id);
  const { token } = yield* issue(step, key);
  // The token has not been used yet: nothing is replicated before the filter is set.
  if (!isWritten) yield* setFilter(primary, { id, filter });
  yield* requireSameCluster(title, cluster, observation[cluster]?.self);
  yield* ask({ kind: step.kind === 'join' ? 'enable_secondary' : 'update_primary', cluster, token, contact });
  memory.delivered.add(id);
  const address = settings.under[primary]?.primaryClusterAddr;
  // The token carries the address that the primary was given when it became one.
  if (step.kind === 'follow' && address !== undefined && address !== clusterAddr) {
    yield* tryAddress(cluster, address);
  }
  const following = { primary, filtered: filter !== null, id, timeout: settings.limits.sync };
  yield* ask({ kind: 'wait_until_caught_up', cluster, ...following });
}

/** Checks immediately before a cluster is changed that its address still leads to it. */
function* requireSameCluster(title: string, cluster: string, self: Self | undefined): Procedure<void> {
  if (self === undefined) return;
  const { cluster_id: id } = yield* ask({ kind: 'health', cluster });
  if (typeof id !== 'string' || id === '' || id === self.id) return;
  throw new MessageError({
    path: ['secondaries', cluster],
    summary: `${title}: the address of ${quote(cluster)} leads to another cluster than when this apply began`,
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
function* setFilterOfNewId(primary: string, filter: Pick<SetFilter, 'id' | 'filter'>): Procedure<boolean> {
  try {
    yield* setFilter(primary, filter);
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}

/** Gives a secondary the address of its primary, and waits until it has received everything. */
export function* redirect(
  { cluster, primary, id, address }: Redirect,
  { settings, observation }: StepContext,
): Procedure<void> {
  const { filters } = observation[primary] as PrimaryFacts;
  yield* ask({ kind: 'update_primary_address', cluster, address });
  const following = { primary, filtered: Boolean(filters[id]), id, timeout: settings.limits.sync };
  yield* ask({ kind: 'wait_until_caught_up', cluster, ...following });
}

/** The address in the token may be right as well. */
function* tryAddress(cluster: string, address: string): Procedure<void> {
  try {
    yield* ask({ kind: 'update_primary_address', cluster, address });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(error.message);
  }
}

/**
 * Revokes a token that a failed step left, if it was not used. A token that cannot be revoked
 * expires with its TTL. A cluster that joined with it, and does not reach its primary, keeps it:
 * nobody can log in to it to give it another one. So does one that has accepted it, unless it would
 * lose writes once it reaches its primary.
 */
export function* revokeUnused(
  step: Step,
  observation: Observation,
  { issued, delivered }: ApplyMemory,
): Procedure<void> {
  if (!takesToken(step)) return;
  const own = observation[step.cluster];
  // A cluster that does not answer may have joined with it before, which its last known status does
  // not show.
  if (own?.unreachable !== undefined) return;
  const isAccepted = step.kind === 'join' || (!step.mayLose && delivered.has(step.id));
  if (own?.mode === 'secondary' && isAccepted) return;
  // A token that another apply issued may be about to be used.
  if (!issued.has(step.id)) return;
  const facts = observation[step.primary];
  if (facts?.mode !== 'primary' || facts.secondaries[step.id] !== 'never') return;
  try {
    yield* revoke(step.primary, step.id);
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(`an activation token could not be revoked: ${error.message}`);
  }
}

/**
 * Has the primary forget a secondary: its token first, since a token without its filter would let
 * everything through.
 */
export function* forget({ cluster, id }: Forget): Procedure<void> {
  yield* revoke(cluster, id);
  yield* setFilter(cluster, { id, filter: null });
}

/** Servers may refuse to revoke an id that an interrupted apply has revoked already. */
function* revoke(primary: string, id: string): Procedure<void> {
  try {
    yield* ask({ kind: 'revoke', cluster: primary, id });
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (knownIds(yield* ask({ kind: 'primary_status', cluster: primary })).includes(id)) throw error;
  }
}

function* issue({ cluster, primary, id }: Join | Follow, key: string | undefined): Procedure<SecondaryToken> {
  const request = {
    kind: 'issue_token',
    cluster: primary,
    id,
    ttl: TOKEN_TTL,
    ...(key !== undefined && { key }),
  } as const;
  let issued: SecondaryToken;
  try {
    issued = yield* ask(request);
  } catch (error) {
    if (!isRefused(error)) throw error;
    // A killed apply may have left a token of this id, and servers may not list ids that never
    // connected.
    try {
      yield* revoke(primary, id);
    } catch {
      throw error;
    }
    issued = yield* ask(request);
  }
  if (key === undefined || issued.kind === 'encrypted') return issued;
  yield* revoke(primary, id);
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

function* publicKey(cluster: string): Procedure<string> {
  try {
    return yield* ask({ kind: 'public_key', cluster });
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
export function* setFilter(
  cluster: string,
  { id, filter }: Pick<SetFilter, 'id' | 'filter'>,
): Procedure<void> {
  if (filter !== null) return yield* ask({ kind: 'write_filter', cluster, id, filter });
  try {
    yield* ask({ kind: 'delete_filter', cluster, id });
  } catch (error) {
    // Servers may refuse to remove what an interrupted apply has removed already.
    if (!isRefused(error) || (yield* ask({ kind: 'read_filter', cluster, id })) !== null) throw error;
  }
}
