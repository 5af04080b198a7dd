import { brand } from '../private/brand';
import type { FieldValues } from '../../src/model';

/** How snapshots are encrypted in a bucket of AWS S3. */
export class S3Encryption {
  /**
   * Encryption with a key of AWS KMS.
   *
   * @param key the key's id, ARN or alias. Default: the bucket's own key.
   */
  public static kms(key?: string): S3Encryption {
    return new S3Encryption({
      aws_s3_enable_kms: true,
      aws_s3_kms_key: key,
      aws_s3_server_side_encryption: undefined,
    });
  }

  /** Encryption with AES-256 and keys that S3 manages. */
  public static aes256(): S3Encryption {
    return new S3Encryption({
      aws_s3_enable_kms: undefined,
      aws_s3_kms_key: undefined,
      aws_s3_server_side_encryption: true,
    });
  }

  private constructor(
    /**
     * All fields of the model about encryption.
     *
     * @internal
     */
    public readonly _fields: FieldValues,
  ) {
    brand(this, 'S3Encryption');
  }
}
