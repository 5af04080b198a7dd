import { NEVER_EPOCH, type ReplicationMode } from '../../model';
import { ASSUMPTIONS, type AlternativeOf } from '../assume';
import type { Handler, LogicalRequest, ResponseData } from '../core/backend';
import type { Timer } from '../core/primitives/clock';
import { LogicalError, openRefusal } from '../core/errors';
import type { RequestReplication } from '../core/request/parts';
import type { ClusterNode } from '../nodes/cluster-nodes';
import { type ReplicationHost, Site } from './site';
import { decodeIndexes, encodeIndex } from './index-header';
import type { NetworkMember, ReplicationNetwork } from './network';
import { PrimaryRole } from './primary-role';
import type { Reach, ReachablePrimary } from './streaming/connection';
import { SecondaryRole } from './secondary-role';
import { WriteGuard } from './write-guard';

/** The paths served during the first sync: those that show its progress, and those that end it. */
const SERVED_DURING_SYNC = 'sys/replication/';
/** The paths that every node serves. */
const STATUS = /^sys\/replication\/(\w+\/)?status$/;

const STANDBY = ASSUMPTIONS.nodeAtAddress.alternatives['performance-standby'];

/** The performance replication of one cluster: its role, and whether it currently serves requests. */
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
  /** When the latest change of mode was over. */
  #resumedAt = -Infinity;
  /** Whether a change of mode interrupts service just now. */
  isInterrupted = false;

  readonly #host: ReplicationHost;
  readonly #network: ReplicationNetwork<ClusterReplication>;
  readonly #unavailableMs: number | undefined;

  /**
   * @param unavailableMs how long a change of mode interrupts service, by the emulator's clock; `undefined` for what is
   *   assumed.
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

  /** The cluster address of a node: the first one has that of the cluster, each other one the next port. */
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

  /** The number of all writes, those to local mounts and of tokens included. */
  get lastWalOfAll(): number {
    return this.site.store.lastWal + this.#guard.localWrites;
  }

  get mode(): ReplicationMode {
    return this.site.mode;
  }

  /** The mode as `sys/health` tells it. */
  get healthMode(): ReplicationMode | 'bootstrapping' {
    return this.isInterrupted || this.secondary.isBootstrapping ? 'bootstrapping' : this.mode;
  }

  /** Whether the cluster is more than a standby, as `sys/health` tells it. */
  get isActive(): boolean {
    return this.healthMode !== 'bootstrapping';
  }

  /** The node that answers clients. */
  get #node(): AlternativeOf<'nodeAtAddress'> {
    return this.#network.node(this.name) ?? this.#host.server.assumed('nodeAtAddress');
  }

  /** Whether the node that answers is a secondary of disaster recovery, which serves nothing but its status. */
  get isDrSecondary(): boolean {
    return this.#node.isDrSecondary;
  }

  /** Whether the node that answers is not the active one, and serves reads. */
  get isPerformanceStandby(): boolean {
    return this.#node.standbyMs > 0;
  }

  status(): ResponseData {
    const mode = this.isDrSecondary ? 'disabled' : this.mode;
    if (mode === 'disabled') return { mode };
    const { assumed } = this.#host.server;
    return {
      ...(mode === 'primary' ? this.primary.status() : this.secondary.status()),
      ...(assumed('statusRoot').told && { merkle_root: this.site.merkleRoot }),
      ...(assumed('corruptionFields').told && {
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

  /** Begins to take part, once the cluster can be reached. */
  start(options: { readonly afterCrash: boolean }): void {
    this.#network.join(this);
    this.site.chooseClusterAddress();
    if (this.mode === 'primary') this.primary.noteStart();
    if (this.mode === 'secondary') this.secondary.noteStart();
    if (this.secondary.isBootstrapping) this.wipe();
    if (options.afterCrash) this.interrupt();
    else this.#resume();
  }

  /** Ends what goes on, as the end of the process would. */
  stop(): void {
    this.site.isStopped = true;
    this.#interruption?.cancel();
    this.lose();
  }

  /** To be told when the cluster is sealed, and unsealed again. */
  sealChanged(): void {
    if (this.#host.sealed) this.lose();
    else this.#network.wake();
  }

  /** What `X-Vault-Index` says after a write. */
  get index(): string {
    return encodeIndex(
      {
        clusterId: this.#indexedId,
        local: this.#guard.writes,
        replicated: this.mode === 'secondary' ? this.secondary.knownWal : this.site.store.lastWal,
      },
      this.#host.unsealKey,
    );
  }

  /** The cluster whose writes are counted: the whole set. */
  get #indexedId(): string {
    return this.site.store.record?.clusterId ?? this.#host.id;
  }

  /** @throws LogicalError 412 if writes that a client has seen have not arrived here. */
  #requireIndex(header: string): void {
    const { lastWal, position } = this.site.store;
    const arrived = this.mode === 'secondary' ? position.applied : lastWal;
    const isMissing = decodeIndexes(header, this.#host.unsealKey).some(
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
   * @throws LogicalError 412 if so, or for a while after a change of mode.
   */
  admitToStandby(misses: boolean): void {
    if (misses || (this.isActive && this.#isBehind(STANDBY))) throw stateNotPresent();
  }

  /** Whether a node has not caught up with the active one since the latest change of mode. */
  #isBehind({ standbyMs }: Pick<AlternativeOf<'nodeAtAddress'>, 'standbyMs'>): boolean {
    return this.#host.clock.now() < this.#resumedAt + standbyMs;
  }

  forward(request: LogicalRequest): ReturnType<Handler> {
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

  /** Begins the brief time without service that follows the answer, and connects after it. */
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

  /** Replaces all data, its own part in replication included. Service is interrupted, as after a change of mode. */
  replaceData(replace: () => void): void {
    this.lose();
    this.#guard.open(replace);
    this.site.changed();
    this.interrupt();
  }

  /** Clears all data, which makes room for the primary's. */
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
      unsealKey: () => host.unsealKey,
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
