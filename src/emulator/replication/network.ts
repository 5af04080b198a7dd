import type { AlternativeOf } from '../assume';
import type { ClientKey } from './activation/client-keys';
import { Crashed, type CrashStep } from './steps';

/** A cluster that other clusters can reach. */
export interface NetworkMember {
  readonly name: string;
  readonly apiAddress: string;
  readonly clusterAddress: string;
  /** The addresses of its nodes, for clients and for other clusters. */
  readonly apiAddresses: readonly string[];
  readonly clusterAddresses: readonly string[];
  /** Connects to its primary, if it has one and is not connected. */
  connect(): void;
  /** Closes its connections with another cluster. */
  lose(other: string): void;
  /** Continues operations that wait for the network. */
  proceed(): void;
}

/**
 * The delay of the primary's writes to a secondary in milliseconds; `paused` until it is set again.
 */
export type Lag = number | 'paused';

/** The network between the clusters of one emulator: addresses, partitions, delays and crashes. */
export class ReplicationNetwork<M extends NetworkMember = NetworkMember> {
  readonly #members = new Map<string, M>();
  /** Names of clusters by the addresses of load balancers. */
  readonly #balancers = new Map<string, string>();
  readonly #cuts = new Set<string>();
  readonly #lags = new Map<string, Lag>();
  readonly #nodes = new Map<string, AlternativeOf<'nodeAtAddress'>>();
  readonly #crashes = new Map<string, CrashStep>();
  readonly #corrupted = new Set<string>();
  readonly #reserved = new Set<string>();

  readonly #restart: (cluster: string) => void;

  /**
   * @param restart restarts a cluster from its storage.
   * @param newClientKey generates the client keys with which secondaries authenticate to their
   *   primary.
   */
  constructor(
    restart: (cluster: string) => void,
    readonly newClientKey: () => ClientKey,
  ) {
    this.#restart = restart;
  }

  /** Adds a member, in place of an earlier one with the same name. */
  join(member: M): void {
    this.#members.set(member.name, member);
  }

