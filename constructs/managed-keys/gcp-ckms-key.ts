/**
 * The signature algorithm of a key in Google Cloud KMS. It implies the kind of key and its size.
 */
export enum GcpSignatureAlgorithm {
  /** ECDSA on the curve P-256, with SHA-256. */
  EC_SIGN_P256_SHA256 = 'EC_SIGN_P256_SHA256',
  /** ECDSA on the curve P-384, with SHA-384. */
  EC_SIGN_P384_SHA384 = 'EC_SIGN_P384_SHA384',
  /** RSA with 2048 bits and PSS, with SHA-256. */
  RSA_SIGN_PSS_2048_SHA256 = 'RSA_SIGN_PSS_2048_SHA256',
  /** RSA with 3072 bits and PSS, with SHA-256. */
  RSA_SIGN_PSS_3072_SHA256 = 'RSA_SIGN_PSS_3072_SHA256',
  /** RSA with 4096 bits and PSS, with SHA-256. */
  RSA_SIGN_PSS_4096_SHA256 = 'RSA_SIGN_PSS_4096_SHA256',
  /** RSA with 4096 bits and PSS, with SHA-512. */
  RSA_SIGN_PSS_4096_SHA512 = 'RSA_SIGN_PSS_4096_SHA512',
  /** RSA with 2048 bits and PKCS #1 v1.5, with SHA-256. */
  RSA_SIGN_PKCS1_2048_SHA256 = 'RSA_SIGN_PKCS1_2048_SHA256',
  /** RSA with 3072 bits and PKCS #1 v1.5, with SHA-256. */
  RSA_SIGN_PKCS1_3072_SHA256 = 'RSA_SIGN_PKCS1_3072_SHA256',
  /** RSA with 4096 bits and PKCS #1 v1.5, with SHA-256. */
  RSA_SIGN_PKCS1_4096_SHA256 = 'RSA_SIGN_PKCS1_4096_SHA256',
  /** RSA with 4096 bits and PKCS #1 v1.5, with SHA-512. */
  RSA_SIGN_PKCS1_4096_SHA512 = 'RSA_SIGN_PKCS1_4096_SHA512',
}

/** The properties of a key in Google Cloud KMS. */
export interface GcpCkmsKeyProps {
  /** The name of the key ring. It must already exist. */
  readonly keyRing: string;

  /** The name of the key, which a generated key gets. */
  readonly cryptoKey: string;

  /** The signature algorithm of the key. */
  readonly algorithm: GcpSignatureAlgorithm;

  /**
   * The version of the key to use.
   *
   * @default '1'
   */
  readonly cryptoKeyVersion?: string | undefined;

  /**
   * The Google Cloud project of the key ring.
   *
   * @default - the variable `GOOGLE_PROJECT` of the server's environment
   */
  readonly project?: string | undefined;

  /**
   * The region of the key ring.
   *
   * @default - the variable `GOOGLE_REGION` of the server's environment
   */
  readonly region?: string | undefined;

  /**
   * The path of the credentials file on the machine of the server. It must be a reference, such as
   * `VaultSecret.fromVariable('ckms_credentials')`.
   *
   * @default - the variable `GOOGLE_CREDENTIALS` or `GOOGLE_APPLICATION_CREDENTIALS` of the
   *   server's environment, otherwise workload identity federation
   */
  readonly credentials?: string | undefined;

  /**
   * The version of the secrets. Raise it with every change of `credentials`, so that Terraform
   * writes the new value.
   *
   * Terraform does not store secrets, so it cannot detect that they have changed.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;
}
