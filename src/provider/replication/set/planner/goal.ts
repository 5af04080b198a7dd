import { normalizeFilterPath, sameFilterPaths } from '../../../../model';
import type { Filter } from './facts';

/** The wanted replication set. */
export interface WantedSet {
  /** The wanted primary. */
  readonly primary: string;
  /** The wanted secondaries, by name. */
  readonly secondaries: Readonly<Record<string, WantedSecondary>>;
  /** Whether force_promotion names the primary, so that it may be promoted with a loss of data. */
  readonly forced: boolean;
  /** Clusters that are gone for good: the plan does not wait for them. */
  readonly abandoned: readonly string[];
  /**
   * The cluster address that the primary gives to its secondaries. Absent: the address of its
   * server.
   */
  readonly address?: string;
}

export interface WantedSecondary {
  readonly id: string;
  /** The paths filter; null if the secondary receives everything. */
  readonly filter: Filter | null;
  /**
   * Whether confirm_data_loss confirms the loss of all data of the cluster. `used`: an earlier join
   * used the confirmation, so it does not cover data that the cluster has received since.
   */
  readonly dataLoss: 'confirmed' | 'used' | 'unconfirmed';
}

/** The earlier state of the set in Terraform. */
export interface KnownSet {
  /** The last known primary. */
  readonly primary: string;
  readonly clusterId: string;
  /** The ids of the secondaries, by cluster name. */
  readonly ids: Readonly<Record<string, string>>;
  /** The paths filters of the secondaries, by cluster name. */
  readonly filters: Readonly<Record<string, Filter | null>>;
  /** The earlier ids of members that are not revoked yet. */
  readonly leftIds?: readonly string[];
  /** Secondary ids that the primary listed at the last refresh and that no member has. */
  readonly unlisted?: readonly string[];
  /** Primaries of the set that did not answer when another cluster took over. */
  readonly lost?: readonly string[];
}

/** The wanted set and the known set: a plan leads from the known set to the wanted set. */
export interface Goal {
  readonly wanted: WantedSet;
  /** The known set; absent while the set is being created. */
  readonly known?: KnownSet;
}

/** Returns the clusters of a set: its primary, and then its secondaries. */
export function clustersIn({
  primary,
  secondaries,
}: {
  readonly primary: string;
  readonly secondaries: object | null;
}): readonly string[] {
  return [primary, ...Object.keys(secondaries ?? {})];
}

/** Returns the last known primary and the known secondaries. */
export function knownMembers({ primary, ids }: KnownSet): readonly string[] {
  return [...new Set([primary, ...Object.keys(ids)])];
}

/** Returns the former members that are no longer wanted. */
export function formerMembers({ wanted, known }: Goal): readonly string[] {
  if (!known) return [];
  return knownMembers(known).filter((name) => !isWanted(wanted, name));
}

/** Returns the ids of issued tokens that no secondary is to have any more. */
export function formerIds({ wanted, known }: Goal): readonly string[] {
  const ids = new Set(Object.values(wanted.secondaries).map(({ id }) => id));
  return [...new Set(Object.values(known?.ids ?? {}))].filter((id) => !ids.has(id));
}

/** Returns all clusters of a plan. */
export function membersOf(goal: Goal): readonly string[] {
  return [...clustersIn(goal.wanted), ...formerMembers(goal)];
}

/** Returns the path of a cluster in the configuration, if it has one. */
export function pathOf(goal: Goal, name: string): readonly string[] {
  if (name === goal.wanted.primary) return ['primary'];
  return formerMembers(goal).includes(name) ? [] : ['secondaries', name];
}

/** Returns abandoned and lost clusters, which are no longer members and may come back. */
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
  // A filter that withholds nothing has the same effect as no filter, and some servers return one
  // in place of the other.
  if (!withholds(a) || !withholds(b)) return withholds(a) === withholds(b);
  return a.mode === b.mode && sameFilterPaths(a.paths, b.paths);
}

/** Whether a secondary with this filter lacks data of its primary. */
export function withholds(filter: Filter | null | undefined): filter is Filter {
  return !!filter && !(filter.mode === 'deny' && filter.paths.length === 0);
}

/**
 * Whether a secondary with this filter receives a mount such as `auth/approle/`, with its namespace
 * before it.
 */
export function receivesMount(filter: Filter | null, mount: string): boolean {
  if (filter === null) return true;
  const path = normalizeFilterPath(mount);
  const listed = filter.paths.some((each) => path.startsWith(normalizeFilterPath(each)));
  return filter.mode === 'deny' ? !listed : listed;
}
