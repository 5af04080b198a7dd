import {
  describeFinding,
  PERFORMANCE_PATH,
  REPLICATION_CALLS,
  validate,
  type FieldValues,
  type ReplicationCall,
  type ReplicationMode,
} from '../../model';
import { texts } from '../answer/answer';
import type { VaultResponse } from '../answer/responses';
import type { ClientCall, CallOptions } from '../call-options';
import { Caller } from '../call/caller';
import { secretsAmong } from '../errors/redact';
import { pause } from '../transport/server-connection';
import { VaultError } from '../vault-error';
import { decodeReplicationStatus } from './decode-status';
import type {
  DynamicFilter,
  EnablePrimaryFields,
  EnableSecondaryFields,
  PathsFilterFields,
  PromoteSecondaryFields,
  SecondaryToken,
  SecondaryTokenFields,
  StoredPathsFilter,
  UpdatePrimaryFields,
} from './call-fields';
import type { ReplicationStatus } from '../../model/replication/status';
import { waitUntil, type Reached, type WaitOptions } from './wait';

/**
 * Performance replication.
 *
 * A call that changes the mode of a cluster is answered before the change is complete: the cluster
 * is unavailable for a while afterwards, see `waitForMode`. Such a call, and one that issues or
 * consumes a token, is not retried if the first attempt may have taken effect (`mayHaveTakenEffect`
 * of the error): read the status instead.
 */
