import type { SnapshotHealth, SnapshotStatus } from '../../model';
import type { ClusterView } from '../cluster-view';
import type { Problem } from '../find-problems';
import { pictureOfClusters } from '../picture/clusters';
import { svgOfShape } from '../picture/svg';
import { visible } from '../../text/visible';
import type { Distances } from './distances';

/** Whether a managed key signed test data. */
export interface KeyTest {
  readonly cluster: string;
  /** `pkcs11/signing`, with its namespace. */
  readonly name: string;
  /** Milliseconds since 1970. Absent if it was not tested. */
  readonly testedAt?: number;
  /** Why it does not sign. */
  readonly error?: string;
}

export interface SnapshotState {
  readonly cluster: string;
  readonly name: string;
  /** `ok`, `waiting`, `failing` or `overdue`. */
  readonly state: string;
  /** When the last one succeeded, in milliseconds since 1970. Absent: never. */
  readonly lastAt?: number;
  readonly url?: string;
  /** Its size. Absent if unknown: servers do not report it. */
  readonly bytes?: number;
}

/** What is known of a configuration of automated snapshots. */
interface KnownSnapshots {
  readonly name: string;
  readonly status: SnapshotStatus;
  readonly health: SnapshotHealth;
}

/** What the page shows of a configuration of automated snapshots. */
export function snapshotState(
  cluster: string,
  { name, status: { last_snapshot_end: end, last_snapshot_url: url }, health }: KnownSnapshots,
): SnapshotState {
  return {
    cluster,
    name,
    state: health.state,
    ...(end !== undefined && { lastAt: Date.parse(end) }),
    ...(url && { url }),
  };
}

/** What the status page shows. */
interface Shown {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly clusters: readonly ClusterView[];
  readonly problems: readonly Problem[];
  readonly keys: readonly KeyTest[];
  readonly snapshots: readonly SnapshotState[];
  readonly distances: Distances;
}

/** Returns what the status page loads, as JSON. */
export function pageState({ time, clusters, problems, keys, snapshots, distances }: Shown): object {
  const picture = pictureOfClusters(clusters, problems);
  const failures = clusters.flatMap(({ name, failures: each }) =>
    each.map((failure) => ({ cluster: name, ...failure })),
  );
  return {
    time,
    pictures: { wide: svgOfShape(picture, 'wide'), narrow: svgOfShape(picture, 'narrow') },
    ...visibleIn({ problems, failures, keys, snapshots, distances: distances.table() }),
  };
}

/** Returns a value of JSON whose texts are as {@link visible} shows them. */
export function visibleIn<T extends object>(value: T): T {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? visible(member) : member,
  );
  return JSON.parse(text) as T;
}
