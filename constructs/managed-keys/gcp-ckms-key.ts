/** The signature algorithm of a key in Google Cloud KMS. Interface section 2.1. */
export enum GcpSignatureAlgorithm {
  EC_SIGN_P256_SHA256 = 'EC_SIGN_P256_SHA256',
  EC_SIGN_P384_SHA384 = 'EC_SIGN_P384_SHA384',
  RSA_SIGN_PSS_2048_SHA256 = 'RSA_SIGN_PSS_2048_SHA256',
  RSA_SIGN_PSS_3072_SHA256 = 'RSA_SIGN_PSS_3072_SHA256',
  RSA_SIGN_PSS_4096_SHA256 = 'RSA_SIGN_PSS_4096_SHA256',
  RSA_SIGN_PSS_4096_SHA512 = 'RSA_SIGN_PSS_4096_SHA512',
  RSA_SIGN_PKCS1_2048_SHA256 = 'RSA_SIGN_PKCS1_2048_SHA256',
  RSA_SIGN_PKCS1_3072_SHA256 = 'RSA_SIGN_PKCS1_3072_SHA256',
  RSA_SIGN_PKCS1_4096_SHA256 = 'RSA_SIGN_PKCS1_4096_SHA256',
  RSA_SIGN_PKCS1_4096_SHA512 = 'RSA_SIGN_PKCS1_4096_SHA512',
}

/** A key in Google Cloud KMS. */
export interface GcpCkmsKeyProps {
  /** Name of the key ring. It has to exist before the key does. */
  readonly keyRing: string;

  /** Name of the key. A generated key gets it. */
  readonly cryptoKey: string;

  /** Signature algorithm of the key. */
  readonly algorithm: GcpSignatureAlgorithm;

  /**
   * Version of the key to use.
   *
   * @default '1'
   */
  readonly cryptoKeyVersion?: string | undefined;

  /**
   * Google Cloud project of the key ring.
   *
   * @default - `GOOGLE_PROJECT` of the server's environment
   */
  readonly project?: string | undefined;

  /**
   * Region of the key ring.
   *
   * @default - `GOOGLE_REGION` of the server's environment
   */
  readonly region?: string | undefined;

  /**
   * Path of the credentials file on the server's machine. It has to be a reference, such as
   * `VaultSecret.fromVariable('ckms_credentials')`.
   *
   * @default - `GOOGLE_CREDENTIALS` or `GOOGLE_APPLICATION_CREDENTIALS` of the server's environment
   */
  readonly credentials?: string | undefined;

  /**
   * To be raised with every change of `credentials`, for Terraform to write them anew: it cannot compare what it does
   * not store.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;
}
