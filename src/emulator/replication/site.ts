import type { SealKeys } from '../core/stores/seal-keys';
import type { ReplicationMode } from '../../model';
import type { Json } from '../core/primitives/json';
import { type Leaves, leafHash, leafId, merkleRoot } from './merkle';
import { addressesFrom, type ReplicationNetwork } from './network';
import { ReplicationStore } from './record';
import { ReplicatedKeys } from './replicated-keys';
import { Crashed, type CrashStep } from './steps';
import type { ClusterNodes } from '../nodes/cluster-nodes';
import type { OperationHandler, LogicalRequest } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import type { MemoryStorage } from '../core/primitives/storage';

/** The parts of a cluster that replication uses. */
export interface ReplicationHost extends Pick<
  ClusterParts,
  'id' | 'name' | 'server' | 'clock' | 'tokens' | 'wrapping' | 'sealed'
> {
  readonly storage: MemoryStorage;
  readonly nodes: ClusterNodes;
  /** The address of the cluster for clients. */
  readonly address: () => string;
  /** The unseal key. A secondary takes over that of its primary, with its shares. */
  sealKeys: SealKeys;
  /** Handles a request that a secondary has authorized. */
  execute(request: LogicalRequest): ReturnType<OperationHandler>;
  /** Updates cached objects after replication has changed a key in the storage. */
  refresh(key: string): void;
  /** Deletes all data, and creates again what every new cluster has. */
  wipe(): void;
}

/** The storage and the addresses of one cluster, independent of its replication mode. */
export class Site {
  readonly store: ReplicationStore;
  readonly keys: ReplicatedKeys;
  /** Whether the cluster has crashed. Another object then represents the restarted cluster. */
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

  /** The address of this cluster for other clusters. */
  get clusterAddress(): string {
    return this.store.clusterAddress ?? '';
  }

  /** The cluster addresses of the nodes, with ports after that of the cluster's address. */
  get clusterAddresses(): readonly string[] {
    return addressesFrom(this.clusterAddress, this.host.nodes.all.length);
  }

  /**
   * Chooses the cluster address at the first start. It does not change afterwards, unless a copy of
   * this cluster already uses it.
   */
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

  /** Must be called for every change of replicated data. */
  changed(): void {
    this.#knownRoot = undefined;
  }

  /**
   * The root of the hashes of all replicated data, including data of which only the hashes are
   * known.
   */
  get merkleRoot(): string {
    const { own } = this.host.server.assumed('filteredRoots');
    if (own && this.store.dynamicFilter?.isFiltered === true) return merkleRoot(this.#leaves('own'));
    this.#knownRoot ??= merkleRoot(this.#leaves('all'));
    return this.#knownRoot;
  }

  /**
   * Marks a step at which a crash can be requested.
   *
   * @throws Crashed if the cluster crashes now, or has crashed before.
   */
  reached(step: CrashStep): void {
    if (this.isStopped) throw new Crashed(this.name);
    this.network.reached(this.name, step);
  }

  /**
   * @param kind `own` for the hashes of the present data only, with a mark that some data is
   *   withheld.
   */
  #leaves(kind: 'all' | 'own'): Leaves {
    const { withheld } = this.store;
    const leaves = new Map<string, string>(kind === 'own' ? [['filtered', '']] : []);
    if (kind === 'all') for (const id of withheld.keys('')) leaves.set(id, withheld.get<string>(id) ?? '');
    for (const [key, value] of this.keys.entries()) leaves.set(leafId(key), leafHash(value));
    return leaves;
  }
}

/** A write; `value` is undefined for a deleted key. */
export interface SiteChange {
  readonly key: string;
  readonly value: Json | undefined;
}
