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
  /** Tries to connect to its primary, if it has one and is not connected. */
  connect(): void;
  /** Drops its connections with another cluster. */
  lose(other: string): void;
  /** Continues everything that waited for the log. */
  proceed(): void;
}

/** How long the primary's writes take to a secondary: milliseconds, or for ever. */
export type Lag = number | 'paused';

/** The network between the clusters of one emulator: addresses, partitions, delays and crashes. */
export class ReplicationNetwork<M extends NetworkMember = NetworkMember> {
  readonly #members = new Map<string, M>();
  /** Names of clusters by further addresses. */
  readonly #balancers = new Map<string, string>();
  readonly #cuts = new Set<string>();
  readonly #lags = new Map<string, Lag>();
  readonly #nodes = new Map<string, AlternativeOf<'nodeAtAddress'>>();
  readonly #crashes = new Map<string, CrashStep>();
  readonly #corrupted = new Set<string>();
  readonly #reserved = new Set<string>();

  readonly #restart: (cluster: string) => void;

  /**
   * @param restart starts a cluster again from what it has stored.
   * @param newClientKey generates the client keys with which secondaries authenticate to their primary.
   */
  constructor(
    restart: (cluster: string) => void,
    readonly newClientKey: () => ClientKey,
  ) {
    this.#restart = restart;
  }

  /** Takes the place of an earlier member of the name. */
  join(member: M): void {
    this.#members.set(member.name, member);
  }

  /** Has everybody who lacks a connection try again. */
  wake(): void {
    for (const member of this.#members.values()) member.connect();
  }

  /** The cluster that answers at a cluster address; `undefined` if there is none, or the way is cut. */
  reach(from: string, address: string): M | undefined {
    const wanted = hostAndPort(address);
    const found =
      this.#members.get(this.#balancers.get(wanted) ?? '') ??
      [...this.#members.values()].find((each) =>
        each.clusterAddresses.some((address) => hostAndPort(address) === wanted),
      );
    return found === undefined || this.#isCut(from, found.name) ? undefined : found;
  }

  /** Where a request to an API address arrives: that of the cluster behind a load balancer, or itself. */
  behind(apiAddress: string): string {
    const name = this.#balancers.get(hostAndPort(apiAddress));
    return this.#members.get(name ?? '')?.apiAddress ?? apiAddress;
  }

  /** Whether a request to an API address gets lost on its way. */
  loses(from: string, apiAddress: string): boolean {
    const wanted = hostAndPort(apiAddress);
    const found = [...this.#members.values()].find((each) =>
      each.apiAddresses.some((address) => hostAndPort(address) === wanted),
    );
    return found !== undefined && this.#isCut(from, found.name);
  }

  /** Keeps ports for clients, which no cluster address may have. */
  reserve(ports: readonly number[]): void {
    for (const port of ports) this.#reserved.add(String(port));
  }

  /** The port behind the API's, as with the server, or the next ones, one for each node, that nobody has. */
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

  /** Whether another cluster than the one named has a cluster address. */
  hasOther(name: string | undefined, clusterAddress: string): boolean {
    return [...this.#members.values()].some(
      (each) => each.name !== name && each.clusterAddress === clusterAddress,
    );
  }

  /** Puts a load balancer in front of a cluster. */
  balance(cluster: string, address: string): void {
    this.#balancers.set(hostAndPort(address), cluster);
    this.wake();
  }

  /** The addresses of load balancers, and whose they are. */
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

  /** Pairs of clusters that do not reach each other. */
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

  /** Has another node of a cluster answer; `undefined` for the one that is assumed. */
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

  /** Crashes a cluster when it next reaches a step; undefined takes that back. */
  crashAt(cluster: string, step: CrashStep | undefined): void {
    if (step === undefined) this.#crashes.delete(cluster);
    else this.#crashes.set(cluster, step);
  }

  /** The step that a cluster is to crash at. */
  plannedCrash(cluster: string): CrashStep | undefined {
    return this.#crashes.get(cluster);
  }

  /** @throws Crashed if a crash was requested at this step; the cluster is up again then. */
  reached(cluster: string, step: CrashStep): void {
    if (this.#crashes.get(cluster) !== step) return;
    this.#crashes.delete(cluster);
    this.crash(cluster);
    throw new Crashed(cluster);
  }

  /** Ends a cluster as the end of its process would, and starts it again from what it has stored. */
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

/** Returns an address and those with the ports after its own. */
export function addressesFrom(address: string, count: number): readonly string[] {
  if (count <= 1 || address === '') return [address];
  const { protocol, hostname, port } = new URL(address);
  return Array.from({ length: count }, (_, index) => `${protocol}//${hostname}:${Number(port) + index}`);
}

/** Addresses are the same with and without scheme. */
function hostAndPort(address: string): string {
  return address.replace(/^\w+:\/\//, '').replace(/\/.*$/, '');
}
