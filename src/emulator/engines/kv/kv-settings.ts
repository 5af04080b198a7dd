import { formatDuration } from '../../../model';
import { route, type MountContext, type Route } from '../../core/backend';
import { updated } from '../../core/input/field-schemas';
import { mountSettings, saveMountSettings } from './storage';

/** The route for the settings of all secrets of the mount. */
export function settingsRoute({ storage }: MountContext): Route {
  return route({
    pattern: 'config',
    fields: {
      max_versions: { type: 'integer', description: 'The number of versions to keep; 0 for 10.' },
      cas_required: { type: 'boolean', description: 'If true, all writes need the cas option.' },
      delete_version_after: {
        type: 'signed_duration',
        description: 'TTL of a version. A negative value disables the settings of secrets.',
      },
    },
    operations: {
      read: () => {
        const { max_versions, cas_required, delete_version_after } = mountSettings(storage);
        // The server stores "switched off" as minus one second.
        const lifetime = formatDuration(Math.max(delete_version_after, -1));
        return { data: { max_versions, cas_required, delete_version_after: lifetime } };
      },
      update: ({ data }) => {
        saveMountSettings(storage, updated(mountSettings(storage), data));
      },
    },
    help: { synopsis: 'Configures settings for the KV store' },
  });
}
