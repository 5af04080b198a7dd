import type { ReplicationMode } from '../../model';
import type { Json } from '../core/primitives/json';
import { type Leaves, leafHash, leafId, merkleRoot } from './merkle';
import { addressesFrom, type ReplicationNetwork } from './network';
import { ReplicationStore } from './record';
import { ReplicatedKeys } from './replicated-keys';
import { Crashed, type CrashStep } from './steps';
import type { ClusterNodes } from '../nodes/cluster-nodes';
import type { Handler, LogicalRequest } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import type { MemoryStorage } from '../core/primitives/storage';

/** The cluster that takes part in replication, as far as replication works on it. */
export interface ReplicationHost extends Pick<
  ClusterParts,
  'id' | 'name' | 'server' | 'clock' | 'tokens' | 'wrapping' | 'sealed'
> {
  readonly storage: MemoryStorage;
  readonly nodes: ClusterNodes;
  /** Where clients reach it. */
  readonly address: () => string;
  /** What unseals it. A secondary takes over its primary's. */
  unsealKey: string;
  /** Handles a request that a secondary has let in. */
  execute(request: LogicalRequest): ReturnType<Handler>;
  /** Takes notice of a key that was changed in the storage behind its back. */
  refresh(key: string): void;
  /** Clears all data, and starts again with nothing but what every cluster has. */
  wipe(): void;
}

/** One cluster as replication sees it, in any mode: its storage and its addresses. */
export class Site {
  readonly store: ReplicationStore;
  readonly keys: ReplicatedKeys;
  /** Set when the cluster crashed, and another object stands for what is left of it. */
  isStopped = false;
  #knownRoot: string | undefined;

  constructor(
    readonly host: ReplicationHost,
    readonly network: ReplicationNetwork,
  ) {
    this.store = new ReplicationStore(host.storage);
    this.keys = new ReplicatedKeys(host.storage);
  }

  get name(): string {
    return this.host.name;
  }

  get apiAddress(): string {
    return this.host.address();
  }

  /** Where other clusters reach this one. */
  get clusterAddress(): string {
    return this.store.clusterAddress ?? '';
  }

  /** One for each node: the ports follow that of the cluster's address. */
  get clusterAddresses(): readonly string[] {
    return addressesFrom(this.clusterAddress, this.host.nodes.all.length);
  }

  /** Chooses the address at the first start. It is kept from then on, unless a copy of this cluster has it already. */
  chooseClusterAddress(): void {
    const { clusterAddress } = this.store;
    if (clusterAddress !== undefined && !this.network.hasOther(this.name, clusterAddress)) return;
    this.store.clusterAddress = this.network.freeClusterAddress(this.apiAddress, this.host.nodes.all.length);
  }

  get mode(): ReplicationMode {
    return this.store.record?.mode ?? 'disabled';
  }

  now(): number {
    return this.host.clock.now();
  }

  /** To be told of every change of data that counts for the root. */
  changed(): void {
    this.#knownRoot = undefined;
  }

  /** A digest of all replicated data, that of which only hashes are known included. */
  get merkleRoot(): string {
    const { own } = this.host.server.assumed('filteredRoots');
    if (own && this.store.dynamicFilter?.isFiltered === true) return merkleRoot(this.#leaves('own'));
    this.#knownRoot ??= merkleRoot(this.#leaves('all'));
    return this.#knownRoot;
  }

  /** A moment at which a crash may have been asked for. @throws Crashed if it was, or has happened before. */
  reached(step: CrashStep): void {
    if (this.isStopped) throw new Crashed(this.name);
    this.network.reached(this.name, step);
  }

  /** @param kind `own`: those of the data alone, and of the fact that some of it is missing. */
  #leaves(kind: 'all' | 'own'): Leaves {
    const { withheld } = this.store;
    const leaves = new Map<string, string>(kind === 'own' ? [['filtered', '']] : []);
    if (kind === 'all') for (const id of withheld.keys('')) leaves.set(id, withheld.get<string>(id) ?? '');
    for (const [key, value] of this.keys.entries()) leaves.set(leafId(key), leafHash(value));
    return leaves;
  }
}

/** A write; `value` is undefined for a key that is gone. */
export interface Change {
  readonly key: string;
  readonly value: Json | undefined;
}
