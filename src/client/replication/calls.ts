import {
  describeFinding,
  PERFORMANCE_PATH,
  REPLICATION_CALLS,
  validate,
  type FieldValues,
  type ReplicationCall,
  type ReplicationMode,
} from '../../model';
import { isList } from '../answer/answer';
import type { Data, VaultResponse } from '../answer/responses';
import type { Call, CallOptions } from '../call/call';
import { Caller } from '../call/caller';
import { secretsAmong } from '../errors/redact';
import { VaultError } from '../errors/vault-error';
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
} from './fields';
import type { ReplicationStatus } from './status';
import { waitUntil, type WaitOptions } from './wait';

/**
 * Performance replication. Interface section 4.3.
 *
 * A call that changes the mode of a cluster is answered before it is done: the cluster is unavailable for a while
 * afterwards, see `waitForMode`. Such a call, and one that issues or uses up a token, is not sent again where the
 * first try may have had an effect (`mayHaveTakenEffect` of the error): look at the status then.
 */
export class PerformanceReplicationCalls {
  readonly #caller: Caller;
  /** The status needs no token, and is there in the root namespace only. */
  readonly #anonymous: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#anonymous = caller.with({ token: undefined, namespace: undefined });
  }

  /** The mode of the cluster, and how far replication is. Works without a token. */
  status(options?: CallOptions): Promise<VaultResponse<ReplicationStatus>> {
    return this.#status(this.#anonymous, options);
  }

  /**
   * Waits until the cluster is in a mode, through the failures that come with a change of mode.
   *
   * @throws VaultError `timeout` that says what was reached; any failure that does not pass by itself.
   */
  waitForMode<M extends ReplicationMode>(
    mode: M,
    options?: WaitOptions,
  ): Promise<Extract<ReplicationStatus, { readonly mode: M }>> {
    return this.waitUntil(
      `come to mode ${JSON.stringify(mode)}`,
      (status): status is Extract<ReplicationStatus, { readonly mode: M }> => status.mode === mode,
      options,
    );
  }

  /**
   * Waits until the status is as wanted, through the failures that come with a change of mode.
   *
   * @param goal what is waited for, to follow `did not`: `catch up`.
   * @throws VaultError `timeout` that says what was reached; any failure that does not pass by itself.
   */
  waitUntil<S extends ReplicationStatus>(
    goal: string,
    reached: (status: ReplicationStatus) => status is S,
    options?: WaitOptions,
  ): Promise<S>;
  waitUntil(
    goal: string,
    reached: (status: ReplicationStatus) => boolean,
    options?: WaitOptions,
  ): Promise<ReplicationStatus>;
  waitUntil<S extends ReplicationStatus>(
    goal: string,
    reached: (status: ReplicationStatus) => status is S,
    options: WaitOptions = {},
  ): Promise<S> {
    const { settings, connection } = this.#anonymous;
    // The wait looks again by itself, and says what it found in between.
    const once = new Caller({ ...settings, maxRetries: 0 }, connection);
    const watched = {
      address: settings.address,
      clock: settings.clock,
      status: async (timeout: number) => (await this.#status(once, { timeout, signal: options.signal })).data,
    };
    return waitUntil(watched, goal, reached, options);
  }

  /** Makes a cluster whose replication is disabled a primary. */
  enablePrimary(fields: EnablePrimaryFields = {}, options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.enablePrimary, { ...fields }, options);
  }

  /** Makes a primary a secondary without a primary. It keeps its data and its cluster id. */
  demotePrimary(options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.demotePrimary, {}, options);
  }

  /** Disables replication on a primary: its secondaries lose it, and must be wiped to join it again. */
  disablePrimary(options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.disablePrimary, {}, options);
  }

  /** Issues an activation token, encrypted where a public key is given. Requires the sudo capability. */
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

  /** Disconnects a secondary, and makes its token useless. It is no error where there is none of that id. */
  revokeSecondary(id: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#repeatable(REPLICATION_CALLS.revokeSecondary, { id }, options);
  }

  /** Creates or replaces the paths filter of a secondary, which need not exist yet. */
  writePathsFilter(id: string, fields: PathsFilterFields, options?: CallOptions): Promise<VaultResponse> {
    return this.#repeatable(REPLICATION_CALLS.writePathsFilter, { id, ...fields }, options);
  }

  /** @returns nothing, where the secondary has no paths filter. */
  async readPathsFilter(
    id: string,
    options?: CallOptions,
  ): Promise<VaultResponse<StoredPathsFilter> | undefined> {
    const call = this.#callOf(REPLICATION_CALLS.readPathsFilter, { id }, options);
    const response = await this.#caller.find(call);
    if (!response || Object.keys(response.data).length === 0) return undefined;
    const { mode, paths } = response.data;
    if (typeof mode !== 'string') throw this.#caller.misshapen(call, 'paths filter with a mode');
    return { ...response, data: { mode, paths: texts(paths) } };
  }

  /** Deletes the paths filter of a secondary: it gets everything. It is no error where there is none. */
  deletePathsFilter(id: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#repeatable(REPLICATION_CALLS.deletePathsFilter, { id }, options);
  }

  /** What a secondary does not get, asked of the primary. @returns nothing, where there is no such secondary. */
  primaryDynamicFilter(id: string, options?: CallOptions): Promise<VaultResponse<DynamicFilter> | undefined> {
    return this.#dynamicFilter(REPLICATION_CALLS.primaryDynamicFilter, id, options);
  }

  /** What a secondary does not get, asked of itself. @returns nothing, where it has another id. */
  secondaryDynamicFilter(
    id: string,
    options?: CallOptions,
  ): Promise<VaultResponse<DynamicFilter> | undefined> {
    return this.#dynamicFilter(REPLICATION_CALLS.secondaryDynamicFilter, id, options);
  }

  /** Makes a public key for the encryption of an activation token. Needs server version 1.3. */
  async generatePublicKey(
    options?: CallOptions,
  ): Promise<VaultResponse<{ readonly secondary_public_key: string }>> {
    const call = this.#callOf(REPLICATION_CALLS.generatePublicKey, {}, { ...options, repeatable: true });
    const response = await this.#caller.send(call);
    const { secondary_public_key } = response.data;
    if (typeof secondary_public_key !== 'string') throw this.#caller.misshapen(call, 'public key');
    return { ...response, data: { secondary_public_key } };
  }

  /** Makes a cluster a secondary. Clears all its data, and with it all its tokens. */
  enableSecondary(fields: EnableSecondaryFields, options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.enableSecondary, { ...fields }, options);
  }

  /**
   * Makes a secondary the primary.
   *
   * @throws VaultError `catching_up` where it has not got all data yet, and is not forced.
   */
  promoteSecondary(fields: PromoteSecondaryFields = {}, options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.promoteSecondary, { ...fields }, options);
  }

  /** Disables replication on a secondary. It keeps its data until it joins a primary again. */
  disableSecondary(options?: CallOptions): Promise<VaultResponse> {
    return this.#change(REPLICATION_CALLS.disableSecondary, {}, options);
  }

  /** Points a secondary to another primary, or to other addresses of its own. Does not wipe data. */
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

  /** A call that is not sent again where it may have had an effect. */
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
   * One call, from the model's facts.
   *
   * @throws VaultError `invalid_request` where the fields break a rule: nothing is sent.
   */
  #callOf(call: ReplicationCall, values: FieldValues, options?: Partial<Call>): Call {
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
  /** Interface section 4.3. */
  readonly performance: PerformanceReplicationCalls;
}

function refuseFindings(call: ReplicationCall, values: FieldValues): void {
  const finding = validate(call, values).find(({ severity }) => severity === 'error');
  if (!finding) return;
  const { id } = values;
  const name = typeof id === 'string' ? id : undefined;
  throw new VaultError({ code: 'invalid_request', message: describeFinding(call, name, finding).line });
}

/** Servers that do not know public keys ignore one, and wrap the token. */
function secondaryTokenOf({ data, wrapInfo }: VaultResponse): SecondaryToken | undefined {
  if (wrapInfo) {
    const { token, accessor, ttl, creationTime: creation_time } = wrapInfo;
    return { kind: 'wrapped', token, accessor, ttl, creation_time };
  }
  const { token } = data;
  return typeof token === 'string' ? { kind: 'encrypted', token } : undefined;
}

function texts(value: Data[string]): readonly string[] {
  return isList(value) ? value.map(String) : [];
}
