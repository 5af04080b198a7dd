import { problemsOfCluster, problemsOfSets, type ClusterProblem } from '../../view/find-problems';
import type { ClusterState } from './cluster-state';
import { OBJECTS } from './objects';

/**
 * Returns what is wrong with clusters, according to their states.
 *
 * @param maxWalDistance how many entries of the primary's log a secondary that streams may lack.
 */
export function problemsOf(
  clusters: readonly ClusterState[],
  maxWalDistance: number,
): readonly ClusterProblem[] {
  return [
    ...problemsOfSets(clusters),
    ...clusters.flatMap((cluster) =>
      [
        ...problemsOfCluster(cluster, clusters, maxWalDistance),
        ...OBJECTS.flatMap((kind) => kind.problems(cluster)),
      ].map((text) => ({ cluster: cluster.name, text })),
    ),
  ];
}
