import type { KeySpec } from './key-spec';

/**
 * The properties of a key in AWS KMS. A key that already exists there must have the key usage
 * `SIGN_VERIFY`.
 */
export interface AwsKmsKeyProps {
  /**
   * The ARN, the id or an alias of the key. With `allowGenerateKey` it must be an alias, which a
   * generated key gets.
   */
  readonly kmsKey: string;

  /** The algorithm of the key, with its size or its curve. */
  readonly keySpec: KeySpec;

  /**
   * The AWS access key id. It must be a reference, such as
   * `VaultSecret.fromVariable('kms_access_key')`.
   *
   * @default - the default AWS credentials of the server's environment
   */
  readonly accessKey?: string | undefined;

  /**
   * The AWS secret access key. It must be a reference, such as
   * `VaultSecret.fromVariable('kms_secret_key')`.
   *
   * @default - the default AWS credentials of the server's environment
   */
  readonly secretKey?: string | undefined;

  /**
   * The version of the secrets. Raise it with every change of `accessKey` or `secretKey`, so that
   * Terraform writes the new value.
   *
   * Terraform does not store secrets, so it cannot detect that they have changed.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * The AWS region of the key.
   *
   * @default - the default region of the server's environment, else `us-east-1`
   */
  readonly region?: string | undefined;

  /**
   * The endpoint of the key-management service.
   *
   * @default - the AWS endpoint of the region
   */
  readonly endpoint?: string | undefined;
}
