import type { SnapshotHealth, SnapshotStatus } from '../../model';
import type { ClusterView } from '../cluster-view';
import type { ClusterProblem } from '../find-problems';
import { pictureOfClusters } from '../picture/clusters';
import { svgOfShape } from '../picture/svg';
import { visible } from '../../text/visible';
import type { Distances } from './distances';

/** The result of a test signature with a managed key. */
export interface KeyTest {
  readonly cluster: string;
  /** The type and name, with the namespace: `pkcs11/signing`. */
  readonly name: string;
  /** The time of the test in milliseconds since 1970; absent without a test. */
  readonly testedAt?: number;
  /** The reason why the key does not sign. */
  readonly error?: string;
}

export interface SnapshotState {
  readonly cluster: string;
  readonly name: string;
  /** `ok`, `waiting`, `failing` or `overdue`. */
  readonly state: string;
  /** The time of the last success in milliseconds since 1970; absent without one. */
  readonly lastAt?: number;
  readonly url?: string;
  /** The size of the snapshot; absent if unknown: servers do not report it. */
  readonly bytes?: number;
}

/** The status and health of a configuration of automated snapshots. */
interface KnownSnapshots {
  readonly name: string;
  readonly status: SnapshotStatus;
  readonly health: SnapshotHealth;
}

/** Returns the state of a configuration of automated snapshots for the page. */
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

/** The content of the status page. */
interface Shown {
  /** The time in milliseconds since 1970. */
  readonly time: number;
  readonly clusters: readonly ClusterView[];
  readonly problems: readonly ClusterProblem[];
  readonly keys: readonly KeyTest[];
  readonly snapshots: readonly SnapshotState[];
  readonly distances: Distances;
}

/** Returns the data of the status page as JSON. */
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

/** Returns a value of JSON with all texts converted by {@link visible}. */
export function visibleIn<T extends object>(value: T): T {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string' ? visible(member) : member,
  );
  return JSON.parse(text) as T;
}
