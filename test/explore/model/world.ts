/**
 * The abstract clusters: everything that replication keeps of a cluster, and nothing of its nodes,
 * its version or its TLS. A world is plain JSON. Names that servers invent (ids of sets, keys) are
 * atoms, see {@link fresh}.
 */
import type { ConnectionState } from '../../../src/model';

/** A name that a server has invented: `§` with a letter for its kind, and a number. */
export type Atom = string;

type AtomKind =
  | 'i' // the identity of a cluster
  | 's' // a replication set
  | 'k' // a key, public and private half alike
  | 'b'; // content that nobody has marked

/**
 * Returns a new atom of a kind. All new atoms of a kind in one step are the same until {@link
 * renamed} numbers them.
 */
export function fresh(kind: AtomKind): Atom {
  return `§${kind}!`;
}

/** The notes through which processes communicate. */
export type NoteKind = 'announcement' | 'takeover' | 'promotion';

/** The replicated data of a cluster. */
export interface Content {
  /** All data that is not listed here: equal for clusters that have the same data. */
  base: Atom;
  /** Whether the operator can log in, and whether the store of marked writes is mounted. */
  operator: boolean;
  store: boolean;
  /** Whether data exists that filters withhold. */
  filterable: boolean;
  /** The marked writes, in order. */
  marks: number[];
  /** The texts of the notes that all clusters of a set receive, by {@link NoteKind}. */
  notes: Record<string, string>;
}

export type Filter = 'deny' | 'allow';

export interface Disabled {
  mode: 'disabled';
}

export interface Primary {
  mode: 'primary';
  set: Atom;
  /** The address for secondaries; empty for the cluster's own. */
  addr: string;
  /** The id that it had as a secondary. */
  former: string;
  known: Record<string, KnownSecondary>;
  filters: Record<string, Filter>;
}

export interface KnownSecondary {
  key: Atom;
  expired: boolean;
  contact: 'never' | 'connected' | 'disconnected';
}

export interface Secondary {
  mode: 'secondary';
  set: Atom;
  id: string;
  addr: string;
  addrs: string[];
  /** The key in its activation token; null if it has no primary. */
  key: Atom | null;
  bootstrapping: boolean;
  /** The last primary with a connection, and whether that connection has ended. */
  contact: { to: string; ended: boolean } | null;
  link: Link | null;
  connection: ConnectionState;
}

/** The state of a secondary's connection: it compares data, or follows the log. */
export interface Link {
  to: number;
  phase: 'diff' | 'stream';
}

export interface Cluster {
  identity: Atom;
  role: Disabled | Primary | Secondary;
  content: Content;
  /** The text of the note that only this cluster has, in a local secrets engine. */
  promotion: string | null;
  /** Whether it is unavailable after a change of mode or a start. */
  busy: boolean;
  sealed: boolean;
  /** Whether data on its way to this cluster is held back. */
  held: boolean;
  /** The processes whose logins are valid, as a set of bits. */
  logins: number;
  /** The private half of its latest public key, until it is used. */
  key: Atom | null;
  /**
   * The numbers of its own last write as a primary, and of the last received write of its primary.
   */
  wal: number;
  applied: number;
  /** Whether its primary gave up its role when this cluster had received all writes. */
  complete: boolean;
  /** Whether its latest sync had a filter. */
  filtered: boolean;
  /** Whether a write of a primary has arrived since the latest sync, or start. */
  streamed: boolean;
}

export interface World {
  clusters: Cluster[];
  /** Pairs of clusters that do not reach each other, such as `0-1`. */
  cuts: string[];
  /** The cluster to which each address leads a process. */
  at: number[];
  /** The addresses that do not answer processes. */
  silent: number[];
}

/** The address of a cluster for other clusters. */
export function addressOf(cluster: number): string {
  return `c${cluster}`;
}

export function newContent(changes: Partial<Content> = {}): Content {
  return {
    base: fresh('b'),
    operator: false,
    store: false,
    filterable: false,
    marks: [],
    notes: {},
    ...changes,
  };
}

