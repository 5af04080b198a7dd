import type { Fields } from '../definition/field';
import { integerRule } from '../definition/rules';
import { autoSnapshotBackend } from './backend';

export const LOCAL_FIELDS = {
  local_max_space: {
    type: 'integer',
    required: true,
    doc:
      'Most bytes that all snapshots with the `file_prefix` in the directory may take together. An attempt ' +
      'fails when not enough of it is left.',
    section: '4.5',
  },
} as const satisfies Fields;

/** A directory of the server's machine. Interface section 4.5. */
export const LOCAL = autoSnapshotBackend({
  type: 'local',
  title: 'local directory',
  block: 'local',
  doc: "Writes snapshots to a directory of the active node's machine.",
  fields: LOCAL_FIELDS,
  rules: [
    {
      ...integerRule('local_max_space', 'local-max-space-positive', '4.5', (bytes) =>
        bytes < 1
          ? {
              problem: 'must be positive',
              received: String(bytes),
              allowed: 'the most bytes that all snapshots may take together',
              cure: 'write how many bytes they may take; with none left every attempt fails',
            }
          : undefined,
      ),
      serverAccepts: true,
    },
  ],
});
