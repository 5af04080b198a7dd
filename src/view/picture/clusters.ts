import {
  isStreaming,
  type ReplicationPrimaryStatus,
  type ReplicationSecondaryStatus,
  type ReplicationStatus,
} from '../../model/replication/status';
import { own } from '../../text/own';
import type { ClusterView, FilterView } from '../cluster-view';
import type { ClusterProblem } from '../find-problems';
import { lastWal, primaryOf, setOf, walDistance } from '../replication';
import { wrapped } from './lines';
import type { Arrow, Box, BoxGroup, Line, Picture, Tone } from './picture';

/** The maximum number of paths of a filter that are shown. */
const MOST_PATHS = 3;

/**
 * Draws clusters: each replication set with its primary, its secondaries and their filters, and
 * clusters without one.
 */
export function pictureOfClusters(
  clusters: readonly ClusterView[],
  problems: readonly ClusterProblem[],
): Picture {
  const all = clusters.map((cluster, index): Placed => ({ cluster, id: `c${index + 1}` }));
  const ids = [...new Set(clusters.flatMap(({ replication }) => setOf(replication) ?? []))].sort();
  const sets = ids.map((id, index) => groupOfSet(id, `s${index + 1}`, all, problems));
  const drawn = sets.flatMap(({ boxes }) => boxes.map(({ id }) => id));
  const others = all.filter(({ id }) => !drawn.includes(id));
  return {
    title: `Replication of ${clusters.map(({ name }) => name).join(', ')}`,
    groups: [
      ...sets,
      ...(others.length === 0
        ? []
        : [
            {
              title: 'In no replication set, or state unknown',
              boxes: others.map((each) => boxOf(each, all, problems)),
              arrows: [],
            },
          ]),
    ],
  };
}

interface Placed {
  readonly cluster: ClusterView;
  /** The id of the box of the cluster. */
  readonly id: string;
}

type PlacedAs<Status> = Placed & { readonly status: Status };

function groupOfSet(
  set: string,
  id: string,
  all: readonly Placed[],
  problems: readonly ClusterProblem[],
): BoxGroup {
  const members = all.filter(({ cluster }) => setOf(cluster.replication) === set);
  const primaries = withMode(members, 'primary');
  const secondaries = withMode(members, 'secondary');
  const unseen = primaries.flatMap((primary, p) =>
    primary.status.known_secondaries
      .filter((known) => !secondaries.some(({ status }) => status.secondary_id === known))
      .map((known, s) => unseenSecondary(`${id}_p${p + 1}_${s + 1}`, known, primary)),
  );
  const lost = primaries.length === 0 ? [unseenPrimary(`${id}_p`, secondaries, all, problems)] : [];
  return {
    title: `Replication set ${set}`,
    boxes: [
      ...lost.map(({ box }) => box),
      ...[...primaries, ...secondaries].map((each) => boxOf(each, all, problems)),
      ...unseen.map(({ box }) => box),
    ],
    arrows: [
      ...lost.flatMap(({ arrows }) => arrows),
      ...primaries.flatMap((primary) => secondaries.flatMap((each) => arrowBetween(primary, each))),
      ...unseen.map(({ arrow }) => arrow),
    ],
  };
}

function withMode<Mode extends 'primary' | 'secondary'>(
  members: readonly Placed[],
  mode: Mode,
): readonly PlacedAs<Extract<ReplicationStatus, { readonly mode: Mode }>>[] {
  return members.flatMap((each) => {
    const { replication: status } = each.cluster;
    return status && hasMode(status, mode) ? [{ ...each, status }] : [];
  });
}

function hasMode<Mode extends ReplicationStatus['mode']>(
  status: ReplicationStatus,
  mode: Mode,
): status is Extract<ReplicationStatus, { readonly mode: Mode }> {
  return status.mode === mode;
}

function boxOf({ cluster, id }: Placed, all: readonly Placed[], problems: readonly ClusterProblem[]): Box {
  const wrong = problems.filter((each) => each.cluster === cluster.name);
  const primary = primaryOf(
    cluster,
    all.map((each) => each.cluster),
  );
  return {
    id,
    title: cluster.name,
    tone: toneOf(cluster, wrong.length > 0),
    lines: [
      ...stateLines(cluster, primary, wrong.length > 0),
      ...wrong.flatMap(({ text }) => wrapped(text, { tone: 'bad' })),
      ...cluster.failures.flatMap(({ subject }) => wrapped(`not read: ${subject}`, { tone: 'doubtful' })),
      ...wrapped(cluster.address, { tone: 'faint' }),
      ...(cluster.version === undefined ? [] : wrapped(cluster.version, { tone: 'faint' })),
    ],
  };
}

function toneOf({ replication, failures }: ClusterView, isWrong: boolean): Tone {
  if (isWrong) return 'bad';
  if (failures.length > 0 || replication === undefined) return 'doubtful';
  return setOf(replication) === undefined ? 'plain' : 'good';
}

