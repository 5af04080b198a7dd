import { PRIMARY_STATE } from '../../model';
import type { ResponseData } from '../core/backend';
import { invalidRequest, LogicalError, openRefusal } from '../core/errors';
import type { Activation } from './activation/activation-token';
import { provesIdentity, publicHalf } from './activation/client-keys';
import type { Introduction } from './streaming/primary-connection';
import { describeContact } from './streaming/heartbeats';
import { Link, type Source, type LinkTarget } from './streaming/link';
import { FilteredView } from './paths-filter';
import { own } from '../../text';
import type { KnownSecondary, PathsFilter, PrimaryRecord } from './record';
import type { SiteChange, Site } from './site';

interface Connected {
  readonly link: Link;
  /** The name of the secondary's cluster. */
  readonly cluster: string;
  /**
   * Informs the secondary that the connection has ended. `complete`: it has all writes of the
   * primary.
   */
  readonly onEnd: (complete: boolean) => void;
}

/** A cluster as the primary of its set: it knows its secondaries, and sends writes to them. */
export class PrimaryRole implements Source {
  readonly #connections = new Map<string, Connected>();

  readonly #site: Site;
  readonly #lastWalOfAll: () => number;

  /**
   * @param lastWalOfAll returns the number of all writes, including those that are not replicated.
   */
  constructor(site: Site, lastWalOfAll: () => number) {
    this.#site = site;
    this.#lastWalOfAll = lastWalOfAll;
  }

