import type { Lag, ReplicationNetwork } from './network';
import { type CrashStep, crashStep } from './steps';

/** What is between the clusters of an emulator, as tests set it. */
export interface NetworkState {
  /** Pairs of clusters that do not reach each other. */
  readonly partitions: readonly (readonly [string, string])[];
  /** By cluster: how late the primary's writes arrive there, in milliseconds; those without delay are absent. */
  readonly lags: Readonly<Record<string, Lag>>;
  /** By address: the cluster that a load balancer leads to. */
  readonly loadBalancers: Readonly<Record<string, string>>;
  /** By cluster: the step at which it will crash. */
  readonly crashes: Readonly<Record<string, CrashStep>>;
}

/** Cuts and slows what is between clusters, and crashes them. Every method throws RangeError for an unknown cluster. */
export class ReplicationControl {
  readonly #network: ReplicationNetwork;

  constructor(network: ReplicationNetwork) {
    this.#network = network;
  }

  /** Cuts two clusters off from each other, both ways: replication, forwarding, and fetching activation tokens. */
  partition(a: string, b: string): void {
    this.#check(a, b);
    if (a === b) throw new RangeError(`cluster "${a}" cannot be cut off from itself`);
    this.#network.cut(a, b);
  }

  /** Ends partitions: that between two clusters, or all. Secondaries connect again at once. */
  heal(a?: string, b?: string): void {
    if (a !== undefined && b !== undefined) {
      this.#check(a, b);
      this.#network.mend(a, b);
      return;
    }
    for (const pair of this.#network.cutPairs()) this.#network.mend(...pair);
  }

  /** Makes each step of a sync, and every write of the primary's, arrive so much later. 0 for at once, the default. */
  delay(secondary: string, milliseconds: number): void {
    this.#check(secondary);
    if (!(milliseconds >= 0))
      throw new RangeError(`delay ${milliseconds} is no time; allowed are milliseconds from 0`);
    this.#network.setLag(secondary, milliseconds);
  }

  /** Lets nothing more arrive at a secondary, which stays connected, until `resume`. */
  pause(secondary: string): void {
    this.#check(secondary);
    this.#network.setLag(secondary, 'paused');
  }

  /** Takes delay and pause back: what waited arrives at once. */
  resume(secondary: string): void {
    this.#check(secondary);
    this.#network.setLag(secondary, 0);
  }

  /** Lets a cluster be reached at another cluster address too, such as a `primary_cluster_addr` of its own. */
  addLoadBalancer(cluster: string, address: string): void {
    this.#check(cluster);
    this.#network.balance(cluster, address);
  }

  /** Ends a cluster as the end of its process would, connections and all, and starts it anew from what it stored. */
  crash(cluster: string): void {
    this.#check(cluster);
    this.#network.crash(cluster);
  }

  /** Crashes a cluster once, when it next reaches a step; undefined takes that back. */
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