function stateLines(
  { sealed, replication: status }: ClusterView,
  primary: ReplicationPrimaryStatus | undefined,
  hasProblem: boolean,
): readonly Line[] {
  if (sealed) return hasProblem ? [] : wrapped('sealed');
  if (!status) return wrapped('state unknown');
  switch (status.mode) {
    case 'primary':
      return [...wrapped(`primary, ${status.state}`), ...wrapped(`WAL ${lastWal(status)}`)];
    case 'secondary':
      return [
        // The list of problems names the state and the connection already.
        ...wrapped(
          isStreaming(status) || !hasProblem
            ? `secondary, ${status.state}, connection ${status.connection_state ?? 'unknown'}`
            : 'secondary',
        ),
        ...wrapped(position(status, primary)),
      ];
    default:
      return wrapped(`replication ${status.mode}`);
  }
}

function position(status: ReplicationSecondaryStatus, primary: ReplicationPrimaryStatus | undefined): string {
  const { merkle_sync_progress: sync, last_remote_wal: wal = 0 } = status;
  if (sync) return `${sync.sync_progress ?? 0} of ${sync.sync_total_keys ?? '?'} keys copied`;
  if (!primary) return `WAL ${wal}`;
  const behind = walDistance(status, primary);
  return `WAL ${wal} of ${lastWal(primary)}${behind > 0 ? `, ${behind} behind` : ''}`;
}

function arrowBetween(
  primary: PlacedAs<ReplicationPrimaryStatus>,
  { id, status }: PlacedAs<ReplicationSecondaryStatus>,
): readonly Arrow[] {
  const { secondary_id: secondary } = status;
  if (!primary.status.known_secondaries.includes(secondary)) return [];
  return [{ from: primary.id, to: id, ...linkTo(secondary, primary) }];
}

/** Returns the primary's information about a secondary. */
function linkTo(
  secondary: string,
  { cluster, status }: PlacedAs<ReplicationPrimaryStatus>,
): Pick<Arrow, 'lines' | 'tone'> {
  const connection = status.secondaries.find((each) => each.node_id === secondary)?.connection_status;
  const { paths_filters: filters } = cluster;
  return {
    tone: connection === 'connected' ? 'good' : 'bad',
    lines: [
      ...(filters ? filterLines(own(filters, secondary)) : []),
      ...(connection === 'connected' ? [] : wrapped(connection ?? 'never connected', { tone: 'bad' })),
    ],
  };
}

/** Returns the lines that show which data a secondary receives. */
export function filterLines(filter: FilterView | null | undefined): readonly Line[] {
  if (!filter) return wrapped('everything');
  const { mode, paths } = filter;
  const rest = paths.length - MOST_PATHS;
  return [
    ...paths.slice(0, MOST_PATHS).flatMap((path) => wrapped(`${mode} ${path}`)),
    ...(rest > 0 ? wrapped(`and ${rest} more`) : []),
    ...(paths.length === 0 ? wrapped(`${mode} nothing`) : []),
  ];
}

function unseenSecondary(id: string, secondary: string, primary: PlacedAs<ReplicationPrimaryStatus>) {
  const connection = primary.status.secondaries.find((each) => each.node_id === secondary);
  const isConnected = connection?.connection_status === 'connected';
  const box: Box = {
    id,
    title: secondary,
    tone: isConnected ? 'plain' : 'bad',
    isReported: true,
    lines: [
      ...wrapped(`secondary, as ${primary.cluster.name} reports`),
      ...(connection?.api_address ? wrapped(connection.api_address, { tone: 'faint' }) : []),
    ],
  };
  const arrow: Arrow = { from: primary.id, to: id, ...linkTo(secondary, primary) };
  return { box, arrow };
}

/** Draws a primary whose state is not known: a sealed cluster, or one that cannot be reached. */
function unseenPrimary(
  newId: string,
  secondaries: readonly PlacedAs<ReplicationSecondaryStatus>[],
  all: readonly Placed[],
  problems: readonly ClusterProblem[],
) {
  const addresses = secondaries.flatMap(({ status }) => status.known_primary_cluster_addrs);
  const silent = all.filter(({ cluster }) => cluster.replication === undefined);
  const reported = secondaries.flatMap(({ status }) => status.primaries.map((each) => each.api_address));
  const found = silent.find(({ cluster }) => reported.includes(cluster.address));
  const id = found?.id ?? newId;
  const box: Box = found
    ? boxOf(found, all, problems)
    : {
        id,
        title: 'primary',
        tone: 'plain',
        isReported: true,
        lines: [
          ...wrapped(silent.length === 0 ? 'not among these clusters' : 'not among the clusters that answer'),
          ...[...new Set(addresses)]
            .slice(0, MOST_PATHS)
            .flatMap((address) => wrapped(address, { tone: 'faint' })),
        ],
      };
  const arrows = secondaries.map(
    ({ id: to, status: { connection_state: connection = 'unknown' } }): Arrow => ({
      from: id,
      to,
      tone: connection === 'ready' ? 'good' : 'bad',
      // The box of the secondary already shows the state of the connection.
      lines: [],
    }),
  );
  return { box, arrows };
}
