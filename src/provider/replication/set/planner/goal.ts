import { normalizeFilterPath, sameFilterPaths } from '../../../../model';
import type { Filter } from './facts';

/** A replication set as it is wanted. */
export interface WantedSet {
  /** The cluster that is to be the primary. */
  readonly primary: string;
  /** The clusters that are to be its secondaries, by name. */
  readonly secondaries: Readonly<Record<string, WantedSecondary>>;
  /** Whether the primary may be promoted although data may be lost by it: its name was given for that. */
  readonly forced: boolean;
  /** Clusters that are gone for good: they are not asked to leave. */
  readonly abandoned: readonly string[];
  /** The cluster address that the primary is to give to its secondaries. Absent: that of its server. */
  readonly address?: string;
}

export interface WantedSecondary {
  readonly id: string;
  /** Null: it gets everything. */
  readonly filter: Filter | null;
  /**
   * Whether the loss of all data of the cluster was confirmed by its name. `used`: the confirmation
   * was for an earlier join, and does not cover data since it left.
   */
  readonly dataLoss: 'confirmed' | 'used' | 'unconfirmed';
}

/** The earlier state of the set, as Terraform knows it. */
export interface KnownSet {
  /** The primary that was seen last. */
  readonly primary: string;
  readonly clusterId: string;
  /** The ids of the secondaries, by the clusters' names. */
  readonly ids: Readonly<Record<string, string>>;
  /** Their paths filters, by the clusters' names. */
  readonly filters: Readonly<Record<string, Filter | null>>;
  /** Ids that members had before their present ones, and that are not revoked yet. */
  readonly leftIds?: readonly string[];
  /** Secondary ids that the primary listed when it was seen last, and that no member has. */
  readonly unlisted?: readonly string[];
  /** Primaries of the set that did not answer when another cluster took over. */
  readonly lost?: readonly string[];
}

/** The wanted set and the known one, for which a plan is made. */
export interface Goal {
  readonly wanted: WantedSet;
  /** Absent while the set is being created. */
  readonly known?: KnownSet;
}

/** The primary that was seen last, and the secondaries that Terraform knows. */
export function knownMembers({ primary, ids }: KnownSet): readonly string[] {
  return [...new Set([primary, ...Object.keys(ids)])];
}

/** The clusters that were in the set and are not wanted in it any more. */
export function formerMembers({ wanted, known }: Goal): readonly string[] {
  if (!known) return [];
  return knownMembers(known).filter((name) => !isWanted(wanted, name));
}

/** The ids that this set issued tokens for, and that no secondary is to have any more. */
export function formerIds({ wanted, known }: Goal): readonly string[] {
  const ids = new Set(Object.values(wanted.secondaries).map(({ id }) => id));
  return [...new Set(Object.values(known?.ids ?? {}))].filter((id) => !ids.has(id));
}

/** All clusters that a plan is about. */
export function membersOf(goal: Goal): readonly string[] {
  const { primary, secondaries } = goal.wanted;
  return [primary, ...Object.keys(secondaries), ...formerMembers(goal)];
}

/** Abandoned and lost clusters, which are not members any more: they may come back. */
export function watchedBy(goal: Goal): readonly string[] {
  const members = membersOf(goal);
  return watchedOf(members, goal.wanted.abandoned, goal.known);
}

export function watchedOf(
  members: readonly string[],
  abandoned: readonly string[],
  known?: KnownSet,
): readonly string[] {
  return [...new Set([...abandoned, ...(known?.lost ?? [])])].filter((name) => !members.includes(name));
}

function isWanted({ primary, secondaries }: WantedSet, name: string): boolean {
  return name === primary || Object.hasOwn(secondaries, name);
}

export function sameFilter(a: Filter | null, b: Filter | null): boolean {
  // A filter that excludes nothing has the same effect as none. Some servers return one for the other.
  if (!withholds(a) || !withholds(b)) return withholds(a) === withholds(b);
  return a.mode === b.mode && sameFilterPaths(a.paths, b.paths);
}

/** Whether a secondary with this filter lacks something that its primary has. */
export function withholds(filter: Filter | null | undefined): filter is Filter {
  return !!filter && !(filter.mode === 'deny' && filter.paths.length === 0);
}

/** Whether a secondary with this filter gets a mount: `auth/approle/`, with its namespace before it. */
export function receivesMount(filter: Filter | null, mount: string): boolean {
  if (filter === null) return true;
  const path = normalizeFilterPath(mount);
  const listed = filter.paths.some((each) => path.startsWith(normalizeFilterPath(each)));
  return filter.mode === 'deny' ? !listed : listed;
}
