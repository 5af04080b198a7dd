/** The hash that a test signature is made over. Interface section 4.1. */
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

/** A signature over random data, as a trial of a managed key. Interface section 4.1. */
export interface TestSign {
  /**
   * The hash that is signed.
   *
   * @default - SHA2_256; that of the algorithm, for a key in Google Cloud KMS
   */
  readonly hashAlgorithm?: SignatureHash | undefined;

  /**
   * Sign with PSS, which is for RSA keys.
   *
   * @default false; that of the algorithm, for a key in Google Cloud KMS
   */
  readonly usePss?: boolean | undefined;

  /**
   * Try the key whenever Terraform reads it, too: a plan then fails where the key does not work any more.
   *
   * @default false
   */
  readonly onRefresh?: boolean | undefined;
}
