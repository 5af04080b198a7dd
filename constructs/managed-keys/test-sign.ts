/** The hash algorithm of a test signature. */
export enum SignatureHash {
  SHA1 = 'sha1',
  SHA2_224 = 'sha2-224',
  SHA2_256 = 'sha2-256',
  SHA2_384 = 'sha2-384',
  SHA2_512 = 'sha2-512',
  SHA3_224 = 'sha3-224',
  SHA3_256 = 'sha3-256',
  SHA3_384 = 'sha3-384',
  SHA3_512 = 'sha3-512',
}

/** A signature over random data that tests a managed key. */
export interface TestSign {
  /**
   * The hash algorithm.
   *
   * @default - `SHA2_256`; for a key in Google Cloud KMS, that of its algorithm
   */
  readonly hashAlgorithm?: SignatureHash | undefined;

  /**
   * Whether to sign with PSS, which RSA keys can.
   *
   * @default false; for a key in Google Cloud KMS, that of its algorithm
   */
  readonly usePss?: boolean | undefined;

  /**
   * Whether to test the key whenever Terraform reads it as well, so that a plan fails if the key no
   * longer works.
   *
   * @default false
   */
  readonly onRefresh?: boolean | undefined;
}
