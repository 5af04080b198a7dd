import { SNAPSHOT_LOAD } from '../../model';
import { definitions, string, type Action } from '../../plugin';
import type { Clusters } from '../clusters';
import { ACTION_LOCATION, onCluster } from '../objects';
import { loadedSubject, RECOVERABLE_PATHS } from './requirement';
import { requestSecret } from './secret';

/** The action that restores one secret from a loaded snapshot. */
export const RECOVER_ACTION: Action<Clusters> = definitions<Clusters>().action({
  name: 'snapshot_recover',
  schema: {
    description:
      'Recovers one secret from a loaded snapshot, which replaces the current one; in version 2 of the KV secrets engine, it becomes a ' +
      `new version. ${RECOVERABLE_PATHS} Requires the capability \`recover\` on the path.`,
    attributes: {
      ...ACTION_LOCATION,
      snapshot_id: string({ required: true, description: SNAPSHOT_LOAD.fields.snapshot_id!.doc }),
      path: string({
        required: true,
        description:
          'Path of the secret, with the mount: `secret/app/db`, or `secret/data/app/db` in version 2.',
      }),
      source_path: string({
        optional: true,
        description:
          'Path of the secret in the snapshot, if it is to be recovered under another path of the same mount. Default: `path`. ' +
          'Requires Vault 1.21 or later.',
      }),
    },
  },
  async invoke({ config }, context) {
    const { snapshot_id, path, source_path } = config;
    const title = `secret ${JSON.stringify(path)}`;
    const loaded = await loadedSubject(title, config, context);
    await requestSecret('recover', loaded, path, context, ({ loadedSnapshots }) =>
      loadedSnapshots.recover(snapshot_id, path, {
        signal: context.signal,
        ...(source_path !== null && { sourcePath: source_path }),
      }),
    );
    context.progress(`${onCluster(loaded.subject)}: recovered from snapshot ${snapshot_id}`);
  },
});
