import { isSecretToken, tokenFromFile, VaultClient, type Environment } from '../../client';
import { normalizeNamespace } from '../../model';
import type { ClusterSettings, LoginSettings } from '../configuration';

/** Seconds. Terraform waits two for a provider to end, and then kills it. */
const REVOKE_TIMEOUT = 1.5;

/** What a cluster needs of the process that it is used in. */
export interface Surroundings {
  readonly env: Environment;
  /** Keeps a secret out of what is logged and shown. */
  mask(secret: string): void;
}

/**
 * One cluster in use. Nothing happens before the first request: Terraform starts the provider several times for one
 * plan, and mostly asks for nothing.
 */
export class Cluster {
  /** The client that has the token, once it was asked for. A login that fails is not tried again: it locks users out. */
  #authorized: Promise<VaultClient> | undefined;
  #anonymous: VaultClient | undefined;
  /** The clients whose tokens are to be revoked in the end. */
  readonly #loggedIn: VaultClient[] = [];
  readonly #inNamespace = new Map<string, Promise<VaultClient>>();
  readonly #surroundings: Surroundings;

  constructor(
    readonly settings: ClusterSettings,
    surroundings: Surroundings,
  ) {
    this.#surroundings = surroundings;
  }

  /**
   * The client for objects in a namespace.
   *
   * @param namespace relative to the cluster's own.
   * @throws VaultError
   */
  client(namespace: string): Promise<VaultClient> {
    let client = this.#inNamespace.get(namespace);
    if (!client) {
      this.#authorized ??= this.#authorize();
      client = this.#authorized.then((authorized) => below(authorized, namespace));
      this.#inNamespace.set(namespace, client);
    }
    return client;
  }

  /**
   * The client for what the cluster tells everybody. It has no token, and nothing is logged in for it.
   *
   * @throws VaultError `invalid_options`
   */
  anonymous(): VaultClient {
    this.#anonymous ??= new VaultClient({ ...this.settings.options, token: undefined });
    return this.#anonymous;
  }

  /** The tokens of the cluster were erased, as when it joins a replication set: the next use logs in again. */
  forgetLogin(): void {
    this.#authorized = undefined;
    this.#inNamespace.clear();
  }

  /** Revokes the tokens that were got by logins, and closes the connections. */
  async close(): Promise<void> {
    await this.#authorized?.catch(() => undefined);
    // The tokens have a TTL: where they cannot be revoked they end by themselves, a little later.
    await Promise.all(
      this.#loggedIn.map((client) => client.token.revokeSelf({ timeout: REVOKE_TIMEOUT }).catch(() => {})),
    );
    await this.#anonymous?.close();
  }

  async #authorize(): Promise<VaultClient> {
    const { options, login, usualTokenFile } = this.settings;
    if (login) return this.#logIn(login);
    const token = options.token ?? (usualTokenFile ? tokenFromFile(this.#surroundings.env) : undefined);
    if (token === undefined) return this.anonymous();
    if (isSecretToken(token)) this.#surroundings.mask(token);
    return this.anonymous().withToken(token);
  }

  async #logIn({ path, namespace, parameters }: LoginSettings): Promise<VaultClient> {
    const { token } = await this.anonymous().auth.login(path, parameters, { namespace });
    this.#surroundings.mask(token);
    const client = this.anonymous().withToken(token);
    this.#loggedIn.push(client);
    return client;
  }
}

function below(client: VaultClient, namespace: string): VaultClient {
  if (namespace === '') return client;
  return client.withNamespace(normalizeNamespace(`${client.namespace}/${namespace}`));
}
