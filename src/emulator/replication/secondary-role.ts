import { type ConnectionState, type SecondaryState } from '../../model';
import { assumptions } from '../assumptions';
import type { Handler, LogicalRequest, LogicalResponse, ResponseData } from '../core/backend';
import { LogicalError } from '../core/errors';
import type { Json } from '../core/json';
import type { Activation } from './activation';
import { describeContact, wholeSeconds } from './heartbeats';
import type { Batch, Link, Target } from './link';
import type { Leaves } from './merkle';
import type { Lag } from './network';
import type { FilteredView } from './paths-filter';
import type { Introduction } from './primary-role';
import type { DynamicFilter, SecondaryRecord } from './record';
import type { Site } from './site';
import type { CrashStep } from './steps';

/** A primary as a secondary reaches it. */
export interface ReachablePrimary {
  readonly name: string;
  readonly apiAddress: string;
  readonly clusterAddress: string;
  readonly unsealKey: () => string;
  readonly lastWal: () => number;
  /** Whether it would take a secondary with this activation token. */
  admits(activation: Activation): boolean;
  /** @returns undefined where the secondary is refused. */
  accept(introduction: Introduction, target: Target, onEnd: (complete: boolean) => void): Link | undefined;
  /** Ends a connection from the secondary's side. */
  hangUp(secondaryId: string): void;
  /** Handles a request that a secondary has let in. */
  handle(request: LogicalRequest): ReturnType<Handler>;
  /** Writes what a secondary's login has to leave behind. */
  write(key: string, value: Json): void;
}

/** Finds what answers at a cluster address: a primary of the set, or undefined. */
export type Reach = (address: string, clusterId: string) => ReachablePrimary | undefined;

interface Connection {
  readonly primary: ReachablePrimary;
  readonly link: Link;
}

interface Waiting {
  readonly wal: number;
  readonly then: () => void;
}

const withoutPrimary = { mode: 'secondary', primaryClusterAddr: '', knownPrimaryAddrs: [] } as const;

/** A cluster as a secondary: follows its primary, and passes on what only the primary may write. */
export class SecondaryRole implements Target {
  private connection: Connection | undefined;
  private connectionState: ConnectionState = 'idle';
  private waiting: Waiting[] = [];

  constructor(
    private readonly site: Site,
    private readonly reach: Reach,
    /** Runs `write` as the one who may write replicated data. */
    private readonly asReplication: (write: () => void) => void,
  ) {}

  get record(): SecondaryRecord {
    return this.site.store.record as SecondaryRecord;
  }

  /** Whether the cluster is a secondary whose first sync is not complete. */
  get isBootstrapping(): boolean {
    return this.site.mode === 'secondary' && this.record.bootstrapping;
  }

  /** Whether nothing of the primary's is missing, as far as the secondary can know. */
  get isComplete(): boolean {
    return this.connection?.link.caughtUp ?? this.site.store.position.complete;
  }

  /** What it takes over from an activation token. Data and position stay as they are. */
  follow(
    { secondaryId, clusterId, primaryClusterAddr, clientKey }: Activation,
    bootstrapping: boolean,
  ): void {
    this.disconnect();
    const { syncedAt } = this.site.store.record?.mode === 'secondary' ? this.record : {};
    this.site.store.record = {
      mode: 'secondary',
      clusterId,
      secondaryId,
      primaryClusterAddr,
      knownPrimaryAddrs: [primaryClusterAddr],
      clientKey,
      bootstrapping,
      ...(syncedAt !== undefined && { syncedAt }),
    };
    this.site.store.position = { applied: this.site.store.position.applied, complete: false };
  }

  /** Makes a past primary a secondary that has all there is, and knows no primary. */
  beginAlone(clusterId: string): void {
    const { store } = this.site;
    store.position = { applied: store.lastWal, complete: true };
    store.record = { ...withoutPrimary, clusterId, secondaryId: '', bootstrapping: false };
    this.connectionState = 'idle';
  }

