import type { AlternativeOf, AssumptionName } from '../../../src/emulator/assume';
import {
  addressOf,
  fresh,
  newContent,
  type Cluster,
  type Primary,
  type Secondary,
  type World,
} from './world';

/** The alternatives of the clusters. */
export type Assumed = <Name extends AssumptionName>(name: Name) => AlternativeOf<Name>;

/** A world during a change, with the effects that requests and events have in common. */
export class Draft {
  constructor(
    readonly world: World,
    readonly assumed: Assumed,
  ) {}

  cluster(index: number): Cluster {
    return this.world.clusters[index]!;
  }

  isUp(index: number): boolean {
    const { busy, sealed } = this.cluster(index);
    return !busy && !sealed;
  }

  /** Returns the primary of the set at an address, if it can be reached. */
  reach(from: number, address: string, set: string): number | undefined {
    const found = this.world.clusters.findIndex((_, index) => addressOf(index) === address);
    if (found < 0 || this.isCut(from, found) || !this.isUp(found)) return undefined;
    const { role } = this.cluster(found);
    return role.mode === 'primary' && role.set === set ? found : undefined;
  }

  isCut(a: number, b: number): boolean {
    return this.world.cuts.includes(pair(a, b));
  }

  /** Whether a primary accepts a secondary. */
  admits(primary: Primary, { set, id, key }: { set: string; id: string; key: string }): boolean {
    const known = primary.known[id];
    if (known === undefined || set !== primary.set || key !== known.key) return false;
    return known.contact !== 'never' || !known.expired || this.assumed('lateContact').accepted;
  }

  /** Connects a secondary that has no connection, if it is up. */
  connect(index: number): void {
    const cluster = this.cluster(index);
    const { role } = cluster;
    if (!this.isUp(index) || role.mode !== 'secondary' || role.link !== null || role.key === null) return;
    role.connection = 'connecting';
    for (const address of role.addrs) {
      const to = this.reach(index, address, role.set);
      if (to === undefined) continue;
      role.connection = 'transient_failure';
      const primary = this.cluster(to).role as Primary;
      if (!this.admits(primary, { set: role.set, id: role.id, key: role.key })) continue;
      this.#endById(to, role.id);
      primary.known[role.id]!.contact = 'connected';
      role.connection = 'ready';
      role.link = { to, phase: 'diff' };
      role.contact = { to: addressOf(to), ended: false };
      role.addrs = [addressOf(to)];
      cluster.streamed = false;
      cluster.complete = false;
      this.flow(index);
      return;
    }
  }

  /**
   * Delivers all data on its way to a secondary, unless it is held back.
   *
   * @param refilter whether all data is compared, because the filter was written
   */
  flow(index: number, refilter = false): void {
    const cluster = this.cluster(index);
    const role = cluster.role as Secondary;
    if (cluster.held || role.link === null) return;
    const { to, phase } = role.link;
    const { content, wal, role: primary } = this.cluster(to);
    const filtered = (primary as Primary).filters[role.id] !== undefined;
    const isSync = phase === 'diff' || refilter || filtered !== cluster.filtered;
    if (!isSync && cluster.applied === wal) return;
    cluster.content = { ...content };
    cluster.applied = wal;
    cluster.filtered = filtered;
    cluster.streamed = !isSync;
    role.bootstrapping = false;
    role.link = { to, phase: 'stream' };
  }

  /** Delivers all data of a primary to its secondaries. */
  flowFrom(primary: number): void {
    for (const index of this.#linkedTo(primary)) this.flow(index);
  }

  /** Records a write of a primary. */
  written(primary: number): void {
    this.cluster(primary).wal += 1;
    this.flowFrom(primary);
  }

  /** Tells a connected secondary that its filter has changed. */
  filterChanged(primary: number, id: string): void {
    for (const index of this.#linkedTo(primary)) {
      if ((this.cluster(index).role as Secondary).id === id) this.flow(index, true);
    }
  }

  /**
   * Ends the connection of a secondary.
   *
   * @param inOrder whether it ends because the primary gives up its role
   */
  end(index: number, inOrder = false): void {
    const cluster = this.cluster(index);
    const role = cluster.role as Secondary;
    if (role.link === null) return;
    const { to, phase } = role.link;
    const { wal, role: primary } = this.cluster(to);
    const known = (primary as Primary).known[role.id];
    if (known !== undefined) known.contact = 'disconnected';
    cluster.complete = inOrder && phase === 'stream' && cluster.applied >= wal;
    role.link = null;
    role.connection = 'transient_failure';
    role.contact = role.contact && { ...role.contact, ended: true };
  }

  #endById(primary: number, id: string): void {
    for (const index of this.#linkedTo(primary))
      if ((this.cluster(index).role as Secondary).id === id) this.end(index);
  }

  /** Ends the connection of the secondary with an id. */
  hangUp(primary: number, id: string): void {
    this.#endById(primary, id);
  }

  disconnect(index: number): void {
    this.end(index);
    (this.cluster(index).role as Secondary).connection = 'idle';
  }

  resign(primary: number): void {
    for (const index of this.#linkedTo(primary)) this.end(index, true);
  }

  /** Breaks all connections of a cluster, or those with one other cluster. */
  lose(index: number, other?: number): void {
    const { role } = this.cluster(index);
    if (role.mode === 'primary') {
      for (const each of this.#linkedTo(index)) if (other === undefined || each === other) this.end(each);
    } else if (role.mode === 'secondary' && role.link !== null) {
      if (other === undefined || role.link.to === other) this.end(index);
    }
  }

  interrupt(index: number): void {
    this.lose(index);
    this.cluster(index).busy = true;
  }

  /** Lets all clusters without a connection try to connect. */
  wake(): void {
    this.world.clusters.forEach((_, index) => this.connect(index));
  }

  /** Erases a cluster that becomes a secondary. */
  wipe(index: number): void {
    const cluster = this.cluster(index);
    if (this.assumed('clusterIdAfterJoin').renewed) cluster.identity = fresh('i');
    cluster.content = newContent();
    cluster.promotion = null;
    cluster.logins = 0;
    this.startOver(cluster);
  }

  /** Ends the role of a secondary: its data no longer contains what its filter withheld. */
  endSecondary(index: number): void {
    this.disconnect(index);
    const { filtered, content } = this.cluster(index);
    if (filtered) content.filterable = false;
    this.cluster(index).filtered = false;
  }

  startOver(cluster: Cluster): void {
    cluster.filtered = false;
    cluster.applied = 0;
    cluster.complete = false;
  }

  #linkedTo(primary: number): readonly number[] {
    return this.world.clusters.flatMap(({ role }, index) =>
      role.mode === 'secondary' && role.link?.to === primary ? [index] : [],
    );
  }
}

export function pair(a: number, b: number): string {
  return a < b ? `${a}-${b}` : `${b}-${a}`;
}
