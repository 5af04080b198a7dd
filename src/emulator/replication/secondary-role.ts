import { mayLoseDataByUpdatePrimary, type ConnectionState, type SecondaryState } from '../../model';
import type { ResponseData } from '../core/backend';
import type { Activation } from './activation/activation-token';
import type { PrimaryConnection, Reach, ReachablePrimary } from './streaming/primary-connection';
import { Forwarding } from './streaming/forwarding';
import { describeContact, wholeSeconds } from './streaming/heartbeats';
import type { Link } from './streaming/link';
import type { FilteredView } from './paths-filter';
import type { WithheldPaths, PrimaryRecord, SecondaryRecord } from './record';
import type { Site } from './site';
import { type ArrivalListener, SyncTarget } from './streaming/sync-target';

const WITHOUT_PRIMARY = { mode: 'secondary', primaryClusterAddr: '', knownPrimaryAddrs: [] } as const;

/** A cluster as a secondary: it knows its primary, and stays connected to it. */
export class SecondaryRole implements ArrivalListener {
  readonly forwarding: Forwarding;
  readonly #target: SyncTarget;
  #connection: PrimaryConnection | undefined;
  #connectionState: ConnectionState = 'idle';
  /** Whether a write of the primary has arrived since the latest sync. */
  hasStreamed = false;
  /** Whether the next sync deletes data, as in some versions of Vault after `update-primary`. */
  #losesData = false;

  readonly #site: Site;
  readonly #reach: Reach;

  constructor(
    site: Site,
    reach: Reach,
    /** Runs `write` with permission to write replicated data. */
    asReplication: (write: () => void) => void,
  ) {
    this.#site = site;
    this.#reach = reach;
    this.#target = new SyncTarget(site, asReplication, this);
    this.forwarding = new Forwarding(
      site,
      () => this.#connection,
      () => this.record.primaryClusterAddr,
    );
  }

  get record(): SecondaryRecord {
    return this.#site.store.record as SecondaryRecord;
  }

  /** Whether the cluster is a secondary whose first sync is not complete. */
  get isBootstrapping(): boolean {
    return this.#site.mode === 'secondary' && this.record.bootstrapping;
  }

  /** Whether no write of the primary is missing, according to what the secondary knows. */
  get isComplete(): boolean {
    return this.#connection?.link.caughtUp ?? this.#site.store.position.complete;
  }

  /** Makes the next sync delete data, if servers of this version do so after `update-primary`. */
  noteUpdate(): void {
    const { server } = this.#site.host;
    this.#losesData = server.assumed('updatePrimaryData').loses && mayLoseDataByUpdatePrimary(server.version);
  }

