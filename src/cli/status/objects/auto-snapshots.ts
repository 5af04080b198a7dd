import { snapshotHealth, type SnapshotHealth, type SnapshotStatus } from '../../../model';
import { ifOffered } from '../../clusters/clients';
import { snapshotProblem } from '../../../view/messages';
import { objectStatus } from './object-status';

export interface SnapshotState {
  readonly name: string;
  readonly status: SnapshotStatus;
  readonly health: SnapshotHealth;
}

/** They are in the root namespace, and on servers that store in Raft. */
export const AUTO_SNAPSHOTS = objectStatus({
  key: 'auto_snapshots',
  title: 'automated snapshots',

  read: async ({ client: { autoSnapshots } }, { now }): Promise<readonly SnapshotState[]> => {
    const list = await ifOffered(autoSnapshots.list());
    return Promise.all(
      (list?.data.keys ?? []).map(async (name) => {
        const [configuration, status] = await Promise.all([
          autoSnapshots.read(name),
          autoSnapshots.status(name),
        ]);
        const told = status?.data ?? {};
        return { name, status: told, health: snapshotHealth(told, configuration?.data.interval ?? 0, now) };
      }),
    );
  },

  line: ({ name, status, health }: SnapshotState) => {
    const last = status.last_snapshot_url ? `, last ${status.last_snapshot_url}` : '';
    return `automated snapshot ${name}: ${health.state}${last}`;
  },

  problems: ({ name, health }: SnapshotState) => [snapshotProblem(name, health) ?? []].flat(),
});
