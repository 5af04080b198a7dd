import type { KeySpec } from './key-spec';

/** A key in AWS KMS. A key that exists there needs the key usage SIGN_VERIFY. */
export interface AwsKmsKeyProps {
  /** The key: its ARN, its id or an alias. If the key may be generated it has to be an alias, which the key gets. */
  readonly kmsKey: string;

  /** The algorithm of the key, with its size or its curve. */
  readonly keySpec: KeySpec;

  /**
   * AWS access key. It has to be a reference, such as `VaultSecret.fromVariable('kms_access_key')`.
   *
   * @default - AWS's usual sources on the server's machine
   */
  readonly accessKey?: string | undefined;

  /**
   * AWS secret key. It has to be a reference, as `accessKey`.
   *
   * @default - AWS's usual sources on the server's machine
   */
  readonly secretKey?: string | undefined;

  /**
   * To be raised with every change of `accessKey` or `secretKey`, for Terraform to write them anew: it cannot compare
   * what it does not store.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * Region of the key.
   *
   * @default - AWS's usual sources on the server's machine, else `us-east-1`
   */
  readonly region?: string | undefined;

  /**
   * Endpoint of the key-management service.
   *
   * @default - AWS's own for the region
   */
  readonly endpoint?: string | undefined;
}
