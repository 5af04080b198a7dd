import type { Fields } from '../definition/field';
import { integerRule } from '../definition/rules';
import { autoSnapshotBackend } from './auto-snapshot-backend';

export const LOCAL_FIELDS = {
  local_max_space: {
    type: 'integer',
    required: true,
    doc:
      'Maximum number of bytes that all snapshots with the `file_prefix` in the directory may take. A snapshot ' +
      'fails if there is not enough space left.',
  },
} as const satisfies Fields;

/** A directory of the server's machine. */
export const LOCAL = autoSnapshotBackend({
  type: 'local',
  title: 'local directory',
  block: 'local',
  doc: 'Writes snapshots to a directory on the machine of the active node.',
  fields: LOCAL_FIELDS,
  rules: [
    {
      ...integerRule('local_max_space', 'local-max-space-positive', (bytes) =>
        bytes < 1
          ? {
              problem: 'must be positive',
              received: String(bytes),
              allowed: 'the maximum number of bytes that all snapshots may take',
              cure: 'set it to the number of bytes that all snapshots may take',
            }
          : undefined,
      ),
      serverAccepts: true,
    },
  ],
});