  /** Stores the content of an activation token. Data and position do not change. */
  follow(
    { secondaryId, clusterId, primaryClusterAddr, clientKey }: Activation,
    bootstrapping: boolean,
  ): void {
    this.disconnect();
    const { syncedAt } = this.#site.store.record?.mode === 'secondary' ? this.record : {};
    this.#site.store.record = {
      mode: 'secondary',
      clusterId,
      secondaryId,
      primaryClusterAddr,
      knownPrimaryAddrs: [primaryClusterAddr],
      clientKey,
      bootstrapping,
      ...(syncedAt !== undefined && { syncedAt }),
    };
    this.#site.store.position = { applied: this.#site.store.position.applied, complete: false };
  }

  /** Makes a demoted primary a secondary that has all writes, and has no primary. */
  beginAlone({ clusterId, formerSecondaryId = '' }: PrimaryRecord): void {
    const { store, clusterAddress, host } = this.#site;
    const keepsId = host.server.assumed('secondaryIdAfterDemotion').kept;
    const keepsAddress = host.server.assumed('addressesAfterDemotion').kept;
    store.position = { applied: store.lastWal, complete: true };
    store.record = {
      ...WITHOUT_PRIMARY,
      knownPrimaryAddrs: keepsAddress ? [clusterAddress] : [],
      clusterId,
      secondaryId: keepsId ? formerSecondaryId : '',
      bootstrapping: false,
    };
    this.#connectionState = 'idle';
  }

  /** Removes the former primary, and does not connect to another one. */
  forgetPrimary(): void {
    this.disconnect();
    const { clusterId, secondaryId, bootstrapping } = this.record;
    this.#site.store.record = { ...WITHOUT_PRIMARY, clusterId, secondaryId, bootstrapping };
  }

  /** Resets the position after the data was deleted. */
  startOver(): void {
    this.#forgetWithheld();
    this.#site.store.position = { applied: 0, complete: false };
  }

  /** Ends the role: disconnects, and removes the hashes of withheld data. */
  end(): void {
    this.disconnect();
    this.#forgetWithheld();
  }

  /** @returns the addresses at which a primary of the set answers. */
  ping(addresses: readonly string[]): string[] {
    return addresses.filter((address) => this.#reach(address, this.record.clusterId) !== undefined);
  }

  useAddresses(addresses: readonly string[]): void {
    this.disconnect();
    this.#site.store.record = { ...this.record, knownPrimaryAddrs: addresses };
  }

  /** Records after a start that the earlier connection has ended. */
  noteStart(): void {
    const { contact } = this.record;
    if (contact !== undefined && contact.until === undefined)
      this.#site.store.record = { ...this.record, contact: { ...contact, until: this.#site.now() } };
  }

  /** Tries to connect to each of the known addresses, unless it is connected or has none. */
  connect(): void {
    const { clientKey, knownPrimaryAddrs, clusterId, secondaryId } = this.record;
    if (this.#connection !== undefined || clientKey === undefined) return;
    const { name, apiAddress, clusterAddress } = this.#site;
    const introduction = { clusterId, secondaryId, clientKey, name, apiAddress, clusterAddress };
    this.#connectionState = 'connecting';
    for (const address of knownPrimaryAddrs) {
      const primary = this.#reach(address, clusterId);
      if (primary === undefined) continue;
      this.#connectionState = 'transient_failure';
      const link = primary.accept(introduction, this.#target, (complete) => this.#ended(complete));
      if (link === undefined) continue;
      this.#connected(primary, link);
      return;
    }
  }

  /** Ends the connection at the request of this secondary. */
  disconnect(): void {
    this.#connection?.primary.hangUp(this.record.secondaryId);
    this.#connectionState = 'idle';
  }

  /** Drops the connection, if it is with the given cluster or no cluster is given. */
  lose(cluster?: string): void {
    if (this.#connection === undefined) return;
    if (cluster !== undefined && this.#connection.primary.name !== cluster) return;
    this.disconnect();
    this.#connectionState = 'transient_failure';
  }

  proceed(): void {
    this.#connection?.link.proceed();
  }

  /** The data that the primary's filter withholds, as of the latest sync. */
  get dynamicFilter(): WithheldPaths {
    return this.#site.store.dynamicFilter ?? { mounts: [], namespaces: [], isFiltered: false };
  }

  status(): ResponseData {
    const { clusterId, secondaryId, primaryClusterAddr, knownPrimaryAddrs, contact, syncedAt } = this.record;
    const link = this.#connection?.link;
    const { server } = this.#site.host;
    return {
      mode: 'secondary',
      state: this.#state,
      connection_state: this.#connectionState,
      cluster_id: clusterId,
      secondary_id: secondaryId,
      primary_cluster_addr: primaryClusterAddr,
      known_primary_cluster_addrs: knownPrimaryAddrs,
      primaries: contact === undefined ? [] : [describeContact(contact, this.#site.now(), server)],
      last_remote_wal: this.#remoteWal,
      last_reindex_epoch: String(syncedAt === undefined ? 0 : Math.floor(syncedAt / 1000)),
      ...(contact && { last_start: wholeSeconds(contact.since) }),
      ...(link?.progress && {
        merkle_sync_progress: { sync_total_keys: link.progress.total, sync_progress: link.progress.done },
      }),
    };
  }

  arrivedAt(wal: number): void {
    this.hasStreamed = true;
    this.#hasUpTo(wal);
  }

  synced(wal: number, filtered: FilteredView | undefined): void {
    this.#site.store.dynamicFilter = {
      mounts: filtered?.mountPaths ?? [],
      namespaces: filtered?.namespacePaths ?? [],
      isFiltered: filtered !== undefined,
    };
    if (this.#connection !== undefined) this.#site.host.sealKeys = this.#connection.primary.sealKeys();
    if (this.#losesData && filtered?.mode === 'allow') this.#target.loseData();
    this.#losesData = false;
    this.hasStreamed = false;
    this.#hasUpTo(wal);
    // This is written last: a crash before it makes the restart delete the incomplete data.
    this.#site.store.record = { ...this.record, bootstrapping: false, syncedAt: this.#site.now() };
  }

  get #state(): SecondaryState {
    if (this.#connection !== undefined) return this.#connection.link.state;
    if (this.record.clientKey === undefined) return 'idle';
    const { state } = this.#site.host.server.assumed('disconnectedState');
    return this.record.contact === undefined ? 'merkle-diff' : state;
  }

  /** The number of the primary's last write or, without a connection, of the last applied write. */
  get knownWal(): number {
    return this.#connection?.primary.lastWal() ?? this.#site.store.position.applied;
  }

  get #remoteWal(): number {
    const { afterSync } = this.#site.host.server.assumed('lastRemoteWal');
    return afterSync === 'zero' && !this.hasStreamed ? 0 : this.#site.store.position.applied;
  }

  #hasUpTo(wal: number): void {
    this.#site.store.position = { applied: wal, complete: false };
    this.forwarding.arrived();
  }

  #forgetWithheld(): void {
    this.#site.store.withheld.clear('');
    this.#site.store.dynamicFilter = undefined;
    this.#site.changed();
  }

  #connected(primary: ReachablePrimary, link: Link): void {
    const { apiAddress, clusterAddress, clusterAddresses } = primary;
    this.#connection = { primary, link };
    this.#connectionState = 'ready';
    this.hasStreamed = false;
    const contact = { apiAddress, clusterAddress, since: this.#site.now() };
    this.#site.store.record = { ...this.record, knownPrimaryAddrs: clusterAddresses, contact };
    this.#site.store.position = { applied: this.#site.store.position.applied, complete: false };
    link.start();
  }

  #ended(complete: boolean): void {
    this.#connection = undefined;
    this.#connectionState = 'transient_failure';
    const { contact } = this.record;
    if (contact !== undefined)
      this.#site.store.record = { ...this.record, contact: { ...contact, until: this.#site.now() } };
    this.#site.store.position = { applied: this.#site.store.position.applied, complete };
    this.forwarding.arrived();
  }
}
