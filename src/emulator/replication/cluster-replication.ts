import { NEVER_EPOCH, type ReplicationMode } from '../../model';
import { ASSUMPTIONS, type AlternativeOf } from '../assume';
import type { OperationHandler, LogicalRequest, ResponseData } from '../core/backend';
import type { Timer } from '../core/primitives/clock';
import { LogicalError, openRefusal } from '../core/errors';
import type { RequestReplication } from '../core/request/parts';
import type { ClusterNode } from '../nodes/cluster-nodes';
import { type ReplicationHost, Site } from './site';
import { decodeIndexes, encodeIndex } from './index-header';
import type { NetworkMember, ReplicationNetwork } from './network';
import { PrimaryRole } from './primary-role';
import type { Reach, ReachablePrimary } from './streaming/primary-connection';
import { SecondaryRole } from './secondary-role';
import { WriteGuard } from './write-guard';

/**
 * The prefix of the paths that are served during the first sync: the status, and calls that end it.
 */
const SERVED_DURING_SYNC = 'sys/replication/';
/** The paths that every node serves. */
const STATUS = /^sys\/replication\/(\w+\/)?status$/;

const STANDBY = ASSUMPTIONS.nodeAtAddress.alternatives['performance-standby'];

/**
 * The performance replication of one cluster: its role, and whether it serves requests at present.
 */
export class ClusterReplication implements NetworkMember, RequestReplication {
  readonly primary: PrimaryRole;
  readonly secondary: SecondaryRole;
  readonly site: Site;
  readonly reach: Reach = (address, clusterId) => {
    const found = this.#network.reach(this.name, address);
    if (found === undefined || !found.#isUp || found.mode !== 'primary') return undefined;
    return found.primary.record.clusterId === clusterId ? found.#asPrimary() : undefined;
  };
  readonly #guard: WriteGuard;
  #interruption: Timer | undefined;
  /** The time at which service resumed after the latest change of mode. */
  #resumedAt = -Infinity;
  /** Whether service is interrupted by a change of mode at present. */
  isInterrupted = false;

  readonly #host: ReplicationHost;
  readonly #network: ReplicationNetwork<ClusterReplication>;
  readonly #unavailableMs: number | undefined;

  /**
   * @param unavailableMs the duration of the interruption by a change of mode, by the emulator's
   *   clock; `undefined` for the assumed one.
   */
  constructor(
    host: ReplicationHost,
    network: ReplicationNetwork<ClusterReplication>,
    unavailableMs: number | undefined,
  ) {
    this.#host = host;
    this.#network = network;
    this.#unavailableMs = unavailableMs;
    this.site = new Site(host, network);
    this.primary = new PrimaryRole(this.site, () => this.lastWalOfAll);
    this.secondary = new SecondaryRole(this.site, this.reach, (write) => this.#guard.open(write));
    this.#guard = new WriteGuard(this.site, this.primary, this.secondary);
  }

  get name(): string {
    return this.#host.name;
  }

  get apiAddress(): string {
    return this.site.apiAddress;
  }

  get clusterAddress(): string {
    return this.site.clusterAddress;
  }

  /**
   * Returns the cluster address of a node: the cluster's address for the first node, the following
   * ports for the others.
   */
  clusterAddressOf(node: ClusterNode): string {
    return this.site.clusterAddresses[this.#host.nodes.all.indexOf(node)] ?? this.clusterAddress;
  }

  get clusterAddresses(): readonly string[] {
    return this.site.clusterAddresses;
  }

  /** The addresses of all nodes for clients. */
  get apiAddresses(): readonly string[] {
    return this.#host.nodes.all.map(({ address }) => address);
  }

  /** The number of all writes, including writes to local mounts and writes of tokens. */
  get lastWalOfAll(): number {
    return this.site.store.lastWal + this.#guard.localWrites;
  }

  get mode(): ReplicationMode {
    return this.site.mode;
  }

  /** The mode that `sys/health` shows. */
  get healthMode(): ReplicationMode | 'bootstrapping' {
    return this.isInterrupted || this.secondary.isBootstrapping ? 'bootstrapping' : this.mode;
  }

  /** Whether `sys/health` shows the cluster as active. */
  get isActive(): boolean {
    return this.healthMode !== 'bootstrapping';
  }

  /** The kind of node that answers at the cluster's address. */
  get #node(): AlternativeOf<'nodeAtAddress'> {
    return this.#network.node(this.name) ?? this.#host.server.assumed('nodeAtAddress');
  }

  /**
   * Whether the node that answers is a secondary of disaster recovery, which serves only its
   * status.
   */
  get isDrSecondary(): boolean {
    return this.#node.isDrSecondary;
  }

  /** Whether the node that answers is a performance standby, which serves reads. */
  get isPerformanceStandby(): boolean {
    return this.#node.standbyMs > 0;
  }

  status(): ResponseData {
    const mode = this.isDrSecondary ? 'disabled' : this.mode;
    if (mode === 'disabled') return { mode };
    const { assumed } = this.#host.server;
    return {
      ...(mode === 'primary' ? this.primary.status() : this.secondary.status()),
      ...(assumed('statusRoot').reported && { merkle_root: this.site.merkleRoot }),
      ...(assumed('corruptionFields').reported && {
        corrupted_merkle_tree: this.#network.isCorrupted(this.name),
        last_corruption_check_epoch: String(NEVER_EPOCH),
      }),
      ssct_generation_counter: 0,
    };
  }

  /** Rebuilds the Merkle tree. */
  reindex(): void {
    this.#network.setCorrupted(this.name, false);
  }

  /** Starts replication, once the cluster can be reached. */
  start(options: { readonly afterCrash: boolean }): void {
    this.#network.join(this);
    this.site.chooseClusterAddress();
    this.#noteStart();
    if (options.afterCrash) this.interrupt();
    else this.#resume();
  }

  /**
   * Continues with the stored replication state, which may be of an earlier time or another
   * cluster.
   */
  #noteStart(): void {
    if (this.mode === 'primary') this.primary.noteStart();
    if (this.mode === 'secondary') this.secondary.noteStart();
    if (this.secondary.isBootstrapping) this.wipe();
  }

  /** Stops all activity, as the end of the process does. */
  stop(): void {
    this.site.isStopped = true;
    this.#interruption?.cancel();
    this.lose();
  }

  /** Must be called when the cluster was sealed or unsealed. */
  sealChanged(): void {
    if (this.#host.sealed) this.lose();
    else this.#network.wake();
  }

  /** The `X-Vault-Index` of a response to a write. */
  get index(): string {
    return encodeIndex(
      {
        clusterId: this.#indexedId,
        local: this.#guard.writes,
        replicated: this.mode === 'secondary' ? this.secondary.knownWal : this.site.store.lastWal,
      },
      this.#host.sealKeys.unsealKey,
    );
  }

  /** The id of the set whose writes the index counts; without replication, that of the cluster. */
  get #indexedId(): string {
    return this.site.store.record?.clusterId ?? this.#host.id;
  }

  /** @throws LogicalError 412 if this cluster has not received writes that the client has seen. */
  #requireIndex(header: string): void {
    const { lastWal, position } = this.site.store;
    const arrived = this.mode === 'secondary' ? position.applied : lastWal;
    const isMissing = decodeIndexes(header, this.#host.sealKeys.unsealKey).some(
      ({ clusterId, replicated }) => clusterId === this.#indexedId && replicated > arrived,
    );
    if (isMissing) throw stateNotPresent();
  }