  /** Forgets the past primary, and connects to none. */
  forgetPrimary(): void {
    this.disconnect();
    const { clusterId, secondaryId, bootstrapping } = this.record;
    this.site.store.record = { ...withoutPrimary, clusterId, secondaryId, bootstrapping };
  }

  /** Begins anew with storage that was cleared. */
  startOver(): void {
    this.forgetWithheld();
    this.site.store.position = { applied: 0, complete: false };
  }

  /** Leaves the primary, and with it what is known of data that was kept away. */
  end(): void {
    this.disconnect();
    this.forgetWithheld();
  }

  /** @returns those of the addresses at which a primary of the set answers. */
  ping(addresses: readonly string[]): string[] {
    return addresses.filter((address) => this.reach(address, this.record.clusterId) !== undefined);
  }

  useAddresses(addresses: readonly string[]): void {
    this.disconnect();
    this.site.store.record = { ...this.record, knownPrimaryAddrs: addresses };
  }

  /** After a start: what was connected is not any more. */
  noteStart(): void {
    const { contact } = this.record;
    if (contact !== undefined && contact.until === undefined)
      this.site.store.record = { ...this.record, contact: { ...contact, until: this.site.now() } };
  }

  /** Tries the known addresses in turn, unless it is connected or knows none. */
  connect(): void {
    const { clientKey, knownPrimaryAddrs, clusterId, secondaryId } = this.record;
    if (this.connection !== undefined || clientKey === undefined) return;
    const { name, apiAddress, clusterAddress } = this.site;
    const introduction = { clusterId, secondaryId, clientKey, name, apiAddress, clusterAddress };
    this.connectionState = 'connecting';
    for (const address of knownPrimaryAddrs) {
      const primary = this.reach(address, clusterId);
      if (primary === undefined) continue;
      this.connectionState = 'transient_failure';
      const link = primary.accept(introduction, this, (complete) => this.ended(complete));
      if (link === undefined) continue;
      this.connected(primary, link);
      return;
    }
  }

  /** Ends the connection from this side. */
  disconnect(): void {
    this.connection?.primary.hangUp(this.record.secondaryId);
    this.connectionState = 'idle';
  }

  /** Ends the connection without a word, if it is with this cluster or none is named. */
  lose(cluster?: string): void {
    if (this.connection === undefined) return;
    if (cluster !== undefined && this.connection.primary.name !== cluster) return;
    this.disconnect();
    this.connectionState = 'transient_failure';
  }

  proceed(): void {
    this.connection?.link.proceed();
  }

  /** @throws LogicalError with the primary's refusal, or 503 where it is out of reach. */
  forward(request: LogicalRequest): ReturnType<Handler> {
    const { primary } = this.requireConnection();
    const response = primary.handle(request);
    return response instanceof Promise
      ? response.then((awaited) => this.whenArrived(primary.lastWal(), awaited))
      : this.whenArrived(primary.lastWal(), response);
  }

  /** Writes to the primary what a login here has to leave behind for all clusters. */
  forwardWrite(key: string, value: Json): void {
    this.requireConnection().primary.write(key, value);
  }

  /** What the primary's filter keeps away, as of the latest sync. */
  get dynamicFilter(): DynamicFilter {
    return this.site.store.dynamicFilter;
  }

  status(): ResponseData {
    const { clusterId, secondaryId, primaryClusterAddr, knownPrimaryAddrs, contact, syncedAt } = this.record;
    const link = this.connection?.link;
    const { server } = this.site.host;
    return {
      mode: 'secondary',
      state: this.state,
      connection_state: this.connectionState,
      cluster_id: clusterId,
      secondary_id: secondaryId,
      primary_cluster_addr: primaryClusterAddr,
      known_primary_cluster_addrs: knownPrimaryAddrs,
      primaries: contact === undefined ? [] : [describeContact(contact, this.site.now(), server)],
      last_remote_wal: this.site.store.position.applied,
      last_reindex_epoch: String(syncedAt === undefined ? 0 : Math.floor(syncedAt / 1000)),
      ...(contact && { last_start: wholeSeconds(contact.since) }),
      ...(link?.progress && {
        merkle_sync_progress: { sync_total_keys: link.progress.total, sync_progress: link.progress.done },
      }),
    };
  }