export class PerformanceReplicationCalls {
  readonly #caller: Caller;
  /** The status requires no token, and only exists in the root namespace. */
  readonly #anonymous: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#anonymous = caller.with({ token: undefined, namespace: undefined });
  }

  /** Returns the mode of the cluster and the progress of replication. Works without a token. */
  status(options?: CallOptions): Promise<VaultResponse<ReplicationStatus>> {
    return this.#status(this.#anonymous, options);
  }

  /**
   * Waits until the cluster is in a mode. Ignores the failures that a change of mode causes.
   *
   * @throws VaultError `timeout` with the last status; any failure that is not temporary.
   */
  waitForMode<M extends ReplicationMode>(
    mode: M,
    options?: WaitOptions,
  ): Promise<Extract<ReplicationStatus, { readonly mode: M }>> {
    return this.waitUntil(
      (status): status is Extract<ReplicationStatus, { readonly mode: M }> => status.mode === mode,
      `reach mode ${JSON.stringify(mode)}`,
      options,
    );
  }

  /**
   * Waits until the status is as expected. Ignores the failures that a change of mode causes.
   *
   * @param goal what the cluster is expected to do, for messages: `catch up`.
   * @throws VaultError `timeout` with the last status; any failure that is not temporary.
   */
  waitUntil<S extends ReplicationStatus>(
    reached: (status: ReplicationStatus) => status is S,
    goal: string,
    options?: WaitOptions,
  ): Promise<S>;
  waitUntil(
    reached: (status: ReplicationStatus) => boolean | Promise<boolean>,
    goal: string,
    options?: WaitOptions,
  ): Promise<ReplicationStatus>;
  waitUntil<S extends ReplicationStatus>(
    reached: Reached<S>,
    goal: string,
    options: WaitOptions = {},
  ): Promise<S> {
    const { settings, connection } = this.#anonymous;
    const { signal } = options;
    // The wait repeats failed reads itself, and reports their results.
    const once = new Caller({ ...settings, maxRetries: 0 }, connection);
    const watched = {
      address: settings.address,
      clock: settings.clock,
      status: async (timeout: number) => (await this.#status(once, { timeout, signal })).data,
      pause: (milliseconds: number) => pause(milliseconds, settings.clock, { signal, connection }),
    };
    return waitUntil(watched, reached, goal, options);
  }

  /** Makes a cluster whose replication is disabled a primary. */
  enablePrimary(fields: EnablePrimaryFields = {}, options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.enablePrimary, { ...fields }, options);
  }

  /** Demotes a primary to a secondary without a primary. It keeps its data and its cluster id. */
  demotePrimary(options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.demotePrimary, {}, options);
  }

  /**
   * Disables replication on a primary. Its secondaries then have no primary, and lose their data
   * when they join one again.
   */
  disablePrimary(options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.disablePrimary, {}, options);
  }

  /**
   * Issues an activation token, encrypted if a public key is given. Requires the sudo capability.
   */
  async secondaryToken(
    fields: SecondaryTokenFields,
    options?: CallOptions,
  ): Promise<VaultResponse<SecondaryToken>> {
    const call = this.#callOf(REPLICATION_CALLS.secondaryToken, { ...fields }, options);
    const response = await this.#caller.send(call);
    const token = secondaryTokenOf(response);
    if (!token) throw this.#caller.misshapen(call, 'activation token');
    return { ...response, data: token };
  }

  /**
   * Disconnects a secondary and revokes its token. If no secondary has this id, servers may succeed
   * or refuse.
   */
  revokeSecondary(id: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#repeatable(REPLICATION_CALLS.revokeSecondary, { id }, options);
  }

  /** Creates or replaces the paths filter of a secondary, which need not exist yet. */
  writePathsFilter(id: string, fields: PathsFilterFields, options?: CallOptions): Promise<VaultResponse> {
    return this.#repeatable(REPLICATION_CALLS.writePathsFilter, { id, ...fields }, options);
  }

  /** @returns `undefined` if the secondary has no paths filter. */
  async readPathsFilter(
    id: string,
    options?: CallOptions,
  ): Promise<VaultResponse<StoredPathsFilter> | undefined> {
    const call = this.#callOf(REPLICATION_CALLS.readPathsFilter, { id }, options);
    const response = await this.#caller.find(call);
    const { mode, paths } = response?.data ?? {};
    // Some servers return an empty filter for a secondary without one.
    if (!response || (!mode && texts(paths).length === 0)) return undefined;
    if (typeof mode !== 'string' || mode === '')
      throw this.#caller.misshapen(call, 'paths filter with a mode');
    return { ...response, data: { mode, paths: texts(paths) } };
  }

  /**
   * Deletes the paths filter of a secondary, which then receives everything. If it has none,
   * servers may succeed or refuse.
   */
  deletePathsFilter(id: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#repeatable(REPLICATION_CALLS.deletePathsFilter, { id }, options);
  }

  /**
   * Reads from the primary which data a secondary does not receive.
   *
   * @returns `undefined` if the secondary does not exist.
   */
  primaryDynamicFilter(id: string, options?: CallOptions): Promise<VaultResponse<DynamicFilter> | undefined> {
    return this.#dynamicFilter(REPLICATION_CALLS.primaryDynamicFilter, id, options);
  }

  /**
   * Reads from a secondary which data it does not receive.
   *
   * @returns `undefined` if the id is not the secondary's.
   */
  secondaryDynamicFilter(
    id: string,
    options?: CallOptions,
  ): Promise<VaultResponse<DynamicFilter> | undefined> {
    return this.#dynamicFilter(REPLICATION_CALLS.secondaryDynamicFilter, id, options);
  }

  /** Generates a public key for the encryption of an activation token. Needs server version 1.3. */
  async generatePublicKey(
    options?: CallOptions,
  ): Promise<VaultResponse<{ readonly secondary_public_key: string }>> {
    const call = this.#callOf(REPLICATION_CALLS.generatePublicKey, {}, { ...options, repeatable: true });
    const response = await this.#caller.send(call);
    const { secondary_public_key } = response.data;
    if (typeof secondary_public_key !== 'string') throw this.#caller.misshapen(call, 'public key');
    return { ...response, data: { secondary_public_key } };
  }

  /** Makes a cluster a secondary. This deletes all its data, including its tokens. */
  enableSecondary(fields: EnableSecondaryFields, options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.enableSecondary, { ...fields }, options);
  }

  /**
   * Makes a secondary the primary.
   *
   * @throws VaultError `catching_up` if it has not received all data yet and the promotion is not
   *   forced.
   */
  promoteSecondary(fields: PromoteSecondaryFields = {}, options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.promoteSecondary, { ...fields }, options);
  }

  /** Disables replication on a secondary. It keeps its data until it joins a primary again. */
  disableSecondary(options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.disableSecondary, {}, options);
  }

  /**
   * Connects a secondary to another primary, or to other addresses of its primary. Does not delete
   * data.
   */
  updatePrimary(fields: UpdatePrimaryFields, options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.updatePrimary, { ...fields }, options);
  }

  async #status(caller: Caller, options?: CallOptions): Promise<VaultResponse<ReplicationStatus>> {
    const call = this.#callOf(REPLICATION_CALLS.status, {}, options);
    const response = await caller.send(call);
    const status = decodeReplicationStatus(response.data);
    if (!status) throw caller.misshapen(call, 'replication status of a known mode');
    return { ...response, data: status };
  }

  /** Makes a call that is not retried if it may have taken effect. */
  async #change(call: ReplicationCall, fields: FieldValues, options?: CallOptions): Promise<VaultResponse> {
    return this.#caller.send(this.#callOf(call, fields, options));
  }

  async #repeatable(
    call: ReplicationCall,
    fields: FieldValues,
    options?: CallOptions,
  ): Promise<VaultResponse> {
    return this.#caller.send(this.#callOf(call, fields, { ...options, repeatable: true }));
  }

  async #dynamicFilter(
    call: ReplicationCall,
    id: string,
    options?: CallOptions,
  ): Promise<VaultResponse<DynamicFilter> | undefined> {
    const response = await this.#caller.find(this.#callOf(call, { id }, options));
    if (!response) return undefined;
    const { dynamic_filtered_mounts: mounts, dynamic_filtered_namespaces: namespaces } = response.data;
    const data = { dynamic_filtered_mounts: texts(mounts), dynamic_filtered_namespaces: texts(namespaces) };
    return { ...response, data };
  }

  /**
   * Returns the call for a definition of the model.
   *
   * @throws VaultError `invalid_request` if the fields break a rule; nothing is sent.
   */
  #callOf(call: ReplicationCall, values: FieldValues, options?: Partial<ClientCall>): ClientCall {
    const { method, path, fields } = call;
    refuseFindings(call, values);
    const { id } = values;
    const fullPath = `${PERFORMANCE_PATH}/${path.replace(':id', String(id))}`;
    const inPath = path.includes(':id');
    const body = Object.fromEntries(Object.entries(values).filter(([name]) => !(inPath && name === 'id')));
    return {
      ...options,
      verb: method === 'GET' ? 'read' : method === 'DELETE' ? 'delete' : 'write',
      method,
      path: fullPath,
      ...(method === 'GET' && { repeatable: true }),
      ...(method === 'POST' && { body, secrets: secretsAmong(fields, body) }),
    };
  }
}

/** The replication calls of a client. */
export interface Replication {
  /** Performance replication. */
  readonly performance: PerformanceReplicationCalls;
}

function refuseFindings(call: ReplicationCall, values: FieldValues): void {
  const finding = validate(call, values).find(({ severity }) => severity === 'error');
  if (!finding) return;
  const { id } = values;
  const name = typeof id === 'string' ? id : undefined;
  throw new VaultError({ code: 'invalid_request', message: describeFinding(call, name, finding).line });
}

/**
 * Returns the token of an answer. Servers without support for public keys ignore the key, and wrap
 * the token.
 */
function secondaryTokenOf({ data, wrapInfo }: VaultResponse): SecondaryToken | undefined {
  if (wrapInfo) {
    const { token, accessor, ttl, creationTime: creation_time } = wrapInfo;
    return { kind: 'wrapped', token, accessor, ttl, creation_time };
  }
  const { token } = data;
  return typeof token === 'string' ? { kind: 'encrypted', token } : undefined;
}
