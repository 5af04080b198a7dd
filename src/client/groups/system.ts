import { isList } from '../answer/answer';
import type { Data, VaultResponse } from '../answer/responses';
import type { Call, CallOptions, RequestOptions } from '../call-options';
import type { Caller } from '../call/caller';

/** The state of the node that answered. */
export interface Health extends Data {
  readonly initialized: boolean;
  readonly sealed: boolean;
  readonly standby: boolean;
  /** Such as `1.17.0+ent`. */
  readonly version: string;
}

export interface SealStatus extends Data {
  readonly initialized: boolean;
  readonly sealed: boolean;
  readonly version: string;
}

/** The active node of a cluster, as its nodes know it. */
export interface Leader extends Data {
  readonly ha_enabled: boolean;
  readonly is_self: boolean;
  readonly leader_address: string;
  /** Where other clusters reach it. */
  readonly leader_cluster_address: string;
}

/** sys/health encodes its result in the status, for load balancers: request a success in every state. */
const HEALTH_QUERY = Object.fromEntries(
  [
    'activecode',
    'standbycode',
    'drsecondarycode',
    'performancestandbycode',
    'sealedcode',
    'uninitcode',
    'haunhealthycode',
    'removedcode',
  ].map((parameter) => [parameter, '200']),
);

/** Calls about the node and about the client's own rights. */
export class SystemCalls {
  readonly #caller: Caller;
  readonly #anonymous: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
    // A node's state requires no token, and exists in the root namespace only.
    this.#anonymous = caller.with({ token: undefined, namespace: undefined });
  }

  /** Reads the state of the node, including sealed, standby and uninitialized ones. */
  health(options?: CallOptions): Promise<VaultResponse<Health>> {
    return this.#state<Health>('sys/health', { ...options, query: HEALTH_QUERY });
  }

  /** Reads which node of the cluster is the active one. */
  async leader(options?: CallOptions): Promise<VaultResponse<Leader>> {
    const call: Call = { ...options, verb: 'look up', method: 'GET', path: 'sys/leader', repeatable: true };
    const response = await this.#anonymous.send(call);
    if (typeof response.data.leader_cluster_address !== 'string')
      throw this.#anonymous.misshapen(call, 'active node of a cluster');
    return response as VaultResponse<Leader>;
  }

  sealStatus(options?: CallOptions): Promise<VaultResponse<SealStatus>> {
    return this.#state<SealStatus>('sys/seal-status', options);
  }

  /** The capabilities of the client's token on each path, such as `read` and `sudo`; `root` or `deny` alone. */
  async capabilitiesSelf(
    paths: readonly string[],
    options?: CallOptions,
  ): Promise<Readonly<Record<string, readonly string[]>>> {
    const call: Call = {
      ...options,
      verb: 'look up',
      method: 'POST',
      path: 'sys/capabilities-self',
      body: { paths },
      publicBody: true,
      repeatable: true,
    };
    const { data } = await this.#caller.send(call);
    return Object.fromEntries(
      paths.map((path) => {
        const capabilities = data[path];
        if (!isList(capabilities)) throw this.#caller.misshapen(call, `capabilities on ${path}`);
        return [path, capabilities.map(String)];
      }),
    );
  }

  async #state<T extends Data>(path: string, options: RequestOptions | undefined): Promise<VaultResponse<T>> {
    const call: Call = { ...options, verb: 'look up', method: 'GET', path, repeatable: true };
    const response = await this.#anonymous.send(call);
    if (typeof response.data.sealed !== 'boolean') throw this.#anonymous.misshapen(call, 'state of a node');
    return response as VaultResponse<T>;
  }
}