  // What the connection works on.

  get lag(): Lag {
    return this.site.network.lag(this.site.name);
  }

  entries(): ReturnType<Target['entries']> {
    return this.site.keys.entries();
  }

  withheld(): Leaves {
    const { withheld } = this.site.store;
    return new Map(withheld.keys('').map((id) => [id, withheld.get<string>(id) ?? '']));
  }

  apply({ changes, withheld }: Batch): void {
    const { storage } = this.site.host;
    this.asReplication(() => {
      for (const { key, value } of changes) {
        if (value === undefined) storage.delete(key);
        else storage.put(key, value);
        this.site.host.refresh(key);
      }
      for (const [id, hash] of withheld) {
        if (hash === undefined) this.site.store.withheld.delete(id);
        else this.site.store.withheld.put(id, hash);
      }
    });
    if (withheld.size > 0) this.site.changed();
  }

  arrivedAt(wal: number): void {
    this.site.store.position = { applied: wal, complete: false };
    const arrived = this.waiting.filter((each) => each.wal <= wal);
    this.waiting = this.waiting.filter((each) => each.wal > wal);
    for (const { then } of arrived) then();
  }

  synced(wal: number, filtered: FilteredView | undefined): void {
    this.site.store.dynamicFilter = {
      mounts: filtered?.mountPaths ?? [],
      namespaces: filtered?.namespacePaths ?? [],
    };
    this.site.store.record = { ...this.record, bootstrapping: false, syncedAt: this.site.now() };
    this.site.host.unsealKey = this.requireConnection().primary.unsealKey();
    this.arrivedAt(wal);
  }

  reached(step: CrashStep): void {
    this.site.reached(step);
  }

  private get state(): SecondaryState {
    if (this.connection !== undefined) return this.connection.link.state;
    if (this.record.clientKey === undefined) return 'idle';
    return this.record.contact === undefined ? 'merkle-diff' : 'stream-wals';
  }

  private forgetWithheld(): void {
    this.site.store.withheld.clear('');
    this.site.changed();
  }

  private connected(primary: ReachablePrimary, link: Link): void {
    const { apiAddress, clusterAddress } = primary;
    this.connection = { primary, link };
    this.connectionState = 'ready';
    const contact = { apiAddress, clusterAddress, since: this.site.now() };
    this.site.store.record = { ...this.record, knownPrimaryAddrs: [clusterAddress], contact };
    this.site.store.position = { applied: this.site.store.position.applied, complete: false };
    link.start();
  }

  private ended(complete: boolean): void {
    this.connection = undefined;
    this.connectionState = 'transient_failure';
    const { contact } = this.record;
    if (contact !== undefined)
      this.site.store.record = { ...this.record, contact: { ...contact, until: this.site.now() } };
    this.site.store.position = { applied: this.site.store.position.applied, complete };
    for (const { then } of this.waiting.splice(0)) then();
  }

  private requireConnection(): Connection {
    if (this.connection === undefined) {
      throw new LogicalError(503, assumptions.forwarding.unreachable(this.record.primaryClusterAddr));
    }
    return this.connection;
  }

  /** Answers once the secondary has what the primary wrote, or with a warning where that takes too long. */
  private whenArrived(wal: number, response: LogicalResponse | undefined): ReturnType<Handler> {
    const { patienceMs, warning } = assumptions.forwarding;
    const late = () => ({ ...response, warnings: [...(response?.warnings ?? []), warning] });
    this.proceedIfPrompt();
    const hasArrived = () => this.site.store.position.applied >= wal;
    if (hasArrived()) return response;
    // What surely takes longer is not waited for.
    if (this.lag === 'paused' || this.lag > patienceMs) return late();
    return new Promise((resolve) => {
      const finish = () => {
        timer.cancel();
        resolve(hasArrived() ? response : late());
      };
      const timer = this.site.host.clock.schedule(patienceMs, finish);
      this.waiting.push({ wal, then: finish });
    });
  }

  private proceedIfPrompt(): void {
    if (this.lag === 0) this.connection?.link.proceed();
  }
}
