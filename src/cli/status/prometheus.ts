import { isStreaming } from '../../client';
import { visible } from '../../text/visible';
import type { ClusterState } from './cluster-state';
import type { ClusterProblem } from '../../view/find-problems';
import { lastWal, primaryOf, walDistance } from '../../view/replication';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number | boolean | undefined];

interface Metric {
  readonly name: string;
  readonly help: string;
  /** Returns the samples of a cluster. Unknown values are left out. */
  readonly samples: (cluster: ClusterState, all: readonly ClusterState[]) => readonly Sample[];
}

const METRICS: readonly Metric[] = [
  {
    name: 'up',
    help: 'Whether the cluster answered.',
    samples: ({ version }) => [[{}, version !== undefined]],
  },
  {
    name: 'info',
    help: 'The address and version of the cluster.',
    samples: ({ address, version = 'unknown' }) => [[{ address, version }, 1]],
  },
  { name: 'sealed', help: 'Whether the cluster is sealed.', samples: ({ sealed }) => [[{}, sealed]] },
  {
    name: 'replication_mode',
    help: 'The mode of performance replication, and the set that the cluster is in.',
    samples: ({ replication: status }) => [
      [
        { mode: status?.mode ?? '', set: status && 'cluster_id' in status ? status.cluster_id : '' },
        status && 1,
      ],
    ],
  },
  {
    name: 'replication_wal',
    help: 'The number of the last WAL entry of a primary, or of the last one that a secondary has received.',
    samples: ({ replication: status }) => {
      if (status?.mode === 'primary') return [[{}, lastWal(status)]];
      return [[{}, status?.mode === 'secondary' ? status.last_remote_wal : undefined]];
    },
  },
  {
    name: 'replication_wal_distance',
    help: 'The number of WAL entries that a secondary lacks. Known if the primary is read as well.',
    samples: (cluster, all) => {
      const { replication: status } = cluster;
      const primary = primaryOf(cluster, all);
      return [[{}, status?.mode === 'secondary' && primary ? walDistance(status, primary) : undefined]];
    },
  },
  {
    name: 'replication_streaming',
    help: 'Whether a secondary receives the writes of its primary.',
    samples: ({ replication: status }) => [
      [{}, status?.mode === 'secondary' ? isStreaming(status) : undefined],
    ],
  },
  {
    name: 'replication_secondary_connected',
    help: 'Whether a secondary is connected to its primary, as reported by the primary.',
    samples: ({ replication: status }) =>
      status?.mode !== 'primary'
        ? []
        : status.known_secondaries.map((secondary): Sample => {
            const found = status.secondaries.find(({ node_id: id }) => id === secondary);
            return [{ secondary }, found?.connection_status === 'connected'];
          }),
  },
  {
    name: 'managed_key_signs',
    help: 'Whether a managed key can sign test data. Known with --test-keys.',
    samples: ({ managed_keys: keys = [] }) =>
      keys.map(({ namespace, type, name, test_sign_error: error }): Sample => [
        { namespace, type, name },
        error === undefined ? undefined : error === null,
      ]),
  },
  {
    name: 'auto_snapshot_healthy',
    help: 'Whether automated snapshots succeed in time. A first snapshot that is not due yet counts as healthy.',
    samples: ({ auto_snapshots: snapshots = [] }) =>
      snapshots.map(({ name, health: { state } }): Sample => [
        { name },
        state === 'ok' || state === 'waiting',
      ]),
  },
  {
    name: 'auto_snapshot_last_success_timestamp_seconds',
    help: 'When an automated snapshot last succeeded.',
    samples: ({ auto_snapshots: snapshots = [] }) =>
      snapshots.map(({ name, status: { last_snapshot_end: end } }): Sample => [
        { name },
        end === undefined ? undefined : Date.parse(end) / 1000,
      ]),
  },
  {
    name: 'read_failures',
    help: 'The number of failed reads of the cluster.',
    samples: ({ failures }) => [[{}, failures.length]],
  },
];

/** Returns the states of clusters in the text format of Prometheus. */
export function prometheusMetrics(
  clusters: readonly ClusterState[],
  problems: readonly ClusterProblem[],
): readonly string[] {
  const ofClusters = METRICS.flatMap(({ name, help, samples }) =>
    family(
      name,
      help,
      clusters.flatMap((cluster) =>
        samples(cluster, clusters).map(([labels, value]): Sample => [
          { cluster: cluster.name, ...labels },
          value,
        ]),
      ),
    ),
  );
  const help = 'The number of problems. Problems that concern several clusters have an empty label.';
  const counts = ['', ...clusters.map(({ name }) => name)].map((name): Sample => [
    { cluster: name },
    problems.filter(({ cluster = '' }) => cluster === name).length,
  ]);
  return [...ofClusters, ...family('problems', help, counts)];
}

/** Returns the lines of a metric with its samples; none without samples. */
function family(name: string, help: string, samples: readonly Sample[]): readonly string[] {
  const metric = `vault_admin_${name}`;
  const lines = samples.flatMap(([labels, value]) =>
    value === undefined ? [] : [`${metric}{${labelsText(labels)}} ${Number(value)}`],
  );
  return lines.length === 0 ? [] : [`# HELP ${metric} ${help}`, `# TYPE ${metric} gauge`, ...lines];
}

function labelsText(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${visible(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`)
    .join(',');
}
