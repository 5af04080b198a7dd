import { refusal, type Assumption } from './assumption';

/** The number of snapshots, and the bytes that are used, allowed and needed. */
type Space = Readonly<Record<'count' | 'used' | 'allowed' | 'needed', number>>;

/** The hosts of the object stores, by the schemes of their URLs. */
const HOSTS = {
  s3: 's3.amazonaws.com',
  azblob: 'blob.core.windows.net',
  gs: 'storage.googleapis.com',
};

export type Scheme = keyof typeof HOSTS;

/** The behavior of automated snapshots that public sources leave open. */
export const SNAPSHOT_ASSUMPTIONS = {
  snapshotPathPrefix: {
    open: 'What a server does with a `path_prefix` without the final slash that `azure-blob` and `google-gcs` require.',
    alternatives: {
      text: {
        says:
          'It accepts it, as public tests show, and names objects `path_prefix` + `file_prefix`, with nothing in ' +
          'between.',
        folder: (pathPrefix: string) => pathPrefix,
      },
      folder: {
        says: 'It accepts it, and puts the slash between.',
        folder: (pathPrefix: string) => pathPrefix.replace(/([^/])$/, '$1/'),
      },
    },
  },
  snapshotAutoload: refusal(
    'The refusal of a second configuration with `autoload_enabled`.',
    'with a text that names the other configuration.',
    (other: string) => `autoload_enabled is already set for the configuration "${other}"`,
  ),
  loadedSnapshots: refusal(
    'The refusals of calls that load or unload snapshots, and of operations on loaded snapshots.',
    'with a message that states the reason. Only `no data in the snapshot` is known.',
    (reason: string) => reason,
  ),
  snapshotRecoverSource: {
    open: 'The capability that a recovery with `X-Vault-Recover-Source-Path` requires on the path it names.',
    alternatives: {
      recover: { says: '`recover`, as on the path that is written.', operation: 'recover' },
      read: { says: '`read`.', operation: 'read' },
    },
  },
  snapshotUrls: {
    open: 'The URLs of snapshots in clouds.',
    alternatives: {
      scheme: {
        says: '`s3://bucket/object`, `azblob://container/object`, `gs://bucket/object`.',
        url: (scheme: Scheme, bucket: string, object: string) => `${scheme}://${bucket}/${object}`,
      },
      https: {
        says: '`https://` and the host of the cloud.',
        url: (scheme: Scheme, bucket: string, object: string) =>
          `https://${HOSTS[scheme]}/${bucket}/${object}`,
      },
    },
  },
  snapshotSpace: {
    open: 'The text of an attempt for which `local_max_space` does not leave enough space.',
    alternatives: {
      figures: {
        says: 'A text with the bytes needed, used and allowed.',
        text: ({ count, used, allowed, needed }: Space) =>
          `not enough space for the snapshot: it needs ${needed} bytes, the ${count} existing snapshots use ${used}, ` +
          `and local_max_space allows ${allowed}`,
      },
      curt: { says: '`insufficient space`.', text: (_space: Space) => 'insufficient space' },
    },
  },
} as const satisfies Readonly<Record<string, Assumption>>;
