import { brand } from '../private/brand';
import {
  AUTO_SNAPSHOT_BACKENDS,
  secretFields,
  type AutoSnapshotBackend,
  type FieldValues,
} from '../../src/model';
import type { BackendSettings } from '../private/backend-settings';
import { checkProps, ENCRYPTION, SIZE } from '../private/expectations';
import { code, propName } from '../../src/model/messages';
import { lateProps } from '../private/string-props';
import type {
  AzureBlobStorageProps,
  CloudStorageProps,
  GcsStorageProps,
  LocalStorageProps,
  S3StorageProps,
} from './storage-props';

/** The storage that automated snapshots are written to. */
export class SnapshotStorage {
  /** A directory on the machine of the active node, named by `pathPrefix` of the configuration. */
  public static local(props: LocalStorageProps): SnapshotStorage {
    checkProps('SnapshotStorage.local', props, { maxSpace: SIZE });
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS.local, 'LocalStorageProps', {
      maxSpace: props.maxSpace.toBytes(),
    });
  }

  /** A bucket of AWS S3, or of a service compatible with it. */
  public static s3(props: S3StorageProps): SnapshotStorage {
    checkProps('SnapshotStorage.s3', props, {}, { encryption: ENCRYPTION });
    const { encryption, ...others } = props;
    return new SnapshotStorage(
      AUTO_SNAPSHOT_BACKENDS['aws-s3'],
      'S3StorageProps',
      others,
      encryption?._fields,
    );
  }

  /** A container of Azure Blob Storage, or of a service compatible with it. */
  public static azureBlob(props: AzureBlobStorageProps): SnapshotStorage {
    checkProps(code('SnapshotStorage.azureBlob'), props, {});
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['azure-blob'], 'AzureBlobStorageProps', props);
  }

  /** A bucket of Google Cloud Storage, or of a service compatible with it. */
  public static gcs(props: GcsStorageProps): SnapshotStorage {
    checkProps('SnapshotStorage.gcs', props, {});
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['google-gcs'], 'GcsStorageProps', props);
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  private constructor(
    /** @internal */
    public readonly _type: AutoSnapshotBackend,
    type: string,
    props: object,
    others: FieldValues = {},
  ) {
    brand(this, 'SnapshotStorage');
    const { secretsVersion = 1, ...values } = props as CloudStorageProps & Readonly<Record<string, unknown>>;
    const fields = Object.keys(_type.fields).map((field) => [field, values[propName(field)]] as const);
    const secret = secretFields(_type);
    this._settings = {
      definition: _type.definition,
      fields: {
        ...Object.fromEntries(fields.filter(([name]) => !secret.includes(name))),
        ...others,
      },
      secrets: Object.fromEntries(
        fields.filter(([name]) => secret.includes(name)),
      ) as BackendSettings['secrets'],
      late: lateProps(type, props),
      secretsVersion,
    };
  }
}
