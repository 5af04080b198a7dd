import { isList } from '../answer/answer';
import type { Data, VaultResponse } from '../answer/responses';
import {
  type ClientCall,
  type CallOptions,
  callToLookUp,
  callToWrite,
  type RequestOptions,
} from '../call-options';
import type { Caller } from '../call/caller';

/** The state of the node that answered. */
export interface Health extends Data {
  readonly initialized: boolean;
  readonly sealed: boolean;
  readonly standby: boolean;
  /** The server's version, such as `1.17.0+ent`. */
  readonly version: string;
}

export interface SealStatus extends Data {
  readonly initialized: boolean;
  readonly sealed: boolean;
  readonly version: string;
  /** The number of shares that unseal the node. */
  readonly t?: number;
  /** The number of shares that were received since the node was sealed. */
  readonly progress?: number;
  /** Whether a key store unseals the node: the shares then only recover. */
  readonly recovery_seal?: boolean;
}

/** The number of shares of a new cluster's key, and who receives them. */
export interface InitRequest {
  readonly shares: number;
  /** The number of shares that unseal or, with automatic unsealing, recover. */
  readonly threshold: number;
  /**
   * The binary PGP key in base64 for each share. The server encrypts the shares for their owners.
   *
   * @default - the shares are returned as they are
   */
  readonly pgpKeys?: readonly string[];
  /** Whether a key store unseals the cluster, so that the shares are for its recovery. */
  readonly recovery: boolean;
}

/** The answer to an initialization, which is given once. All of it is secret. */
export interface Initialization {
  /** The shares in base64, encrypted if there were PGP keys. */
  readonly shares: readonly string[];
  readonly rootToken: string;
}

/** The active node of a cluster, according to the node that answered. */
export interface Leader extends Data {
  readonly ha_enabled: boolean;
  readonly is_self: boolean;
  readonly leader_address: string;
  /** The address for other clusters. */
  readonly leader_cluster_address: string;
}

/**
 * sys/health reports the state of the node as its HTTP status; with these values, every state is a
 * success.
 */
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
    // The state of a node requires no token, and only exists in the root namespace.
    this.#anonymous = caller.with({ token: undefined, namespace: undefined });
  }

  /** Reads the state of the node, including sealed, standby and uninitialized ones. */
  health(options?: CallOptions): Promise<VaultResponse<Health>> {
    return this.#state<Health>('sys/health', { ...options, query: HEALTH_QUERY });
  }

  /** Returns the active node of the cluster. */
  async leader(options?: CallOptions): Promise<VaultResponse<Leader>> {
    const call = callToLookUp('sys/leader', options);
    const response = await this.#anonymous.send(call);
    if (typeof response.data.leader_cluster_address !== 'string')
      throw this.#anonymous.misshapen(call, 'active node of a cluster');
    return response as VaultResponse<Leader>;
  }

  sealStatus(options?: CallOptions): Promise<VaultResponse<SealStatus>> {
    return this.#state<SealStatus>('sys/seal-status', options);
  }

  /**
   * Initializes the cluster. Never retried: a cluster is initialized once, so if the answer is
   * lost, the shares are lost.
   */
  async initialize(
    { shares, threshold, pgpKeys = [], recovery }: InitRequest,
    options?: CallOptions,
  ): Promise<Initialization> {
    const prefix = recovery ? 'recovery' : 'secret';
    const body = {
      [`${prefix}_shares`]: shares,
      [`${prefix}_threshold`]: threshold,
      ...(pgpKeys.length > 0 && { [recovery ? 'recovery_pgp_keys' : 'pgp_keys']: pgpKeys }),
    };
    const call = callToWrite('sys/init', body, options, { publicBody: true });
    const { data } = await this.#anonymous.send(call);
    const returned = data[recovery ? 'recovery_keys_base64' : 'keys_base64'];
    if (!isList(returned) || typeof data.root_token !== 'string')
      throw this.#anonymous.misshapen(call, 'initialization');
    return { shares: returned.map(String), rootToken: data.root_token };
  }

  /**
   * Hands a share of the key to a sealed node, which counts the shares that it has received.
   *
   * @param share in base64 or hex.
   */
  async unseal(share: string, options?: CallOptions): Promise<VaultResponse<SealStatus>> {
    const facts = { secrets: [share], repeatable: true };
    return this.#statusIn(callToWrite('sys/unseal', { key: share }, options, facts));
  }

  /**
   * Returns the capabilities of the client's token on each path, such as `read` and `sudo`; `root`
   * and `deny` stand alone.
   */
  async capabilitiesSelf(
    paths: readonly string[],
    options?: CallOptions,
  ): Promise<Readonly<Record<string, readonly string[]>>> {
    const call = { ...callToLookUp('sys/capabilities-self', options, { paths }), publicBody: true };
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
    return this.#statusIn(callToLookUp(path, options));
  }

  async #statusIn<T extends Data>(call: ClientCall): Promise<VaultResponse<T>> {
    const response = await this.#anonymous.send(call);
    const { sealed, version } = response.data;
    if (typeof sealed !== 'boolean' || typeof version !== 'string')
      throw this.#anonymous.misshapen(call, 'state of a node');
    return response as VaultResponse<T>;
  }
}
