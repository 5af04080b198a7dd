import { problemsOfCluster, problemsOfSets, type ClusterProblem } from '../../view/find-problems';
import type { ClusterState } from './cluster-state';
import { OBJECTS } from './objects';

/**
 * Returns the problems of clusters, according to their states.
 *
 * @param maxWalDistance the maximum number of entries of the primary's log that a streaming
 *   secondary may lack.
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