export function newCluster(changes: Partial<Cluster> = {}): Cluster {
  return {
    identity: fresh('i'),
    role: { mode: 'disabled' },
    content: newContent({ operator: true, store: true }),
    promotion: null,
    busy: false,
    sealed: false,
    held: false,
    logins: 0,
    key: null,
    wal: 0,
    applied: 0,
    complete: false,
    filtered: false,
    streamed: false,
    ...changes,
  };
}

/** Returns clusters without replication, each with a write of its own: the mark with its number. */
export function newWorld(size: number): World {
  const clusters = Array.from({ length: size }, (_, index) =>
    newCluster({
      identity: `§i${index}`,
      content: newContent({ base: `§b${index}`, operator: true, store: true, marks: [index] }),
    }),
  );
  return { clusters, cuts: [], at: clusters.map((_, index) => index), silent: [] };
}

/** Returns the digest that a cluster shows of its data: equal texts for equal data. */
export function rootOf({ content, filtered }: Cluster, ownIfFiltered: boolean): string {
  const { base, operator, store, filterable, marks, notes } = content;
  const isOwn = filtered && ownIfFiltered;
  return JSON.stringify([base, operator, store, filterable && !isOwn, marks, sorted(notes), isOwn]);
}

export function copyOf(world: World): World {
  return JSON.parse(JSON.stringify(world)) as World;
}

/**
 * Normalizes a world: positions become ranks within their set, and values that the role of a
 * cluster does not use are removed. Changes its argument.
 */
export function normalized(world: World): World {
  const positions = new Map<Atom, Set<number>>();
  const note = (set: Atom, ...values: number[]) => {
    const known = positions.get(set) ?? new Set([0]);
    values.forEach((value) => known.add(value));
    positions.set(set, known);
  };
  for (const cluster of world.clusters) {
    const { role } = cluster;
    cluster.content.notes = sorted(cluster.content.notes);
    if (role.mode !== 'secondary') {
      cluster.applied = 0;
      cluster.complete = false;
      cluster.filtered = false;
    }
    if (role.mode === 'disabled') cluster.wal = Math.min(cluster.wal, 1);
    else note(role.set, cluster.wal, cluster.applied);
    if (role.mode === 'secondary' && role.link !== null) cluster.complete = false;
    if (role.mode === 'primary') {
      role.known = sorted(role.known);
      role.filters = sorted(role.filters);
    }
  }
  const ranks = new Map([...positions].map(([set, values]) => [set, [...values].sort((a, b) => a - b)]));
  for (const cluster of world.clusters) {
    if (cluster.role.mode === 'disabled') continue;
    const ranked = ranks.get(cluster.role.set)!;
    cluster.wal = ranked.indexOf(cluster.wal);
    cluster.applied = ranked.indexOf(cluster.applied);
  }
  world.cuts.sort();
  world.silent.sort();
  return world;
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An atom in a text. */
export const ATOM = /§[a-z](?:\d+|!)/g;

/** Returns a text with its atoms numbered by their first use. */
export function renamed(text: string): string {
  const numbers = numbersOf(text.match(ATOM) ?? []);
  return text.replace(ATOM, (atom) => numbers.get(atom)!);
}

/** Returns the atom of its kind and number for each of some atoms. */
export function numbersOf(atoms: readonly Atom[]): ReadonlyMap<Atom, Atom> {
  const names = new Map<Atom, Atom>();
  const counts: Record<string, number> = {};
  for (const atom of atoms) {
    if (names.has(atom)) continue;
    const kind = atom.slice(0, 2);
    const count = counts[kind] ?? 0;
    counts[kind] = count + 1;
    names.set(atom, `${kind}${count}`);
  }
  return names;
}

/** Returns a value in which new atoms have a number. */
export function withNumbers<T>(value: T, number: number): T {
  return JSON.parse(JSON.stringify(value).replace(/(§[a-z])!/g, `$1${number}`)) as T;
}
