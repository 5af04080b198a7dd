import type { Data, KeyList, VaultResponse } from './answer/responses';
import type { RequestOptions, WriteOptions } from './call/call';
import { Caller } from './call/caller';
import { AuthCalls } from './groups/auth';
import { AutoSnapshotCalls } from './groups/auto-snapshots';
import { listKeys } from './groups/names';
import { ManagedKeyCalls } from './groups/managed-keys';
import { policiesOf, type Policies } from './groups/policies';
import { SystemCalls } from './groups/system';
import { TokenCalls } from './groups/tokens';
import { WrappingCalls } from './groups/wrapping';
import type { ClientOptions } from './options/client-options';
import { clientOptionsFromEnvironment, type Environment } from './options/environment';
import { settingsOf } from './options/settings';
import { loadTls } from './options/tls-files';
import { tokenFromFile } from './options/token-file';
import { PerformanceReplicationCalls, type Replication } from './replication';
import { Connection } from './transport/connection';

/**
 * A client of one cluster. It never changes: `withToken` and `withNamespace` give another one on the same
 * connections. Nothing is connected, and no certificate is read, before the first call.
 *
 * Every call throws a `VaultError`, and nothing else. A call is tried again after rate limits (429), missing
 * state (412), server errors (5xx but 501) and lost connections, in all within `timeout`: reads always, writes
 * where doing it twice does no harm or where the first try surely had no effect.
 */
export class VaultClient {
  readonly #options: ClientOptions;
  readonly #connection: Connection;
  readonly #caller: Caller;

  /** Managed keys. Interface section 4.1. */
  readonly managedKeys: ManagedKeyCalls;
  /** Policies. Interface section 4.2. */
  readonly policies: Policies;
  /** Automated snapshots. Interface sections 4.4 and 4.5. */
  readonly autoSnapshots: AutoSnapshotCalls;
  /** Replication. Interface section 4.3. */
  readonly replication: Replication;
  readonly auth: AuthCalls;
  readonly token: TokenCalls;
  readonly wrapping: WrappingCalls;
  readonly system: SystemCalls;

  /**
   * @param connection shared by the clients that are derived from one another.
   * @throws VaultError `invalid_options`
   */
  constructor(
    options: ClientOptions = {},
    connection = new Connection(() => loadTls(options.tls ?? {}), options.dispatcher),
  ) {
    const caller = new Caller(settingsOf(options), connection);
    this.#options = options;
    this.#connection = connection;
    this.#caller = caller;
    this.managedKeys = new ManagedKeyCalls(caller);
    this.policies = policiesOf(caller);
    this.autoSnapshots = new AutoSnapshotCalls(caller);
    this.replication = { performance: new PerformanceReplicationCalls(caller) };
    this.auth = new AuthCalls(caller);
    this.token = new TokenCalls(caller);
    this.wrapping = new WrappingCalls(caller);
    this.system = new SystemCalls(caller);
  }

  /**
   * A client from the usual variables (see `clientOptionsFromEnvironment`), with the token that `vault login` left
   * where there is none in `VAULT_TOKEN`.
   *
   * @throws VaultError `invalid_options`
   */
  static fromEnvironment(env: Environment = process.env): VaultClient {
    const options = clientOptionsFromEnvironment(env);
    return new VaultClient({ ...options, token: options.token ?? tokenFromFile(env) });
  }

  /** URL of the cluster, without `/v1/`. */
  get address(): string {
    return this.#caller.settings.address;
  }

  /** Without outer slashes. Empty: the root namespace. */
  get namespace(): string {
    return this.#caller.settings.namespace ?? '';
  }

  /** @param namespace in place of this client's, not below it. */
  withNamespace(namespace: string): VaultClient {
    return new VaultClient({ ...this.#options, namespace }, this.#connection);
  }

  withToken(token: string): VaultClient {
    return new VaultClient({ ...this.#options, token }, this.#connection);
  }

  /**
   * Reads what is at a path, such as `sys/policies/acl/ops`. Names in it are encoded by the client.
   *
   * @returns nothing, where there is no such object.
   */
  read(path: string, options?: RequestOptions): Promise<VaultResponse | undefined> {
    return this.#caller.find({ ...options, verb: 'read', method: 'GET', path, repeatable: true });
  }

  /** Lists what is below a path. A list that is empty, or not there, has no keys. */
  list(path: string, options?: RequestOptions): Promise<VaultResponse<KeyList>> {
    return listKeys(this.#caller, path, options);
  }

  /** Creates or updates. */
  write(path: string, data?: Data, options?: WriteOptions): Promise<VaultResponse> {
    return this.#caller.send({ ...options, verb: 'write', method: 'POST', path, body: data });
  }

  /** Updates some fields, where the endpoint offers that (JSON merge patch). */
  patch(path: string, data: Data, options?: WriteOptions): Promise<VaultResponse> {
    return this.#caller.send({ ...options, verb: 'patch', method: 'PATCH', path, body: data });
  }

  /** Deletes. Repeatable unless told otherwise: what is gone stays gone. */
  delete(path: string, options?: WriteOptions): Promise<VaultResponse> {
    return this.#caller.send({ repeatable: true, ...options, verb: 'delete', method: 'DELETE', path });
  }

  /** Ends the calls under way, and closes the connections of this client and all that are derived from it. */
  close(): Promise<void> {
    return this.#connection.close();
  }
}
