import { ASSUMPTIONS } from '../assume';
import type { Lag, ReplicationNetwork } from './network';
import { type CrashStep, crashStep } from './steps';

const NODES = ASSUMPTIONS.nodeAtAddress.alternatives;

/** The state of the network between the clusters of an emulator. */
export interface NetworkState {
  /** Pairs of clusters that cannot reach each other. */
  readonly partitions: readonly (readonly [string, string])[];
  /**
   * The delay of the primary's writes in milliseconds by cluster; clusters without delay are
   * absent.
   */
  readonly lags: Readonly<Record<string, Lag>>;
  /** The cluster that a load balancer forwards to, by the load balancer's address. */
  readonly loadBalancers: Readonly<Record<string, string>>;
  /** The step at which a cluster will crash, by cluster. */
  readonly crashes: Readonly<Record<string, CrashStep>>;
}

/**
 * Partitions and slows the network between clusters, and crashes them. Every method throws
 * RangeError for an unknown cluster.
 */
export class ReplicationControl {
  readonly #network: ReplicationNetwork;

  constructor(network: ReplicationNetwork) {
    this.#network = network;
  }

  /**
   * Partitions two clusters, in both directions: replication, forwarding, and unwrapping of
   * activation tokens.
   */
  partition(a: string, b: string): void {
    this.#check(a, b);
    if (a === b) throw new RangeError(`cluster "${a}" cannot be partitioned from itself`);
    this.#network.cut(a, b);
  }

  /**
   * Ends the partition between two clusters, or all partitions. Secondaries reconnect immediately.
   */
  heal(a?: string, b?: string): void {
    if (a !== undefined && b !== undefined) {
      this.#check(a, b);
      this.#network.mend(a, b);
      return;
    }
    for (const pair of this.#network.cutPairs()) this.#network.mend(...pair);
  }

  /** Delays each step of a sync and every write of the primary to a secondary. Default: 0. */
  delay(secondary: string, milliseconds: number): void {
    this.#check(secondary);
    if (!(milliseconds >= 0))
      throw new RangeError(`delay ${milliseconds} is not valid; allowed are milliseconds from 0`);
    this.#network.setLag(secondary, milliseconds);
  }

  /** Stops the transfer of data to a secondary until `resume`. It remains connected. */
  pause(secondary: string): void {
    this.#check(secondary);
    this.#network.setLag(secondary, 'paused');
  }

  /** Ends a delay or pause. Data that was held back arrives immediately. */
  resume(secondary: string): void {
    this.#check(secondary);
    this.#network.setLag(secondary, 0);
  }

  /**
   * Adds a cluster address at which the cluster can be reached as well, such as its
   * `primary_cluster_addr`.
   */
  addLoadBalancer(cluster: string, address: string): void {
    this.#check(cluster);
    this.#network.balance(cluster, address);
  }

  /**
   * Makes a node of another kind answer at a cluster's address.
   *
   * @param kind an alternative of the assumption `nodeAtAddress`; `undefined` for the assumed one.
   */
  answerBy(cluster: string, kind: keyof typeof NODES | undefined): void {
    this.#check(cluster);
    if (kind !== undefined && !Object.hasOwn(NODES, kind)) {
      throw new RangeError(`node "${kind}" is unknown; allowed are ${Object.keys(NODES).join(', ')}`);
    }
    this.#network.setNode(cluster, kind && NODES[kind]);
  }

  /**
   * Corrupts the Merkle tree of a cluster until it is reindexed. The replication status shows it.
   */
  corruptTree(cluster: string): void {
    this.#check(cluster);
    this.#network.setCorrupted(cluster, true);
  }

  /** Crashes a cluster, closes its connections, and restarts it from its storage. */
  crash(cluster: string): void {
    this.#check(cluster);
    this.#network.crash(cluster);
  }

  /** Crashes a cluster once, when it next reaches the step; `undefined` cancels the crash. */
  crashAt(cluster: string, step: CrashStep | undefined): void {
    this.#check(cluster);
    this.#network.crashAt(cluster, step === undefined ? undefined : crashStep(step));
  }

  state(): NetworkState {
    const names = this.#network.names();
    return {
      partitions: this.#network.cutPairs(),
      lags: byName(names, (name) => this.#network.lag(name) || undefined),
      loadBalancers: Object.fromEntries(this.#network.balancerAddresses()),
      crashes: byName(names, (name) => this.#network.plannedCrash(name)),
    };
  }

  #check(...clusters: readonly string[]): void {
    const names = this.#network.names();
    const unknown = clusters.find((name) => !names.includes(name));
    if (unknown !== undefined) {
      throw new RangeError(`cluster "${unknown}" is unknown; there are ${names.join(', ')}`);
    }
  }
}

function byName<T>(names: readonly string[], value: (name: string) => T | undefined): Record<string, T> {
  return Object.fromEntries(
    names
      .map((name) => [name, value(name)] as const)
      .filter((entry): entry is [string, T] => entry[1] !== undefined),
  );
}
