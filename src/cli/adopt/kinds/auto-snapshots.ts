import { findAutoSnapshots } from '../../../inventory';
import {
  AUTO_SNAPSHOT,
  AUTO_SNAPSHOT_BACKENDS,
  type AutoSnapshotBackend,
  type Field,
  type FieldValues,
  type SnapshotStorageTypeName,
} from '../../../model';
import { CodeExpression, type CodeProperties } from '../app/code';
import { adoptedKind, type AdoptedObject } from './kind';
import { propsOf, secretProps } from './props';

const FACTORIES: Readonly<Record<SnapshotStorageTypeName, string>> = {
  local: 'local',
  'aws-s3': 's3',
  'azure-blob': 'azureBlob',
  'google-gcs': 'gcs',
};

/** Units of a duration, the largest first, with their seconds. */
const DURATION_UNITS = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

/** Units of a size, the largest first, with their bytes. */
const SIZE_UNITS = [
  ['tebibytes', 1024 ** 4],
  ['gibibytes', 1024 ** 3],
  ['mebibytes', 1024 ** 2],
  ['kibibytes', 1024],
  ['bytes', 1],
] as const;

interface FoundSnapshot extends AdoptedObject {
  readonly backend: AutoSnapshotBackend;
}

const TITLE = `${AUTO_SNAPSHOT.title}s`;

/**
 * The configurations of automated snapshots. Servers return their secrets, which are dropped here.
 */
export const AUTO_SNAPSHOTS = adoptedKind<FoundSnapshot>({
  definition: AUTO_SNAPSHOT,
  title: TITLE,
  prefix: 'snapshot',
  construct: 'AutoSnapshot',
  fromPrimary: false,

  async read(place) {
    const { cluster, namespace, client } = place;
    const snapshots = await place.readAll(TITLE, AUTO_SNAPSHOT, findAutoSnapshots, ({ name }) =>
      client.autoSnapshots.read(name),
    );
    return snapshots.map(({ name, storage_type, ...reported }) => {
      const backend = AUTO_SNAPSHOT_BACKENDS[storage_type];
      const isSecret = (field: string) => backend.fields[field]?.sensitive === true;
      return {
        identity: { cluster, namespace, name },
        backend,
        fields: Object.fromEntries(Object.entries(reported).filter(([field]) => !isSecret(field))),
        secrets: Object.keys(reported).filter(isSecret),
      };
    });
  },

  declare: ({ identity: { name }, backend, fields }, { variables }) => ({
    props: {
      snapshotName: name,
      ...propsOf(AUTO_SNAPSHOT.fields, fields, {
        written: { interval: (seconds) => inUnits('Duration', DURATION_UNITS, Number(seconds)) },
      }),
      storage: CodeExpression.call('SnapshotStorage', FACTORIES[backend.type], {
        ...storageProps(backend.fields, fields),
        ...secretProps(variables),
      }),
    },
  }),
});

/** Returns the props of the storage. The fields about encryption become one `S3Encryption`. */
function storageProps(definitions: Readonly<Record<string, Field>>, fields: FieldValues): CodeProperties {
  const props = propsOf(definitions, fields);
  return {
    ...props,
    maxSpace: props.maxSpace === undefined ? undefined : inUnits('Size', SIZE_UNITS, Number(props.maxSpace)),
    encryption: encryptionOf(fields),
  };
}

function encryptionOf(fields: FieldValues): CodeExpression | undefined {
  const { aws_s3_enable_kms: kms, aws_s3_kms_key: key, aws_s3_server_side_encryption: aes256 } = fields;
  if (kms === true) return CodeExpression.call('S3Encryption', 'kms', ...(key ? [key as string] : []));
  return aes256 === true ? CodeExpression.call('S3Encryption', 'aes256') : undefined;
}

/** Returns an amount in the largest unit that gives a whole number: `Duration.hours(1)`. */
function inUnits(
  owner: string,
  units: readonly (readonly [name: string, count: number])[],
  amount: number,
): CodeExpression {
  const [unit, count] = units.find(([, each]) => amount % each === 0) ?? units[units.length - 1]!;
  return CodeExpression.call(owner, unit, amount / count);
}
