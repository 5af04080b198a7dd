import type { Style } from '../output/style';
import type { ClusterState } from './cluster-state';
import { lackingLines } from './lacking';
import { OBJECTS } from './objects';
import { own } from '../../text/own';
import type { ClusterProblem } from '../../view/find-problems';
import { lastWal, primaryOf } from '../../view/replication';

const NO_TOKEN = 'no token is given, so only replication was read';

/**
 * Returns the states of clusters for people: one block for each cluster, and the problems at the
 * end.
 */
export function renderStatus(
  clusters: readonly ClusterState[],
  problems: readonly ClusterProblem[],
  style: Style,
): readonly string[] {
  const blocks = clusters.flatMap((cluster) => block(cluster, clusters, style));
  const failures = clusters.flatMap(({ name, failures: each }) =>
    each.map(({ subject, message }) => style.doubtful(`? ${name}: ${subject}: ${message}`)),
  );
  const wrong = problems.map(({ cluster, text }) =>
    style.bad(`! ${cluster === undefined ? '' : `${cluster}: `}${text}`),
  );
  const verdict =
    wrong.length === 0 && failures.length === 0 ? [style.good('all is well')] : [...wrong, ...failures];
  return [...blocks, ...verdict];
}

function block(cluster: ClusterState, clusters: readonly ClusterState[], style: Style): readonly string[] {
  const { name, address, version } = cluster;
  const title = `${style.strong(name)}  ${style.faint([address, version].filter(Boolean).join('  '))}`;
  const lines = [
    ...replicationLines(cluster, clusters),
    ...OBJECTS.flatMap((kind) => kind.lines(cluster)),
    ...lackingLines(cluster.lacking ?? []),
    ...(cluster.authenticated === false ? [style.faint(NO_TOKEN)] : []),
  ];
  return [title, ...lines.map((line) => `  ${line}`), ''];
}

function replicationLines(cluster: ClusterState, clusters: readonly ClusterState[]): readonly string[] {
  const { sealed, replication: status, paths_filters: filters } = cluster;
  if (sealed) return ['sealed'];
  if (!status) return [];
  switch (status.mode) {
    case 'primary':
      return [
        `primary of set ${status.cluster_id}, ${status.state}, WAL ${lastWal(status)}`,
        ...status.known_secondaries.map((id) => {
          const connection = status.secondaries.find((each) => each.node_id === id)?.connection_status;
          const filter = filters && `, ${filterText(own(filters, id))}`;
          return `secondary ${id}: ${connection ?? 'never connected'}${filter ?? ''}`;
        }),
      ];
    case 'secondary': {
      const primary = primaryOf(cluster, clusters);
      const distance = primary ? ` of ${lastWal(primary)}` : '';
      return [
        `secondary ${status.secondary_id} of set ${status.cluster_id}, ${status.state}, ` +
          `connection ${status.connection_state ?? 'unknown'}, WAL ${status.last_remote_wal ?? 0}${distance}`,
      ];
    }
    default:
      return [`replication ${status.mode}`];
  }
}

function filterText(filter: { readonly mode: string; readonly paths: readonly string[] } | null | undefined) {
  return filter ? `paths filter: ${filter.mode} ${filter.paths.join(', ')}` : 'no paths filter';
}
