import { AUTO_SNAPSHOT_LOAD_PATH, SNAPSHOT_LOAD } from '../../model';
import { type Route, route } from '../core/backend';
import { invalidRequest, notFound, openRefusal } from '../core/errors';
import type { SnapshotAgent } from './agent';

/** The parts of a cluster that the routes use. */
interface LoadingParts {
  readonly snapshots: SnapshotAgent;
}

const LOAD_PATH = SNAPSHOT_LOAD.path.replace(/^sys\//, '');

/** Routes that load snapshots beside the cluster's data, and unload them. */
export function snapshotLoadRoutes({ snapshots }: LoadingParts): readonly Route[] {
  const { loaded } = snapshots;
  return [
    route({
      pattern: LOAD_PATH,
      rootNamespaceOnly: true,
      operations: {
        list: () => ({ data: { keys: loaded.ids() } }),
        update: ({ content }) => {
          if (content === undefined) throw invalidRequest('the body is not a snapshot');
          return { data: { ...loaded.load(() => Promise.resolve(content)) } };
        },
      },
      help: { synopsis: 'Loads a snapshot, and lists the loaded one.' },
    }),
    route({
      pattern: `${LOAD_PATH}/:snapshot_id`,
      rootNamespaceOnly: true,
      fields: {
        snapshot_id: { type: 'string', path: true, description: 'Id of the loaded snapshot.' },
        force: { type: 'boolean', default: false, description: 'Also while it is being loaded.' },
      },
      operations: {
        read: ({ data: { snapshot_id: id } }) => {
          const described = loaded.describe(id);
          return described && { data: { ...described } };
        },
        delete: ({ data: { snapshot_id: id, force } }) => loaded.unload(id, force),
      },
      help: { synopsis: 'Reads the status of a loaded snapshot, and unloads it.' },
    }),
    route({
      pattern: `${AUTO_SNAPSHOT_LOAD_PATH.replace(/^sys\//, '')}/:name`,
      rootNamespaceOnly: true,
      fields: {
        name: { type: 'string', path: true, description: 'Name of the configuration.' },
        url: { type: 'string', description: 'URL of the snapshot, as the status shows it.' },
      },
      operations: {
        update: ({ data: { name, url } }) => {
          const config = snapshots.store.config(name);
          if (config === undefined) throw notFound();
          if (url === undefined || url === '') throw invalidRequest('missing url');
          const refused = (reason: string) => openRefusal('loadedSnapshots', reason);
          if (config.storage_type === 'local')
            throw refused('snapshots of the type local cannot be loaded by URL');
          const target = snapshots.targetOf(name, config);
          const file = url.slice(url.lastIndexOf('/') + 1);
          if (target.url(file) !== url) throw refused(`${url} is not in the storage of the configuration`);
          return { data: { ...loaded.load(() => target.read(file), { config: name, url }) } };
        },
      },
      help: { synopsis: 'Loads a snapshot from the storage of a configuration.' },
    }),
  ];
}
