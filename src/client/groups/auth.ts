import type { TokenGrant } from '../answer/responses';
import type { ClientCall, CallOptions } from '../call-options';
import type { Caller } from '../call/caller';
import { textsWithin } from '../errors/redact';
import { isSecretParameter } from '../../model/clusters';

/** The result of a login: a token, and the server's warnings. */
export interface Login extends TokenGrant {
  readonly warnings: readonly string[];
}

export interface LoginOptions extends CallOptions {
  /**
   * Namespace of the auth method.
   *
   * @default - the client's
   */
  readonly namespace?: string;
}

export interface AppRoleLogin extends LoginOptions {
  readonly roleId: string;
  readonly secretId?: string;
  /** @default approle */
  readonly mount?: string;
}

export interface UserpassLogin extends LoginOptions {
  readonly username: string;
  readonly password: string;
  /** @default userpass */
  readonly mount?: string;
}

export interface JwtLogin extends LoginOptions {
  readonly jwt: string;
  /** @default - the auth method's default role */
  readonly role?: string;
  /** @default jwt */
  readonly mount?: string;
}

export interface CertLogin extends LoginOptions {
  /**
   * Name of the certificate role.
   *
   * @default - the server tries all of them
   */
  readonly name?: string;
  /** @default cert */
  readonly mount?: string;
}

/**
 * Logins. A login returns a token and does not change the client: `client.withToken(login.token)`
 * uses it. Secret parameters, such as `password`, never appear in errors.
 */
export class AuthCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    // Logins need no token, and an expired one would make the server refuse them.
    this.#caller = caller.with({ token: undefined });
  }

  /** Logs in at any path, such as `auth/approle/login`, with the parameters of its auth method. */
  async login(
    path: string,
    parameters: Readonly<Record<string, unknown>>,
    { namespace, ...options }: LoginOptions = {},
  ): Promise<Login> {
    const caller = namespace === undefined ? this.#caller : this.#caller.with({ namespace });
    const secret = Object.entries(parameters).filter(([name]) => isSecretParameter(name));
    const call: ClientCall = {
      ...options,
      verb: 'log in at',
      method: 'POST',
      path,
      body: parameters,
      secrets: textsWithin(Object.fromEntries(secret)),
    };
    const response = await caller.send(call);
    if (!response.auth?.token) {
      throw caller.misshapen(call, 'token (a login that needs a second factor is not supported)');
    }
    return { ...response.auth, warnings: response.warnings };
  }

  appRole({ roleId, secretId, mount = 'approle', ...options }: AppRoleLogin): Promise<Login> {
    return this.login(`auth/${mount}/login`, { role_id: roleId, secret_id: secretId }, options);
  }

  userpass({ username, password, mount = 'userpass', ...options }: UserpassLogin): Promise<Login> {
    return this.login(`auth/${mount}/login/${username}`, { password }, options);
  }

  jwt({ jwt, role, mount = 'jwt', ...options }: JwtLogin): Promise<Login> {
    return this.login(`auth/${mount}/login`, { jwt, role }, options);
  }

  /** Logs in with the client certificate of the connection (`tls.clientCertFile`). */
  cert({ name, mount = 'cert', ...options }: CertLogin = {}): Promise<Login> {
    return this.login(`auth/${mount}/login`, { name }, options);
  }
}