  /** Makes the cluster a primary without secondaries. */
  begin(clusterId: string, primaryClusterAddr: string, formerSecondaryId = ''): void {
    this.#site.store.record = {
      mode: 'primary',
      clusterId,
      formerSecondaryId,
      primaryClusterAddr,
      secondaries: {},
      filters: {},
    };
  }

  /** Changes the address that the tokens for secondaries contain. */
  changeAddress(primaryClusterAddr: string): void {
    this.#site.store.record = { ...this.record, primaryClusterAddr };
  }

  get record(): PrimaryRecord {
    return this.#site.store.record as PrimaryRecord;
  }

  get lastWal(): number {
    return this.#site.store.lastWal;
  }

  entries(): ReturnType<Source['entries']> {
    return this.#site.keys.entries();
  }

  /** @throws LogicalError 400 if the id is in use and was not revoked. */
  issueToken(id: string, ttlSeconds: number): Activation {
    if (own(this.record.secondaries, id) !== undefined) {
      throw openRefusal('secondaryIdInUse', id);
    }
    if (this.#site.host.server.assumed('filterAfterNewToken').dropped)
      this.#site.store.record = { ...this.record, filters: without(this.record.filters, id) };
    const clientKey = this.#site.network.newClientKey();
    const tokenExpiresAt = this.#site.now() + ttlSeconds * 1000;
    this.#know(id, { publicKey: publicHalf(clientKey), tokenExpiresAt, tokenAccessor: '' });
    return {
      secondaryId: id,
      clusterId: this.record.clusterId,
      primaryClusterAddr: this.record.primaryClusterAddr || this.#site.clusterAddress,
      clientKey,
      expiresAt: tokenExpiresAt,
    };
  }

  /**
   * Stores the accessor of the wrapping token of an activation token, so that both are revoked
   * together.
   */
  noteTokenAccessor(id: string, tokenAccessor: string): void {
    this.#change(id, { tokenAccessor });
  }

  /**
   * Removes a secondary.
   *
   * @throws LogicalError 400 if it is unknown, and the server refuses that.
   */
  revoke(id: string): void {
    const known = own(this.record.secondaries, id);
    if (known === undefined) {
      const { refused } = this.#site.host.server.assumed('revocationOfUnknownId');
      if (refused) throw invalidRequest('unknown secondary');
      return;
    }
    const token = this.#site.host.tokens.byAccessor(known.tokenAccessor);
    if (token !== undefined) this.#site.host.tokens.revoke(token);
    this.#end(id, false);
    this.#site.store.record = { ...this.record, secondaries: without(this.record.secondaries, id) };
  }

  filter(id: string): PathsFilter | undefined {
    return own(this.record.filters, id);
  }

  writeFilter(id: string, filter: PathsFilter): void {
    this.#site.store.record = { ...this.record, filters: { ...this.record.filters, [id]: filter } };
    this.#connections.get(id)?.link.filterChanged();
  }

  /** @throws LogicalError 404 if the filter does not exist, and the server refuses that. */
  deleteFilter(id: string): void {
    if (own(this.record.filters, id) === undefined) {
      const { refused } = this.#site.host.server.assumed('removalOfMissingFilter');
      if (refused) throw new LogicalError(404, 'no paths filter');
      return;
    }
    this.#site.store.record = { ...this.record, filters: without(this.record.filters, id) };
    this.#connections.get(id)?.link.filterChanged();
  }

  knows(id: string): boolean {
    return own(this.record.secondaries, id) !== undefined || own(this.record.filters, id) !== undefined;
  }

  filteredView(id: string): FilteredView | undefined {
    const filter = own(this.record.filters, id);
    return filter && new FilteredView(this.#site.host.storage, filter);
  }

  /**
   * Whether a secondary may connect: it belongs to this set, is known, is not revoked, and its
   * token has not expired at the first connection.
   */
  admits({
    clusterId,
    secondaryId,
    clientKey,
  }: Pick<Introduction, 'clusterId' | 'secondaryId' | 'clientKey'>): boolean {
    const known = own(this.record.secondaries, secondaryId);
    return (
      known !== undefined &&
      clusterId === this.record.clusterId &&
      (known.contact !== undefined || this.#isInTime(known)) &&
      provesIdentity(clientKey, known.publicKey)
    );
  }

  #isInTime({ tokenExpiresAt }: KnownSecondary): boolean {
    return tokenExpiresAt > this.#site.now() || this.#site.host.server.assumed('lateContact').accepted;
  }

  /** Connects a secondary that was admitted. */
  connect(introduction: Introduction, target: LinkTarget, onEnd: Connected['onEnd']): Link {
    const { secondaryId: id, name, apiAddress, clusterAddress } = introduction;
    this.#end(id, false);
    const link = new Link(id, this, target, this.#site.host.clock);
    this.#connections.set(id, { link, cluster: name, onEnd });
    this.#change(id, { contact: { apiAddress, clusterAddress, since: this.#site.now() } });
    return link;
  }

  /** Sends a write to the secondaries. */
  written(change: SiteChange): void {
    this.#site.store.lastWal += 1;
    for (const { link } of this.#connections.values()) link.enqueue(change);
  }

  /** Records after a start that the earlier connections have ended. */
  noteStart(): void {
    for (const [id, { contact }] of Object.entries(this.record.secondaries)) {
      if (contact !== undefined && contact.until === undefined)
        this.#change(id, { contact: { ...contact, until: this.#site.now() } });
    }
  }

  /** Ends one connection at the request of the secondary. */
  hangUp(id: string): void {
    this.#end(id, false);
  }

  /** Ends all connections in an orderly way, because the cluster is not a primary any more. */
  resign(): void {
    for (const id of [...this.#connections.keys()]) this.#end(id, true);
  }

  /** Drops the connections with one cluster, or with all. */
  lose(cluster?: string): void {
    for (const [id, connected] of this.#connections) {
      if (cluster === undefined || connected.cluster === cluster) this.#end(id, false);
    }
  }

  status(): ResponseData {
    const { clusterId, primaryClusterAddr, secondaries } = this.record;
    const { server } = this.#site.host;
    const shown = Object.entries(secondaries);
    return {
      mode: 'primary',
      state: PRIMARY_STATE,
      cluster_id: clusterId,
      primary_cluster_addr: primaryClusterAddr,
      known_secondaries: shown.map(([id]) => id),
      secondaries: shown.map(([id, { contact }]) => ({
        node_id: id,
        ...(contact === undefined
          ? { connection_status: 'disconnected' }
          : describeContact(contact, this.#site.now(), server)),
      })),
      last_wal: this.#lastWalOfAll(),
      last_performance_wal: this.lastWal,
      last_reindex_epoch: '0',
    };
  }

  #end(id: string, inGoodOrder: boolean): void {
    const connected = this.#connections.get(id);
    if (connected === undefined) return;
    this.#connections.delete(id);
    if (inGoodOrder) connected.link.finish();
    else connected.link.close();
    const contact = own(this.record.secondaries, id)?.contact;
    if (contact !== undefined) this.#change(id, { contact: { ...contact, until: this.#site.now() } });
    connected.onEnd(inGoodOrder && connected.link.caughtUp);
  }

  #change(id: string, changes: Partial<KnownSecondary>): void {
    const known = own(this.record.secondaries, id);
    if (known !== undefined) this.#know(id, { ...known, ...changes });
  }

  #know(id: string, secondary: KnownSecondary): void {
    this.#site.store.record = {
      ...this.record,
      secondaries: { ...this.record.secondaries, [id]: secondary },
    };
  }
}

function without<T>(record: Readonly<Record<string, T>>, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([each]) => each !== name));
}
