import { Distances } from '../../../view/page/distances';
import { keyTitle } from '../../../view/messages';
import { pageState, snapshotState, type KeyTest, type SnapshotState } from '../../../view/page/page-state';
import { withoutSecretsIn } from '../../output/secrets';
import type { ClusterState } from '../cluster-state';
import { problemsOf } from '../find-problems';

type Keys = NonNullable<ClusterState['managed_keys']>;

/** The milliseconds between two tests of the keys: each test costs a signature. */
const KEY_TEST_PAUSE = 3_600_000;

/** The readings of clusters for the status page. */
export class Readings {
  readonly #distances = new Distances();
  readonly #maxWalDistance: number;
  /** The keys with the results of the last test, by cluster. */
  #tested: ReadonlyMap<string, Keys> = new Map();
  #testedAt = -Infinity;
  #state: object = {};

  constructor(maxWalDistance: number) {
    this.#maxWalDistance = maxWalDistance;
  }

  /** The data of the page. Empty until the clusters were read. */
  get state(): object {
    return this.#state;
  }

  /** Whether the keys are to be tested again. */
  keysAreDue(now: number): boolean {
    return now - this.#testedAt >= KEY_TEST_PAUSE;
  }

  /** @param isTested whether the keys were tested with this reading. */
  add(time: number, read: readonly ClusterState[], isTested: boolean): void {
    if (isTested) {
      this.#testedAt = time;
      this.#tested = new Map(read.map(({ name, managed_keys = [] }) => [name, managed_keys]));
    }
    const clusters = read.map((cluster) => this.#withTests(cluster));
    const problems = problemsOf(clusters, this.#maxWalDistance);
    this.#distances.add(time, clusters);
    const shown = withoutSecretsIn({
      clusters,
      problems,
      keys: clusters.flatMap((cluster) => keysOf(cluster, this.#testedAt)),
      snapshots: clusters.flatMap(snapshotsOf),
    });
    this.#state = pageState({ time, distances: this.#distances, ...shown });
  }

  /** Adds the results of the last test, which are shown until the next one. */
  #withTests(cluster: ClusterState): ClusterState {
    const { name, managed_keys: keys } = cluster;
    const tested = this.#tested.get(name);
    if (!keys || !tested) return cluster;
    const managed_keys = keys.map(
      (key) =>
        tested.find(
          (each) => each.namespace === key.namespace && each.type === key.type && each.name === key.name,
        ) ?? key,
    );
    return { ...cluster, managed_keys };
  }
}

function keysOf(
  { name: cluster, managed_keys: keys = [] }: ClusterState,
  testedAt: number,
): readonly KeyTest[] {
  return keys.map(({ namespace, type, name, test_sign_error: error }) => ({
    cluster,
    name: keyTitle(`${type}/${name}`, namespace),
    ...(error !== undefined && { testedAt }),
    ...(typeof error === 'string' && { error }),
  }));
}

function snapshotsOf({ name, auto_snapshots: snapshots = [] }: ClusterState): readonly SnapshotState[] {
  return snapshots.map((each) => snapshotState(name, each));
}
