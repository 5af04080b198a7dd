import type { AutoSnapshot } from '../../client';
import { AUTO_SNAPSHOT, normalizeNamespace, objectTitle } from '../../model';
import { definitions, type DataSource } from '../../plugin';
import type { Clusters } from '../clusters';
import { listDataSource, locationOf, nothingToRead } from '../objects';
import { dataSourceAttributes } from './schema';
import { shownFields } from './state';
import { storedSnapshot } from './stored-snapshot';
import { STORAGE_TYPES, type Values } from './values';

/** Interface section 4.4: the read of one configuration. */
export const autoSnapshotDataSource: DataSource<Clusters> = definitions<Clusters>().dataSource<
  typeof dataSourceAttributes
>({
  name: AUTO_SNAPSHOT.name,
  schema: {
    description: `Reads one configuration of ${AUTO_SNAPSHOT.title}s. Its secrets are not shown.`,
    attributes: dataSourceAttributes,
  },

  async read({ config }, context) {
    const { name, namespace } = config;
    const cluster = context.provider.knownNameOf(config.cluster, objectTitle(AUTO_SNAPSHOT, name), context);
    const identity = { cluster, namespace: normalizeNamespace(namespace), name };
    const snapshot = storedSnapshot(identity, context);
    const stored = await snapshot.read();
    if (!stored) throw nothingToRead(snapshot.subject);
    return { ...config, ...locationOf(identity), ...shown(stored), namespace };
  },
});

/** Interface section 4.4: the list of configurations. */
export const autoSnapshotsDataSource = listDataSource(
  { definition: AUTO_SNAPSHOT, plural: { name: 'auto_snapshots', title: `${AUTO_SNAPSHOT.title}s` } },
  ({ autoSnapshots }, options) => autoSnapshots.list(options),
);

function shown(stored: AutoSnapshot): Values {
  const blocks = STORAGE_TYPES.map(({ type, block, fields }) => [
    block,
    type === stored.storage_type ? shownFields(fields, stored) : null,
  ]);
  return { ...shownFields(AUTO_SNAPSHOT.fields, stored), ...(Object.fromEntries(blocks) as Values) };
}
