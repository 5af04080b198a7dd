/** One node of a cluster, with an address of its own. */
export interface ClusterNode {
  readonly address: string;
  /** Whether another node is the active one. */
  readonly isStandby: boolean;
  /** Whether this node is sealed. */
  readonly isSealed: boolean;
}

/**
 * The nodes of a cluster: the active one and its standbys. They serve the same data. A standby that
 * is behind is only simulated: it refuses requests with the `X-Vault-Index` of a write that it has
 * not received.
 */
export class ClusterNodes {
  /**
   * Whether standbys forward requests for the active node. Otherwise they redirect clients to it.
   */
  forwards = true;
  readonly #nodes: ClusterNode[] = [];
  readonly #sealed = new Set<ClusterNode>();
  #active = 0;
  /**
   * The `X-Vault-Index` of the writes since the standbys stopped receiving; `undefined` while they
   * receive.
   */
  #unseen: Set<string> | undefined;

  /** Adds a node. The first one is active. */
  add(address: () => string): ClusterNode {
    const number = this.#nodes.length;
    const isStandby = () => number !== this.#active;
    const isSealed = () => this.#sealed.has(node);
    const node: ClusterNode = {
      get address() {
        return address();
      },
      get isStandby() {
        return isStandby();
      },
      get isSealed() {
        return isSealed();
      },
    };
    this.#nodes.push(node);
    return node;
  }

  /** Returns all nodes, in the order of their ports. */
  get all(): readonly ClusterNode[] {
    return this.#nodes;
  }

  get active(): ClusterNode {
    return this.#nodes[this.#active]!;
  }

  /** Whether the standbys do not receive writes at present. */
  get standbysBehind(): boolean {
    return this.#unseen !== undefined;
  }

  set standbysBehind(behind: boolean) {
    if (behind) this.#unseen ??= new Set();
    else this.#unseen = undefined;
  }

  /** Makes the next node that is not sealed the active one. */
  stepDown(): void {
    for (let step = 1; step <= this.#nodes.length; step += 1) {
      const next = (this.#active + step) % this.#nodes.length;
      if (this.#nodes[next]!.isSealed) continue;
      this.#active = next;
      return;
    }
  }

  /**
   * Seals some nodes.
   *
   * @returns whether at least one node is not sealed.
   */
  seal(nodes: readonly ClusterNode[]): boolean {
    for (const node of nodes) this.#sealed.add(node);
    return this.#sealed.size < this.#nodes.length;
  }

  unseal(nodes: readonly ClusterNode[]): void {
    for (const node of nodes) this.#sealed.delete(node);
    if (this.active.isSealed) this.stepDown();
  }

  /** Records the `X-Vault-Index` of a write. */
  wrote(index: string): void {
    this.#unseen?.add(index);
  }

  /** Whether the standbys miss a write that a request's `X-Vault-Index` refers to. */
  standbysMiss(index: string): boolean {
    return index.split(',').some((each) => this.#unseen?.has(each.trim()) === true);
  }
}
