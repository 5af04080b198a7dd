import { normalizeNamespace } from '../model';
import type { Data, KeyList, VaultResponse } from './answer/responses';
import type { RequestOptions, WriteOptions } from './call-options';
import { Caller } from './call/caller';
import { AuthCalls } from './groups/auth';
import type { AuditDeviceCalls } from './groups/audit-devices';
import type { AutoSnapshotCalls } from './groups/auto-snapshots';
import type { LoadedSnapshotCalls } from './groups/loaded-snapshots';
import type * as furtherCalls from './groups/further-calls';
import { listKeys } from './groups/names';
import type { ManagedKeyCalls } from './groups/managed-keys';
import type { NamespaceCalls } from './groups/namespaces';
import { policiesOf, type Policies } from './groups/policies';
import { SystemCalls } from './groups/system';
import { TokenCalls } from './groups/tokens';
import { WrappingCalls } from './groups/wrapping';
import type { ClientOptions, TokenSource } from './options/client-options';
import { clientOptionsFromEnvironment, type Environment } from './options/environment';
import { openConnection } from './options/open-connection';
import { settingsOf } from './options/client-settings';
import { tokenFromFile } from './options/token-file';
import type { Replication } from './replication';
import type { ServerConnection } from './transport/server-connection';

/**
 * A client for one cluster. A client is immutable: `withToken` and `withNamespace` return another
 * one on the same connections. It connects, and reads certificates, on the first call.
 *
 * A call that fails throws a `VaultError`, and nothing else. Calls are retried after rate limits
 * (429), missing state (412), server errors (5xx except 501) and lost connections, within
 * `timeout`: reads always; writes only if repeating them does no harm, or if the first attempt
 * certainly had no effect.
 *
 * Two rules apply to all data. Names that the client defines (options, the facts of an answer) are
 * `camelCase`; names that the server defines (the fields of requests and responses) keep the
 * server's `snake_case`. Durations are in seconds, except server fields whose names end in `_ms`.
 */
export class VaultClient {
  readonly #options: ClientOptions;
  readonly #connection: ServerConnection;
  readonly #caller: Caller;

  #further: furtherCalls.FurtherCalls | undefined;

  /** ACL, RGP and EGP policies. */
  readonly policies: Policies;
  readonly auth: AuthCalls;
  readonly token: TokenCalls;
  readonly wrapping: WrappingCalls;
  readonly system: SystemCalls;

  /**
   * @param connection shared by the clients that are derived from one another.
   * @throws VaultError `invalid_options`
   */
  constructor(options: ClientOptions = {}, connection?: ServerConnection) {
    const settings = settingsOf(options);
    this.#options = options;
    this.#connection = connection ?? openConnection(options, settings);
    const caller = new Caller(settings, this.#connection);
    this.#caller = caller;
    this.policies = policiesOf(caller);
    this.auth = new AuthCalls(caller);
    this.token = new TokenCalls(caller);
    this.wrapping = new WrappingCalls(caller);
    this.system = new SystemCalls(caller);
  }

  /**
   * Creates a client from the usual variables (see `clientOptionsFromEnvironment`). If
   * `VAULT_TOKEN` is not set, it uses the token that `vault login` stored.
   *
   * @throws VaultError `invalid_options`
   */
  static fromEnvironment(env: Environment = process.env): VaultClient {
    const options = clientOptionsFromEnvironment(env);
    return new VaultClient({ ...options, token: options.token ?? tokenFromFile(env) });
  }

  /** Managed keys. */
  get managedKeys(): ManagedKeyCalls {
    return this.#furtherCalls.managedKeys;
  }

  /** Audit devices. */
  get auditDevices(): AuditDeviceCalls {
    return this.#furtherCalls.auditDevices;
  }

  /** Automated snapshots. */
  get autoSnapshots(): AutoSnapshotCalls {
    return this.#furtherCalls.autoSnapshots;
  }

  /** Snapshots that are loaded alongside the current data, to read and recover single secrets. */
  get loadedSnapshots(): LoadedSnapshotCalls {
    return this.#furtherCalls.loadedSnapshots;
  }

  /** The namespaces directly below that of the client. */
  get namespaces(): NamespaceCalls {
    return this.#furtherCalls.namespaces;
  }

  /** Replication. */
  get replication(): Replication {
    return this.#furtherCalls.replication;
  }

  /** The URL of the cluster, without `/v1/`. */
  get address(): string {
    return this.#caller.settings.address;
  }

  /** The namespace without leading and trailing slashes; empty for the root namespace. */
  get namespace(): string {
    return this.#caller.settings.namespace ?? '';
  }

  /**
   * Returns a client for another namespace on the same connections.
   *
   * @param namespace replaces this client's namespace; it is not relative to it.
   */
  withNamespace(namespace: string): VaultClient {
    if (normalizeNamespace(namespace) === this.namespace) return this;
    return new VaultClient({ ...this.#options, namespace }, this.#connection);
  }

  withToken(token: string): VaultClient {
    return new VaultClient({ ...this.#options, token, tokens: undefined }, this.#connection);
  }

  /** Returns a client with a source of tokens, in place of this client's token. */
  withTokens(tokens: TokenSource): VaultClient {
    return new VaultClient({ ...this.#options, token: undefined, tokens }, this.#connection);
  }

  /**
   * Reads a path, such as `sys/policies/acl/ops`. The client encodes the names in it.
   *
   * @returns `undefined` if it does not exist.
   */
  read(path: string, options?: RequestOptions): Promise<VaultResponse | undefined> {
    return this.#caller.find({ ...options, verb: 'read', method: 'GET', path, repeatable: true });
  }

  /** Lists a path. An empty or missing list has no keys. */
  list(path: string, options?: RequestOptions): Promise<VaultResponse<KeyList>> {
    return listKeys(this.#caller, path, options);
  }

  /** Creates or updates an object. */
  write(path: string, data?: Data, options?: WriteOptions): Promise<VaultResponse> {
    return this.#caller.send({ ...options, verb: 'write', method: 'POST', path, body: data });
  }

  /** Updates some fields (JSON merge patch), if the endpoint supports it. */
  patch(path: string, data: Data, options?: WriteOptions): Promise<VaultResponse> {
    return this.#caller.send({ ...options, verb: 'patch', method: 'PATCH', path, body: data });
  }

  /** Deletes an object. Retried by default: deleting twice does no harm. */
  delete(path: string, options?: WriteOptions): Promise<VaultResponse> {
    return this.#caller.send({ repeatable: true, ...options, verb: 'delete', method: 'DELETE', path });
  }

  /**
   * Aborts running calls, and closes the connections of this client and of all clients derived from
   * it.
   */
  close(): Promise<void> {
    return this.#connection.close();
  }

  get #furtherCalls(): furtherCalls.FurtherCalls {
    if (!this.#further) {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with the client
      const { FurtherCalls } = require('./groups/further-calls') as typeof furtherCalls;
      this.#further = new FurtherCalls(this.#caller);
    }
    return this.#further;
  }
}
