import type { Size } from '../core/size';
import type { S3Encryption } from './s3-encryption';

/** The properties of a local directory for snapshots. */
export interface LocalStorageProps {
  /**
   * The maximum space that all snapshots with the file prefix may take in the directory. If a
   * snapshot does not fit, it is not written.
   */
  readonly maxSpace: Size;
}

/** The properties that all cloud storages have in common. */
export interface CloudStorageProps {
  /**
   * The version of the secrets. Raise it with every change of a secret, so that Terraform writes
   * the new value.
   *
   * Terraform does not store secrets, so it cannot detect that they have changed.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * Whether to load each snapshot after it was written, so that single secrets can be recovered
   * from it.
   *
   * Only one configuration of a cluster may do this. It requires Vault 1.21.
   *
   * @default false
   */
  readonly autoload?: boolean | undefined;
}

/** The properties of a bucket of AWS S3, or of a service compatible with it. */
export interface S3StorageProps extends CloudStorageProps {
  /** The bucket to write to. */
  readonly bucket: string;

  /** The region of the bucket. */
  readonly region: string;

  /**
   * The AWS access key id.
   *
   * @default - the default AWS credentials of the server's environment
   */
  readonly accessKeyId?: string | undefined;

  /**
   * The AWS secret access key. It must be a reference, such as
   * `VaultSecret.fromVariable('backup_secret_key')`.
   *
   * @default - the default AWS credentials of the server's environment
   */
  readonly secretAccessKey?: string | undefined;

  /**
   * The AWS session token. It must be a reference, such as
   * `VaultSecret.fromVariable('backup_session_token')`.
   *
   * @default - none
   */
  readonly sessionToken?: string | undefined;

  /**
   * The endpoint of a service other than AWS.
   *
   * @default - the AWS endpoint of the region
   */
  readonly endpoint?: string | undefined;

  /**
   * Whether to connect to the endpoint without TLS. Use it for tests only.
   *
   * @default false
   */
  readonly disableTls?: boolean | undefined;

  /**
   * Whether to use URLs of the form `endpoint/bucket` instead of `bucket.endpoint`, as some
   * services require.
   *
   * @default false
   */
  readonly forcePathStyle?: boolean | undefined;

  /**
   * How the snapshots are encrypted in the bucket.
   *
   * @default - the default encryption of the bucket
   */
  readonly encryption?: S3Encryption | undefined;
}

/** How the server authenticates to Azure. */
export enum AzureAuthMode {
  /** With the key of the storage account. */
  SHARED = 'shared',
  /** With a managed identity. */
  MANAGED = 'managed',
  /** With the Azure variables of the server's environment. */
  ENVIRONMENT = 'environment',
}

/** The properties of a container of Azure Blob Storage, or of a service compatible with it. */
export interface AzureBlobStorageProps extends CloudStorageProps {
  /** The container to write to. */
  readonly container: string;

  /**
   * The name of the storage account.
   *
   * @default - from the server's environment
   */
  readonly accountName?: string | undefined;

  /**
   * The key of the storage account. It must be a reference, such as
   * `VaultSecret.fromVariable('backup_account_key')`.
   *
   * @default - none, if `authMode` does not require it
   */
  readonly accountKey?: string | undefined;

  /**
   * The Azure cloud, such as `AZUREUSGOVERNMENTCLOUD`.
   *
   * @default - the public cloud
   */
  readonly environment?: string | undefined;

  /**
   * The endpoint of a service other than Azure.
   *
   * @default - the Azure endpoint of the account
   */
  readonly endpoint?: string | undefined;

  /**
   * How the server authenticates to Azure. It requires Vault 1.18.
   *
   * @default - with the key of the storage account
   */
  readonly authMode?: AzureAuthMode | undefined;

  /**
   * The client id of the managed identity, if `authMode` is `MANAGED`. It requires Vault 1.18.
   *
   * @default - none
   */
  readonly clientId?: string | undefined;
}

/** The properties of a bucket of Google Cloud Storage, or of a service compatible with it. */
export interface GcsStorageProps extends CloudStorageProps {
  /** The bucket to write to. */
  readonly bucket: string;

  /**
   * The service account key, as JSON. It must be a reference, such as
   * `VaultSecret.fromVariable('backup_service_account')`.
   *
   * @default - the default Google credentials of the server's environment
   */
  readonly serviceAccountKey?: string | undefined;

  /**
   * The endpoint of a service other than Google.
   *
   * @default - the Google endpoint
   */
  readonly endpoint?: string | undefined;

  /**
   * Whether to connect to the endpoint without TLS. Use it for tests only.
   *
   * @default false
   */
  readonly disableTls?: boolean | undefined;
}
