import { AUTO_SNAPSHOT_BACKENDS, type FieldValues, type AutoSnapshotBackend } from '../../src/model';
import type { BackendSettings } from '../private/backend-settings';
import { checkProps, ENCRYPTION, SIZE } from '../private/expectations';
import type {
  AzureBlobStorageProps,
  GcsStorageProps,
  LocalStorageProps,
  S3StorageProps,
} from './storage-props';

/** The storage that automated snapshots are written to. */
export class SnapshotStorage {
  /** A directory on the machine of the active node, named by `pathPrefix` of the configuration. */
  public static local(props: LocalStorageProps): SnapshotStorage {
    checkProps('SnapshotStorage.local', props, { maxSpace: SIZE });
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS.local, { local_max_space: props.maxSpace.toBytes() });
  }

  /** A bucket of AWS S3, or of a service compatible with it. */
  public static s3(props: S3StorageProps): SnapshotStorage {
    checkProps('SnapshotStorage.s3', props, {}, { encryption: ENCRYPTION });
    const fields = {
      aws_s3_bucket: props.bucket,
      aws_s3_region: props.region,
      aws_access_key_id: props.accessKeyId,
      aws_s3_endpoint: props.endpoint,
      aws_s3_disable_tls: props.disableTls,
      aws_s3_force_path_style: props.forcePathStyle,
      ...props.encryption?._fields,
      autoload_enabled: props.autoload,
    };
    const secrets = {
      aws_secret_access_key: props.secretAccessKey,
      aws_session_token: props.sessionToken,
    };
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['aws-s3'], fields, secrets, props.secretsVersion);
  }

  /** A container of Azure Blob Storage, or of a service compatible with it. */
  public static azureBlob(props: AzureBlobStorageProps): SnapshotStorage {
    checkProps('SnapshotStorage.azureBlob', props, {});
    const fields = {
      azure_container_name: props.container,
      azure_account_name: props.accountName,
      azure_blob_environment: props.environment,
      azure_endpoint: props.endpoint,
      azure_auth_mode: props.authMode,
      azure_client_id: props.clientId,
      autoload_enabled: props.autoload,
    };
    const secrets = { azure_account_key: props.accountKey };
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['azure-blob'], fields, secrets, props.secretsVersion);
  }

  /** A bucket of Google Cloud Storage, or of a service compatible with it. */
  public static gcs(props: GcsStorageProps): SnapshotStorage {
    checkProps('SnapshotStorage.gcs', props, {});
    const fields = {
      google_gcs_bucket: props.bucket,
      google_endpoint: props.endpoint,
      google_disable_tls: props.disableTls,
      autoload_enabled: props.autoload,
    };
    const secrets = { google_service_account_key: props.serviceAccountKey };
    return new SnapshotStorage(AUTO_SNAPSHOT_BACKENDS['google-gcs'], fields, secrets, props.secretsVersion);
  }

  /** @internal */
  public readonly _settings: BackendSettings;

  private constructor(
    /** @internal */
    public readonly _type: AutoSnapshotBackend,
    fields: FieldValues,
    secrets: Readonly<Record<string, string | undefined>> = {},
    secretsVersion: number = 1,
  ) {
    this._settings = { definition: _type.definition, fields, secrets, secretsVersion };
  }
}
