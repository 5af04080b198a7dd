import type { Field, FieldValues, ObjectDefinition } from '../definition/field';
import { fieldsRule } from '../definition/rules';
import { either, field, phrase, remove, set, literal } from '../messages';
import { SNAPSHOT_LOAD_PATH } from '../paths';

/** The first version of the server that loads snapshots. */
export const SNAPSHOT_LOAD_SINCE = '1.20';

/** A snapshot that a cluster has loaded beside its own data, to read and recover single secrets. */
export const SNAPSHOT_LOAD: ObjectDefinition = {
  name: 'snapshot_load',
  title: 'loaded snapshot',
  path: SNAPSHOT_LOAD_PATH,
  edition: 'enterprise',
  restricted: true,
  clusterWide: true,
  doc:
    "A snapshot of the cluster's integrated storage, loaded alongside the current data, which does not change. Single secrets can " +
    'be read and recovered from it. A cluster can load one snapshot at a time, and unloads it after 72 hours. Requires Vault ' +
    `${SNAPSHOT_LOAD_SINCE} or later.`,
  fields: {
    snapshot_id: { type: 'string', identity: true, doc: 'Id that the server gave the loaded snapshot.' },
    auto_snapshot: {
      type: 'string',
      doc:
        'Name of the configuration of automated snapshots from whose storage the server loads the snapshot. The storage type ' +
        '`local` does not support this.',
    },
    url: {
      type: 'string',
      doc: "URL of the snapshot in the configuration's storage. Default: that of the last snapshot written, when it is loaded.",
    },
    file: {
      type: 'string',
      doc: 'Path of a snapshot file on the machine that runs Terraform, which uploads it.',
    },
  },
  rules: [
    fieldsRule(['auto_snapshot', 'file'], 'one-source', ({ auto_snapshot, file }) =>
      (auto_snapshot === null) === (file === null)
        ? {
            problem: file === null ? 'is missing' : phrase`must not be set together with ${field('file')}`,
            allowed: phrase`exactly one of ${field('auto_snapshot')} and ${field('file')}`,
            cure: file === null ? 'set one of them' : 'remove one of them',
          }
        : undefined,
    ),
    fieldsRule(['url', 'auto_snapshot'], 'url-of-configuration', ({ url, auto_snapshot }) =>
      url !== null && auto_snapshot === null
        ? {
            problem: phrase`has no effect without ${field('auto_snapshot')}`,
            received: literal(url),
            cure: either(set('auto_snapshot'), remove('url')),
          }
        : undefined,
    ),
  ],
};

/** The largest snapshot in bytes. Vault's integrated storage holds some gigabytes. */
export const LARGEST_SNAPSHOT = 64 * 1024 ** 3;

/** The timeouts of loading. It takes longer for a larger storage. */
export const SNAPSHOT_LOAD_TIMEOUTS = {
  create: {
    type: 'duration',
    default: '30m',
    doc: 'Maximum time until the snapshot is uploaded and loaded: seconds, or a duration such as `10m`.',
  },
} as const satisfies Readonly<Record<string, Field>>;

/**
 * A loaded snapshot as a server reports it. Times are in RFC 3339. Fields that the server does not
 * report are absent.
 */
export interface LoadedSnapshot {
  readonly snapshot_id: string;
  /** `loading`, `ready` or `error`. */
  readonly status: string;
  /** The reason why it cannot be used. */
  readonly error?: string;
  readonly cluster_id?: string;
  readonly created_at?: string;
  /** The time at which the server unloads it. */
  readonly expires_at?: string;
  /** The configuration from whose storage it was loaded. */
  readonly auto_config_name?: string;
  /** The address that it was loaded from. */
  readonly url?: string;
}

const OPTIONAL = ['error', 'cluster_id', 'created_at', 'expires_at', 'auto_config_name', 'url'] as const;

/**
 * Returns the loaded snapshot in a server's answer.
 *
 * @returns `undefined` if the data do not describe a loaded snapshot.
 */
export function decodeLoadedSnapshot(data: FieldValues): LoadedSnapshot | undefined {
  const { snapshot_id, status } = data;
  if (typeof snapshot_id !== 'string' || snapshot_id === '' || typeof status !== 'string') return undefined;
  const present = OPTIONAL.map((name) => [name, data[name]] as const).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  );
  return { snapshot_id, status, ...Object.fromEntries(present) };
}
