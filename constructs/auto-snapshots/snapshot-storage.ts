import { brand } from '../private/brand';
import {
  AUTO_SNAPSHOT_BACKENDS,
  secretFields,
  type AutoSnapshotBackend,
  type FieldValues,
} from '../../src/model';
import type { BackendSettings } from '../private/backend-settings';
import { checkObject, SIZE } from '../private/expectations';
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
    checkObject('SnapshotStorage.local', 'LocalStorageProps', props, { maxSpace: SIZE });
    const differing = { local_max_space: props.maxSpace.toBytes() };
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS.local, 'LocalStorageProps', props, differing);
  }

  /** A bucket of AWS S3, or of a service compatible with it. */
  public static s3(props: S3StorageProps): SnapshotStorage {
    checkObject('SnapshotStorage.s3', 'S3StorageProps', props, {});
    const differing = props.encryption?._fields;
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['aws-s3'], 'S3StorageProps', props, differing);
  }

  /** A container of Azure Blob Storage, or of a service compatible with it. */
  public static azureBlob(props: AzureBlobStorageProps): SnapshotStorage {
    checkObject(code('SnapshotStorage.azureBlob'), 'AzureBlobStorageProps', props, {});
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['azure-blob'], 'AzureBlobStorageProps', props);
  }

  /** A bucket of Google Cloud Storage, or of a service compatible with it. */
  public static gcs(props: GcsStorageProps): SnapshotStorage {
    checkObject('SnapshotStorage.gcs', 'GcsStorageProps', props, {});
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['google-gcs'], 'GcsStorageProps', props);
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  /** @param differing the fields whose values are not those of their properties. */
  private constructor(
    /** @internal */
    public readonly _type: AutoSnapshotBackend,
    propsType: string,
    props: LocalStorageProps | CloudStorageProps,
    differing: FieldValues = {},
  ) {
    brand(this, 'SnapshotStorage');
    const secret = secretFields(_type);
    const given = props as Readonly<Record<string, unknown>>;
    const entries = Object.keys(_type.fields).map((name): [string, unknown] => [
      name,
      name in differing ? differing[name] : given[propName(name)],
    ]);
    this._settings = {
      definition: _type.definition,
      fields: Object.fromEntries(entries.filter(([name]) => !secret.includes(name))),
      secrets: Object.fromEntries(
        entries.filter(([name]) => secret.includes(name)),
      ) as BackendSettings['secrets'],
      late: lateProps(propsType, props),
      secretsVersion: ('secretsVersion' in props ? props.secretsVersion : undefined) ?? 1,
    };
  }
}
