import { findAutoSnapshots } from '../../../inventory';
import {
  AUTO_SNAPSHOT,
  AUTO_SNAPSHOT_BACKENDS,
  formatImportId,
  type AutoSnapshotBackend,
  type Field,
  type FieldValues,
  type ObjectIdentity,
  type SnapshotStorageTypeName,
} from '../../../model';
import { CodeExpression, type CodeProperties, type CodeValue } from '../app/code';
import {
  resourceType,
  secretVariables,
  type Declaration,
  type Naming,
  type ResourceAddress,
} from '../app/declaration';
import { slug } from '../app/names';
import { fieldArguments, placeArguments, secretArguments } from '../hcl/arguments';
import { HclBlock } from '../hcl/hcl';
import { adoptedKind } from './kind';
import { members, propsOf, secretProps } from './props';

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

interface FoundSnapshot {
  readonly identity: ObjectIdentity;
  readonly storage: AutoSnapshotBackend;
  /** Seconds. */
  readonly interval: number;
  /** Without the storage type and the interval. */
  readonly fields: FieldValues;
  /** The fields in which the server holds a secret. The secrets themselves are not kept. */
  readonly secrets: readonly string[];
}

const TITLE = `${AUTO_SNAPSHOT.title}s`;

/**
 * The configurations of automated snapshots. Servers return their secrets, which are dropped here.
 */
export const AUTO_SNAPSHOTS = adoptedKind<FoundSnapshot>({
  title: TITLE,
  fromPrimary: false,

  async read(place) {
    const { cluster, namespace, client } = place;
    const snapshots = await place.readAll(TITLE, AUTO_SNAPSHOT, findAutoSnapshots, ({ name }) =>
      client.autoSnapshots.read(name),
    );
    return snapshots.map(({ name, interval, storage_type, ...reported }) => {
      const storage = AUTO_SNAPSHOT_BACKENDS[storage_type];
      const identity = { cluster, namespace, name };
      return { identity, storage, interval, ...divide({ ...reported }, storage.fields) };
    });
  },

  declarable: ({ identity: { name }, storage: { type, definition }, interval, fields, secrets }) => ({
    definition,
    values: { ...fields, name, interval, storage_type: type },
    secrets,
  }),

  addressOf,

  parts(found, naming) {
    return [{ title: TITLE, declarations: found.map((snapshot) => declare(snapshot, naming)) }];
  },
});

function divide(reported: FieldValues, fields: typeof AUTO_SNAPSHOT.fields) {
  const isSecret = (name: string) => fields[name]?.sensitive === true;
  return {
    fields: Object.fromEntries(Object.entries(reported).filter(([name]) => !isSecret(name))) as FieldValues,
    secrets: Object.keys(reported).filter(isSecret),
  };
}

function addressOf({ identity }: FoundSnapshot): ResourceAddress {
  return { resource: resourceType(AUTO_SNAPSHOT), importId: formatImportId(identity) };
}

function declare(snapshot: FoundSnapshot, naming: Naming): Declaration {
  const { identity, storage, interval, fields, secrets } = snapshot;
  const { namespace, name } = identity;
  const variables = secretVariables(identity, secrets, naming);
  return {
    id: naming.ids.take(slug('snapshot', namespace, name)),
    construct: 'AutoSnapshot',
    props: {
      cluster: CodeExpression.local('cluster'),
      namespace: namespace || undefined,
      snapshotName: name,
      interval: inUnits('Duration', DURATION_UNITS, interval),
      ...propsOf(AUTO_SNAPSHOT.fields, fields, { toValue }),
      storage: CodeExpression.call('SnapshotStorage', FACTORIES[storage.type], {
        ...storageProps(storage.fields, fields),
        ...secretProps(variables),
      }),
    },
    arguments: {
      ...placeArguments(AUTO_SNAPSHOT, identity),
      ...fieldArguments(AUTO_SNAPSHOT.fields, { ...fields, interval }),
      [storage.block]: new HclBlock({
        ...fieldArguments(storage.fields, fields),
        ...secretArguments(variables),
      }),
    },
    ...addressOf(snapshot),
    write: {
      cluster: identity.cluster,
      namespace,
      path: `${AUTO_SNAPSHOT.path}/${name}`,
      body: { ...fields, interval, storage_type: storage.type },
      secrets,
    },
  };
}

/** The props of the storage. The fields about encryption make one `S3Encryption`. */
function storageProps(definitions: Readonly<Record<string, Field>>, fields: FieldValues): CodeProperties {
  const props = propsOf(definitions, fields, { toValue });
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

function toValue(name: string, value: unknown): CodeValue {
  return name === 'azure_auth_mode' ? members('AzureAuthMode', value) : (value as CodeValue);
}

/** An amount in the largest unit that it is a whole number of: `Duration.hours(1)`. */
function inUnits(
  owner: string,
  units: readonly (readonly [name: string, count: number])[],
  amount: number,
): CodeExpression {
  const [unit, count] = units.find(([, each]) => amount % each === 0) ?? units[units.length - 1]!;
  return CodeExpression.call(owner, unit, amount / count);
}
