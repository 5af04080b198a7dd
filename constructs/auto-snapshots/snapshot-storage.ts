import { brand } from '../private/brand';
import {
  AUTO_SNAPSHOT_BACKENDS,
  secretFields,
  type AutoSnapshotBackend,
  type AutoSnapshotValues,
} from '../../src/model';
import type { BackendSettings } from '../private/backend-settings';
import { checkObject, SIZE } from '../private/expectations';
import { code } from '../../src/model/messages';
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
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS.local, 'LocalStorageProps', props, {
      local_max_space: props.maxSpace.toBytes(),
    });
  }

  /** A bucket of AWS S3, or of a service compatible with it. */
  public static s3(props: S3StorageProps): SnapshotStorage {
    checkObject('SnapshotStorage.s3', 'S3StorageProps', props, {});
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['aws-s3'], 'S3StorageProps', props, {
      aws_s3_bucket: props.bucket,
      aws_s3_region: props.region,
      aws_access_key_id: props.accessKeyId,
      aws_secret_access_key: props.secretAccessKey,
      aws_session_token: props.sessionToken,
      aws_s3_endpoint: props.endpoint,
      aws_s3_disable_tls: props.disableTls,
      aws_s3_force_path_style: props.forcePathStyle,
      autoload_enabled: props.autoload,
      ...props.encryption?._fields,
    });
  }

  /** A container of Azure Blob Storage, or of a service compatible with it. */
  public static azureBlob(props: AzureBlobStorageProps): SnapshotStorage {
    checkObject(code('SnapshotStorage.azureBlob'), 'AzureBlobStorageProps', props, {});
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['azure-blob'], 'AzureBlobStorageProps', props, {
      azure_container_name: props.container,
      azure_account_name: props.accountName,
      azure_account_key: props.accountKey,
      azure_blob_environment: props.environment,
      azure_endpoint: props.endpoint,
      azure_auth_mode: props.authMode,
      azure_client_id: props.clientId,
      autoload_enabled: props.autoload,
    });
  }

  /** A bucket of Google Cloud Storage, or of a service compatible with it. */
  public static gcs(props: GcsStorageProps): SnapshotStorage {
    checkObject('SnapshotStorage.gcs', 'GcsStorageProps', props, {});
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['google-gcs'], 'GcsStorageProps', props, {
      google_gcs_bucket: props.bucket,
      google_service_account_key: props.serviceAccountKey,
      google_endpoint: props.endpoint,
      google_disable_tls: props.disableTls,
      autoload_enabled: props.autoload,
    });
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  private constructor(
    /** @internal */
    public readonly _type: AutoSnapshotBackend,
    propsType: string,
    props: LocalStorageProps | CloudStorageProps,
    values: Partial<AutoSnapshotValues>,
  ) {
    brand(this, 'SnapshotStorage');
    const secret = secretFields(_type);
    const entries = Object.entries(values);
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
