import { LoginTokens, VaultClient, type Environment } from '../../client';
import { isSecretToken, secretsSentAlong, tokenFromFile } from '../../client/internal';
import { normalizeNamespace } from '../../model';
import { variablePrefix, type ClusterSettings, type LoginSettings } from '../configuration';
import { parametersOf } from './wrapped-secret-id';

/**
 * Seconds for the revocation of tokens. Terraform waits two seconds for a provider to end, and then
 * kills it.
 */
const REVOKE_TIMEOUT = 1.5;

/** The parts of the process that a cluster uses. */
export interface ProcessContext {
  readonly env: Environment;
  /** Keeps a secret out of logs and messages. */
  mask(secret: string): void;
}

/**
 * One cluster in use. It logs in at the first request: Terraform starts the provider several times
 * for one plan, and most of these processes make no request.
 */
export class Cluster {
  /** The client with the token, once the token was requested. */
  #authorized: VaultClient | undefined;
  #anonymous: VaultClient | undefined;
  /** The tokens of logins, which are revoked at the end. */
  #tokens: LoginTokens | undefined;
  readonly #inNamespace = new Map<string, VaultClient>();
  readonly #processContext: ProcessContext;

  constructor(
    readonly settings: ClusterSettings,
    processContext: ProcessContext,
  ) {
    this.#processContext = processContext;
  }

  /** The prefix of the cluster's environment variables in messages. */
  get variablePrefix(): string {
    return variablePrefix(this.settings, this.#processContext.env);
  }

  /**
   * The client for objects in a namespace.
   *
   * @param namespace relative to the cluster's own.
   * @throws VaultError
   */
  async client(namespace: string): Promise<VaultClient> {
    let client = this.#inNamespace.get(namespace);
    if (!client) {
      this.#authorized ??= this.#authorize();
      client = below(this.#authorized, namespace);
      this.#inNamespace.set(namespace, client);
    }
    await this.#tokens?.current();
    return client;
  }

  /**
   * Returns the client for requests without a token, which need no login.
   *
   * @throws VaultError `invalid_options`
   */
  anonymous(): VaultClient {
    if (!this.#anonymous) {
      const { options, settingNames } = this.settings;
      this.#anonymous = new VaultClient({
        ...options,
        token: undefined,
        variablePrefix: this.variablePrefix,
        settingNames,
      });
      // The token is masked even in these requests: the server may know it from earlier requests,
      // and return it.
      const token = options.token ?? this.#readableTokenOfFile();
      for (const secret of [token, ...secretsSentAlong(options)]) this.#mask(secret);
    }
    return this.#anonymous;
  }

  #mask(token: string | undefined): void {
    if (token !== undefined && isSecretToken(token)) this.#processContext.mask(token);
  }

  /** @throws VaultError `invalid_options` */
  #tokenOfFile(): string | undefined {
    return this.settings.usualTokenFile ? tokenFromFile(this.#processContext.env) : undefined;
  }

  /**
   * Returns the token of the file; `undefined` if it cannot be read. Only callers that need the
   * token report such an error.
   */
  #readableTokenOfFile(): string | undefined {
    try {
      return this.#tokenOfFile();
    } catch {
      return undefined;
    }
  }

  /**
   * Forgets the tokens of logins, because a cluster erases its tokens when it joins a replication
   * set. The next request logs in again.
   */
  forgetLogin(): void {
    this.#tokens?.forget();
  }

  /** Renews the token of an earlier login, if the renewal is due. */
  async keepLogin(): Promise<void> {
    await this.#tokens?.keep();
  }

  /**
   * Extends the token of a login to a number of seconds, if possible.
   *
   * @returns the remaining seconds; Infinity if the token does not expire or is not from a login
   * @throws VaultError if a new login is necessary, and fails.
   */
  async loginLasting(seconds: number): Promise<number> {
    return this.#tokens === undefined ? Infinity : (await this.#tokens.lasting(seconds * 1000)) / 1000;
  }

  /** Revokes the tokens from logins, and closes the connections. */
  async close(): Promise<void> {
    await this.#tokens?.settled();
    // A token that cannot be revoked now expires at the end of its TTL.
    const revoke = (token: string) =>
      this.anonymous()
        .withToken(token)
        .token.revokeSelf({ timeout: REVOKE_TIMEOUT })
        .catch(() => {});
    await Promise.all((this.#tokens?.given ?? []).map(revoke));
    await this.#anonymous?.close();
  }

  #authorize(): VaultClient {
    const { options, login } = this.settings;
    if (login) return this.anonymous().withTokens(this.#loginTokens(login));
    const token = options.token ?? this.#tokenOfFile();
    if (token === undefined) return this.anonymous();
    this.#mask(token);
    return this.anonymous().withToken(token);
  }

  #loginTokens(login: LoginSettings): LoginTokens {
    const client = this.anonymous();
    const { path, namespace } = login;
    // A wrapping token can be used only once, so all logins share the unwrapped parameters.
    let parameters: Promise<LoginSettings['parameters']> | undefined;
    this.#tokens ??= new LoginTokens({
      client,
      logIn: async () => {
        parameters ??= parametersOf(login, client, (secret) => this.#processContext.mask(secret));
        return client.auth.login(path, await parameters, { namespace });
      },
      onToken: (token) => this.#processContext.mask(token),
      clock: this.settings.options.clock,
    });
    return this.#tokens;
  }
}

function below(client: VaultClient, namespace: string): VaultClient {
  if (namespace === '') return client;
  return client.withNamespace(normalizeNamespace(`${client.namespace}/${namespace}`));
}
