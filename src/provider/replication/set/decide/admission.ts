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

/** The settings of a secondary that neither the configuration nor the state has. */
const DEFAULTS: SecondarySettings = { delivery: 'public_key', contact: {} };

/**
 * Makes a cluster a secondary of a primary with a new activation token, and waits until it has
 * received all data. The token stays in this process. An old token of the same id is revoked first,
 * then the paths filter is written, and only then the new token is issued: no data is replicated
 * without the filter.
 */
export function* admit(step: Join | Follow, context: StepContext): Procedure<void> {
  const { title, settings, observation, memory } = context;
  const { cluster, primary, id, filter } = step;
  const { secondaries, filters, clusterAddr } = observation[primary] as PrimaryFacts;
  const { delivery, contact } = settings.under[primary]?.secondaries[cluster] ?? DEFAULTS;

  // The key is generated before the old token is revoked, because that needs a login: a cluster
  // that has joined already and accepts no login yet keeps its token.
  const key = delivery === 'public_key' ? yield* publicKey(cluster) : undefined;
  if (Object.hasOwn(secondaries, id)) yield* revoke(primary, id);
  const isFiltered = filter !== null || filters[id] !== null;
  const isWritten = !isFiltered || (yield* setFilterOfNewId(primary, { id, filter }));
  memory.issued.add(id);
  memory.delivered.delete(id);
  const { token } = yield* issue(step, key);
  // The new token is not used yet, so nothing is replicated before the filter is set.
  if (!isWritten) yield* setFilter(primary, { id, filter });
  yield* requireSameCluster(title, cluster, observation[cluster]?.self);
  if (step.kind === 'join') memory.joined.add(id);
  yield* ask({ kind: step.kind === 'join' ? 'enable_secondary' : 'update_primary', cluster, token, contact });
  memory.delivered.add(id);
  const address = settings.under[primary]?.primaryClusterAddr;
  // The token contains the address that the primary got when it became a primary.
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
 * Writes the paths filter of an id before its activation token is issued. Some servers refuse a
 * filter for an id without a token.
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

/**
 * Gives a secondary the configured address of its primary. A failure is only logged, because the
 * address in the token may be right, too.
 */
function* tryAddress(cluster: string, address: string): Procedure<void> {
  try {
    yield* ask({ kind: 'update_primary_address', cluster, address });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    yield* warn(error.message);
  }
}

/**
 * Revokes the token of a failed step if no cluster has used it. A token that cannot be revoked
 * expires with its TTL. If a new member has joined and not reached its primary, its token is not
 * revoked, not even after further attempts: nobody can log in to that member to give it another
 * token. If an existing member has accepted a token, that token is revoked only if the member would
 * lose writes once it reaches its primary.
 */
export function* revokeUnused(
  step: Step,
  observation: Observation,
  { issued, delivered, joined }: ApplyMemory,
): Procedure<void> {
  if (!takesToken(step)) return;
  const own = observation[step.cluster];
  // A cluster that does not answer may have joined with the token, even if its last known status
  // does not show that.
  if (own?.unreachable !== undefined) return;
  const isNew = step.kind === 'join' || joined.has(step.id);
  const isAccepted = isNew || (!step.mayLose && delivered.has(step.id));
  if (own?.mode === 'secondary' && isAccepted) return;
  // Another apply may have issued this token, and be about to use it.
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
 * Revokes the token of a secondary on the primary, then removes its filter. In the opposite order,
 * the secondary could receive all data for a moment.
 */
export function* forget({ cluster, id }: Forget): Procedure<void> {
  yield* revoke(cluster, id);
  yield* setFilter(cluster, { id, filter: null });
}

/** Revokes an id. Servers may refuse this if an interrupted apply has revoked the id already. */
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
    // A killed apply may have left a token of this id, which some servers do not list until it is
    // used.
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
 * The codes with which a server may refuse a call that does not fit its state. Vault's
 * documentation does not list them.
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
    // Servers may refuse to remove a filter that an interrupted apply has removed already.
    if (!isRefused(error) || (yield* ask({ kind: 'read_filter', cluster, id })) !== null) throw error;
  }
}