  /** Makes all members without a connection try to connect. */
  wake(): void {
    for (const member of this.#members.values()) member.connect();
  }

  /**
   * Returns the cluster at a cluster address; `undefined` if it does not exist, or a partition
   * separates the two clusters.
   */
  reach(from: string, address: string): M | undefined {
    const wanted = hostAndPort(address);
    const found =
      this.#members.get(this.#balancers.get(wanted) ?? '') ??
      [...this.#members.values()].find((each) =>
        each.clusterAddresses.some((address) => hostAndPort(address) === wanted),
      );
    return found === undefined || this.#isCut(from, found.name) ? undefined : found;
  }

  /**
   * Returns the API address that a request arrives at: that of the cluster behind a load balancer,
   * otherwise the same address.
   */
  behind(apiAddress: string): string {
    const name = this.#balancers.get(hostAndPort(apiAddress));
    return this.#members.get(name ?? '')?.apiAddress ?? apiAddress;
  }

  /** Whether a partition prevents requests to an API address. */
  loses(from: string, apiAddress: string): boolean {
    const wanted = hostAndPort(apiAddress);
    const found = [...this.#members.values()].find((each) =>
      each.apiAddresses.some((address) => hostAndPort(address) === wanted),
    );
    return found !== undefined && this.#isCut(from, found.name);
  }

  /** Reserves ports for clients, so that they are not used for cluster addresses. */
  reserve(ports: readonly number[]): void {
    for (const port of ports) this.#reserved.add(String(port));
  }

  /**
   * Returns a cluster address with a free port for each node: from the port after the API's, as the
   * server does.
   */
  freeClusterAddress(apiAddress: string, nodes: number): string {
    const { hostname, port } = new URL(apiAddress);
    const taken = new Set([
      ...this.#reserved,
      ...[...this.#members.values()].flatMap((each) =>
        [...each.apiAddresses, ...each.clusterAddresses]
          .filter(Boolean)
          .map((address) => new URL(address).port),
      ),
    ]);
    for (let candidate = Number(port) + 1; ; candidate += 1) {
      const address = `https://${hostname}:${candidate}`;
      if (!addressesFrom(address, nodes).some((each) => taken.has(new URL(each).port))) return address;
    }
  }

  /** Whether a cluster with another name has the cluster address. */
  hasOther(name: string | undefined, clusterAddress: string): boolean {
    return [...this.#members.values()].some(
      (each) => each.name !== name && each.clusterAddress === clusterAddress,
    );
  }

  /** Adds a load balancer for a cluster. */
  balance(cluster: string, address: string): void {
    this.#balancers.set(hostAndPort(address), cluster);
    this.wake();
  }

  /** Returns the addresses of load balancers, with their clusters. */
  balancerAddresses(): [string, string][] {
    return [...this.#balancers];
  }

  names(): string[] {
    return [...this.#members.keys()];
  }

  cut(a: string, b: string): void {
    this.#cuts.add(pair(a, b));
    this.#members.get(a)?.lose(b);
    this.#members.get(b)?.lose(a);
  }

  mend(a: string, b: string): void {
    this.#cuts.delete(pair(a, b));
    this.wake();
  }

  /** Returns the pairs of clusters that are separated by partitions. */
  cutPairs(): [string, string][] {
    return [...this.#cuts].map((each) => each.split(' ') as [string, string]);
  }

  lag(secondary: string): Lag {
    return this.#lags.get(secondary) ?? 0;
  }

  setLag(secondary: string, lag: Lag): void {
    this.#lags.set(secondary, lag);
    this.#members.get(secondary)?.proceed();
  }

  /** Sets the kind of node that answers for a cluster; `undefined` for the assumed one. */
  setNode(cluster: string, node: AlternativeOf<'nodeAtAddress'> | undefined): void {
    if (node === undefined) this.#nodes.delete(cluster);
    else this.#nodes.set(cluster, node);
  }

  node(cluster: string): AlternativeOf<'nodeAtAddress'> | undefined {
    return this.#nodes.get(cluster);
  }

  setCorrupted(cluster: string, corrupted: boolean): void {
    if (corrupted) this.#corrupted.add(cluster);
    else this.#corrupted.delete(cluster);
  }

  /** Whether the Merkle tree of a cluster is corrupted. */
  isCorrupted(cluster: string): boolean {
    return this.#corrupted.has(cluster);
  }

  /** Crashes a cluster when it next reaches a step; `undefined` cancels the crash. */
  crashAt(cluster: string, step: CrashStep | undefined): void {
    if (step === undefined) this.#crashes.delete(cluster);
    else this.#crashes.set(cluster, step);
  }

  /** Returns the step at which a cluster will crash. */
  plannedCrash(cluster: string): CrashStep | undefined {
    return this.#crashes.get(cluster);
  }

  /**
   * @throws Crashed if a crash was requested at this step; the cluster is already restarted then.
   */
  reached(cluster: string, step: CrashStep): void {
    if (this.#crashes.get(cluster) !== step) return;
    this.#crashes.delete(cluster);
    this.crash(cluster);
    throw new Crashed(cluster);
  }

  /** Stops a cluster like the end of its process, and restarts it from its storage. */
  crash(cluster: string): void {
    this.#restart(cluster);
  }

  #isCut(a: string, b: string): boolean {
    return this.#cuts.has(pair(a, b));
  }
}

function pair(a: string, b: string): string {
  return [a, b].sort().join(' ');
}

/** Returns an address, and the addresses with the ports that follow. */
export function addressesFrom(address: string, count: number): readonly string[] {
  if (count <= 1 || address === '') return [address];
  const { protocol, hostname, port } = new URL(address);
  return Array.from({ length: count }, (_, index) => `${protocol}//${hostname}:${Number(port) + index}`);
}

/** Returns the host and port of an address, which may have a scheme. */
function hostAndPort(address: string): string {
  return address.replace(/^\w+:\/\//, '').replace(/\/.*/s, '');
}
