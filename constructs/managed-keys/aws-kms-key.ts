import type { KeyCurve } from './key-curve';

/** The type of a key in AWS KMS. Interface section 2.1. */
export enum AwsKmsKeyType {
  /** Needs `keyBits`. */
  RSA = 'RSA',
  /** Needs `curve`. */
  ECDSA = 'ECDSA',
}

/** A key in AWS KMS. A key that exists there needs the key usage SIGN_VERIFY. */
export interface AwsKmsKeyProps {
  /** The key: its ARN, its id or an alias. If the key may be generated it has to be an alias, which the key gets. */
  readonly kmsKey: string;

  /** The type of the key. */
  readonly keyType: AwsKmsKeyType;

  /**
   * Size of an RSA key in bits: 2048, 3072 or 4096.
   *
   * @default - none: an ECDSA key has a curve
   */
  readonly keyBits?: number;

  /**
   * Curve of an ECDSA key.
   *
   * @default - none: an RSA key has a size
   */
  readonly curve?: KeyCurve;

  /**
   * AWS access key. It has to be a reference, such as `VaultSecret.fromVariable('kms_access_key')`.
   *
   * @default - AWS's usual sources on the server's machine
   */
  readonly accessKey?: string;

  /**
   * AWS secret key. It has to be a reference, as `accessKey`.
   *
   * @default - AWS's usual sources on the server's machine
   */
  readonly secretKey?: string;

  /**
   * To be raised with every change of `accessKey` or `secretKey`, for Terraform to write them anew: it cannot compare
   * what it does not store.
   *
   * @default 1
   */
  readonly secretsVersion?: number;

  /**
   * Region of the key.
   *
   * @default - AWS's usual sources on the server's machine, else `us-east-1`
   */
  readonly region?: string;

  /**
   * Endpoint of the key-management service.
   *
   * @default - AWS's own for the region
   */
  readonly endpoint?: string;
}
