import type { Data, VaultResponse } from '../answer/responses';
import { type CallOptions, callToLookUp } from '../call-options';
import type { Caller } from '../call/caller';
import type { Seconds } from '../transport/clock';

/** The origin of a wrapped answer. */
export interface WrappingInfo extends Data {
  readonly creation_path: string;
  /** The time in the format of RFC 3339. */
  readonly creation_time: string;
  readonly creation_ttl: Seconds;
}

/** Response wrapping. The option `wrapTtl` of calls by path requests it. */
export class WrappingCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Returns the wrapped answer. A wrapping token can be used once. */
  async unwrap(wrappingToken: string, options?: CallOptions): Promise<VaultResponse> {
    const caller = this.#caller.with({ token: wrappingToken });
    return caller.send({ ...options, verb: 'write', method: 'POST', path: 'sys/wrapping/unwrap' });
  }

  /**
   * Looks up the origin of a wrapped answer without using the token up: shows whether it is from
   * the expected path.
   */
  async lookup(wrappingToken: string, options?: CallOptions): Promise<VaultResponse<WrappingInfo>> {
    const call = callToLookUp('sys/wrapping/lookup', options, { token: wrappingToken });
    const response = await this.#caller.send(call);
    if (typeof response.data.creation_path !== 'string') throw this.#caller.misshapen(call, 'wrapping token');
    return response as VaultResponse<WrappingInfo>;
  }
}
