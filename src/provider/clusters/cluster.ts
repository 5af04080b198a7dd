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
  readonly #inNamespace = new Map<string, Promise<VaultClient>>();

  constructor(
    readonly settings: ClusterSettings,
    private readonly surroundings: Surroundings,
  ) {}

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

  /** Revokes the token, where it was got by a login, and closes the connections. */
  async close(): Promise<void> {
    const client = await this.#authorized?.catch(() => undefined);
    if (!client) return;
    // The token has a TTL: where it cannot be revoked it ends by itself, a little later.
    if (this.settings.login) await client.token.revokeSelf({ timeout: REVOKE_TIMEOUT }).catch(() => {});
    await client.close();
  }

  async #authorize(): Promise<VaultClient> {
    const { options, login, usualTokenFile } = this.settings;
    if (login) return this.#logIn(new VaultClient(options), login);
    const token = options.token ?? (usualTokenFile ? tokenFromFile(this.surroundings.env) : undefined);
    if (token !== undefined && isSecretToken(token)) this.surroundings.mask(token);
    return new VaultClient({ ...options, token });
  }

  async #logIn(client: VaultClient, { path, namespace, parameters }: LoginSettings): Promise<VaultClient> {
    const { token } = await client.auth.login(path, parameters, { namespace });
    this.surroundings.mask(token);
    return client.withToken(token);
  }
}

function below(client: VaultClient, namespace: string): VaultClient {
  if (namespace === '') return client;
  return client.withNamespace(normalizeNamespace(`${client.namespace}/${namespace}`));
}
