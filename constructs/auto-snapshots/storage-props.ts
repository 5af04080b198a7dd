import type { Size } from '../core/size';
import type { S3Encryption } from './s3-encryption';

/** A directory of the server's machine. */
export interface LocalStorageProps {
  /**
   * The most space that all snapshots with the file prefix may take in the directory. An attempt fails when not enough of
   * it is left.
   */
  readonly maxSpace: Size;
}

/** What the services of every cloud have in common. */
export interface CloudStorageProps {
  /**
   * To be raised with every change of a secret, for Terraform to write it anew: it cannot compare what it does not
   * store. The resource of `hashicorp/vault` stores its secrets, and does without.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * Load each snapshot after it was written, ready for recovering single secrets from it. Of all configurations one
   * may do so. Servers know it from version 1.21 on.
   *
   * @default false
   */
  readonly autoload?: boolean | undefined;
}

/** A bucket of AWS S3, or of another service with its interface. */
export interface S3StorageProps extends CloudStorageProps {
  /** The bucket to write to. */
  readonly bucket: string;

  /** The region of the bucket. */
  readonly region: string;

  /**
   * Access key id.
   *
   * @default - AWS's usual sources of credentials on the server's machine
   */
  readonly accessKeyId?: string | undefined;

  /**
   * Secret access key. It has to be a reference, such as `VaultSecret.fromVariable('backup_secret_key')`.
   *
   * @default - as for `accessKeyId`
   */
  readonly secretAccessKey?: string | undefined;

  /**
   * Session token. It has to be a reference, as `secretAccessKey`.
   *
   * @default - none
   */
  readonly sessionToken?: string | undefined;

  /**
   * Endpoint, where it is not AWS that offers the bucket.
   *
   * @default - AWS's endpoint for the region
   */
  readonly endpoint?: string | undefined;

  /**
   * Speak to the endpoint without TLS. Only for testing.
   *
   * @default false
   */
  readonly disableTls?: boolean | undefined;

  /**
   * Use URLs of the form endpoint/bucket, not bucket.endpoint. Some other services need it.
   *
   * @default false
   */
  readonly forcePathStyle?: boolean | undefined;

  /**
   * How the snapshots are encrypted in the bucket.
   *
   * @default - as the bucket's settings say
   */
  readonly encryption?: S3Encryption | undefined;
}

/** How the server proves to Azure who it is. */
export enum AzureAuthMode {
  /** By the key of the storage account. */
  SHARED = 'shared',
  /** As a managed identity. */
  MANAGED = 'managed',
  /** By what Azure's variables in the server's environment say. */
  ENVIRONMENT = 'environment',
}

/** A container of Azure Blob Storage, or of another service with its interface. */
export interface AzureBlobStorageProps extends CloudStorageProps {
  /** The container to write to. */
  readonly container: string;

  /**
   * The storage account.
   *
   * @default - from the server's environment
   */
  readonly accountName?: string | undefined;

  /**
   * Key of the storage account. It has to be a reference, such as `VaultSecret.fromVariable('backup_account_key')`.
   *
   * @default - none: `authMode` says what is used instead
   */
  readonly accountKey?: string | undefined;

  /**
   * The cloud whose addresses are used: `AZUREUSGOVERNMENTCLOUD`.
   *
   * @default - Azure's public cloud
   */
  readonly environment?: string | undefined;

  /**
   * Endpoint, where it is not Azure that offers the container.
   *
   * @default - Azure's endpoint for the account
   */
  readonly endpoint?: string | undefined;

  /**
   * How the server proves who it is. Servers know it from version 1.18 on.
   *
   * @default - by the key of the storage account
   */
  readonly authMode?: AzureAuthMode | undefined;

  /**
   * Client id of the managed identity, where `authMode` is `MANAGED`. Servers know it from version 1.18 on.
   *
   * @default - none
   */
  readonly clientId?: string | undefined;
}

/** A bucket of Google Cloud Storage, or of another service with its interface. */
export interface GcsStorageProps extends CloudStorageProps {
  /** The bucket to write to. */
  readonly bucket: string;

  /**
   * Service account key, as JSON text. It has to be a reference, such as
   * `VaultSecret.fromVariable('backup_service_account')`.
   *
   * @default - Google's usual sources of credentials on the server's machine
   */
  readonly serviceAccountKey?: string | undefined;

  /**
   * Endpoint, where it is not Google that offers the bucket.
   *
   * @default - Google's endpoint
   */
  readonly endpoint?: string | undefined;

  /**
   * Speak to the endpoint without TLS. Only for testing.
   *
   * @default false
   */
  readonly disableTls?: boolean | undefined;
}
