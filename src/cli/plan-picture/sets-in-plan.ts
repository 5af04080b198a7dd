import { isRecord, type JsonRecord } from '../../text';
import { textOf } from '../plan/values';

/** A replication set before the apply, or as it is planned. */
export interface SetView {
  readonly primary: string;
  /** The secondaries by the names of their clusters. */
  readonly secondaries: Readonly<Record<string, SecondaryView>>;
  /** The known modes of clusters: `primary`, `secondary`, `disabled`. */
  readonly members: Readonly<Record<string, string>>;
}

interface SecondaryView {
  /** The secondary id; empty if it is known only after the apply. */
  readonly id: string;
  /**
   * The paths filter; null if the secondary receives everything. Absent if the filter is known only
   * after the apply.
   */
  readonly filter?: { readonly mode: string; readonly paths: readonly string[] } | null;
}

/** The change of a replication set in a plan. */
export interface PlannedSet {
  /** The address of its resource. */
  readonly address: string;
  /** The set before the apply. Absent if the set is created. */
  readonly before?: SetView;
  /** The texts of the steps. Absent if the plan does not contain them. */
  readonly steps?: readonly string[];
  /** The set after the apply. Absent if it is destroyed, or no longer managed. */
  readonly after?: SetView;
  readonly isForgotten: boolean;
}

/** Shown in place of values that the configuration declares sensitive. */
const SENSITIVE = '(sensitive)';

/**
 * Returns the performance replication sets that a plan changes.
 *
 * @param changes the result of `changesInPlan`.
 */
export function setsIn(changes: readonly JsonRecord[]): readonly PlannedSet[] {
  return changes
    .filter(({ mode, type }) => mode === 'managed' && type === 'vaultadmin_perf_replication_set')
    .flatMap(({ address, change }) => (isRecord(change) ? plannedSet(textOf(address), change) : []));
}

function plannedSet(address: string, change: JsonRecord): readonly PlannedSet[] {
  const { actions, before_sensitive: hiddenBefore, after_sensitive: hiddenAfter } = change;
  const action = String(actions);
  if (action === 'no-op' || action === 'read') return [];
  const before = masked(change['before'], hiddenBefore);
  const after = masked(change['after'], hiddenAfter);
  return [
    {
      address,
      ...(isRecord(before) && { before: setView(before) }),
      ...(isRecord(after) && Array.isArray(after['steps']) && { steps: after['steps'].map(textOf) }),
      ...(isRecord(after) && { after: setView(after) }),
      isForgotten: action === 'forget',
    },
  ];
}

/** Replaces the values that the plan marks as sensitive. */
function masked(value: unknown, marks: unknown): unknown {
  if (marks === true) return SENSITIVE;
  if (Array.isArray(value)) {
    return Array.isArray(marks) ? value.map((each, index) => masked(each, marks[index])) : value;
  }
  if (!isRecord(value) || !isRecord(marks)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, masked(each, marks[key])]));
}

function setView({ primary, secondaries, members }: JsonRecord): SetView {
  const entries = isRecord(secondaries) ? Object.entries(secondaries) : [];
  return {
    primary: textOf(primary),
    secondaries: Object.fromEntries(entries.map(([name, each]) => [name, secondaryView(each)])),
    members: isRecord(members)
      ? Object.fromEntries(Object.entries(members).map(([name, mode]) => [name, textOf(mode)]))
      : {},
  };
}

function secondaryView(value: unknown): SecondaryView {
  const { id, everything, paths_filter: filter } = isRecord(value) ? value : {};
  if (everything === true) return { id: textOf(id), filter: null };
  if (!isRecord(filter)) return { id: textOf(id) };
  const { mode, paths } = filter;
  return {
    id: textOf(id),
    filter: { mode: textOf(mode), paths: Array.isArray(paths) ? paths.map(textOf) : [] },
  };
}
