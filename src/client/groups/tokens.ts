import type { Data, TokenGrant, VaultResponse } from '../answer/responses';
import { type CallOptions, callToLookUp, callToWrite } from '../call-options';
import type { Caller } from '../call/caller';
import type { Seconds } from '../transport/clock';

/** The server's data about the client's token. `id` is the token itself. */
export interface TokenInfo extends Data {
  readonly accessor: string;
  readonly display_name: string;
  readonly policies: readonly string[];
  /** The remaining time; 0 if the token does not expire. */
  readonly ttl: Seconds;
  readonly renewable: boolean;
  readonly orphan: boolean;
  readonly path: string;
  readonly type: string;
  /** The namespace of the token; absent in the root namespace. */
  readonly namespace_path?: string;
}

/** Calls on the client's own token. */
export class TokenCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  async lookupSelf(options?: CallOptions): Promise<VaultResponse<TokenInfo>> {
    const call = callToLookUp('auth/token/lookup-self', options);
    const response = await this.#caller.send(call);
    if (typeof response.data.accessor !== 'string') throw this.#caller.misshapen(call, 'token');
    return response as VaultResponse<TokenInfo>;
  }

  /**
   * Renews the token.
   *
   * @param increment the TTL to request; the server may grant less.
   */
  async renewSelf(increment?: Seconds, options?: CallOptions): Promise<TokenGrant> {
    const call = callToWrite('auth/token/renew-self', { increment }, options, { repeatable: true });
    const { auth } = await this.#caller.send(call);
    if (!auth) throw this.#caller.misshapen(call, 'token');
    return auth;
  }

  /** Revokes the token and all tokens and leases that were created with it. */
  async revokeSelf(options?: CallOptions): Promise<void> {
    await this.#caller.send({ ...options, verb: 'write', method: 'POST', path: 'auth/token/revoke-self' });
  }
}