  admit(path: string, index = ''): void {
    if (this.isDrSecondary && !STATUS.test(path)) {
      throw new LogicalError(400, 'path disabled in replication DR secondary mode');
    }
    const isServed = this.isActive || (!this.isInterrupted && path.startsWith(SERVED_DURING_SYNC));
    if (!isServed) throw openRefusal('unavailability');
    if (this.#isBehind(this.#node)) throw stateNotPresent();
    if (index !== '') this.#requireIndex(index);
  }

  /**
   * Admits a request to a standby with an address of its own.
   *
   * @param misses whether the standby misses a write that the client has seen.
   * @throws LogicalError 412 if it misses one, or for a short time after a change of mode.
   */
  admitToStandby(misses: boolean): void {
    if (misses || (this.isActive && this.#isBehind(STANDBY))) throw stateNotPresent();
  }

  /** Whether a node has not received the writes since the latest change of mode. */
  #isBehind({ standbyMs }: Pick<AlternativeOf<'nodeAtAddress'>, 'standbyMs'>): boolean {
    return this.#host.clock.now() < this.#resumedAt + standbyMs;
  }

  forward(request: LogicalRequest): ReturnType<OperationHandler> {
    return this.secondary.forwarding.forward(request);
  }

  connect(): void {
    if (this.#isUp && this.mode === 'secondary') this.secondary.connect();
  }

  lose(other?: string): void {
    if (this.mode === 'primary') this.primary.lose(other);
    if (this.mode === 'secondary') this.secondary.lose(other);
  }

  proceed(): void {
    if (this.mode === 'secondary') this.secondary.proceed();
  }

  get #isUp(): boolean {
    return !this.site.isStopped && !this.isInterrupted && !this.#host.sealed;
  }

  /** Interrupts service for the short time after the answer, and then connects again. */
  interrupt(): void {
    this.lose();
    this.#interruption?.cancel();
    this.isInterrupted = true;
    const { clock, server } = this.#host;
    const milliseconds = this.#unavailableMs ?? server.assumed('interruption').ms;
    if (milliseconds === 0) this.#resume();
    else this.#interruption = clock.schedule(milliseconds, () => this.#resume());
  }

  #resume(): void {
    if (this.isInterrupted) this.#resumedAt = this.#host.clock.now();
    this.isInterrupted = false;
    this.#network.wake();
  }

  /**
   * Replaces all data, including the cluster's replication state. The cluster keeps its own address
   * for other clusters, which is a setting of its servers. Service is interrupted, as by a change
   * of mode.
   */
  replaceData(replace: () => void): void {
    this.lose();
    const { store, clusterAddress } = this.site;
    this.#guard.open(() => {
      replace();
      store.clusterAddress = clusterAddress;
    });
    this.site.changed();
    this.#noteStart();
    this.interrupt();
  }

  /** Deletes all data before the first sync with the primary. */
  wipe(): void {
    this.#guard.open(() => this.#host.wipe());
    this.secondary.startOver();
  }

  #asPrimary(): ReachablePrimary {
    const host = this.#host;
    const { primary, name, apiAddress, clusterAddress, clusterAddresses } = this;
    return {
      name,
      apiAddress,
      clusterAddress,
      clusterAddresses,
      sealKeys: () => host.sealKeys,
      lastWal: () => primary.lastWal,
      admits: (activation) => primary.admits(activation),
      accept: (introduction, target, onEnd) =>
        primary.admits(introduction) ? primary.connect(introduction, target, onEnd) : undefined,
      hangUp: (secondaryId) => primary.hangUp(secondaryId),
      handle: (request) => host.execute(request),
      write: (key, value) => {
        host.storage.put(key, value);
        host.refresh(key);
      },
    };
  }
}

function stateNotPresent(): LogicalError {
  return new LogicalError(412, 'required index state not present');
}
