import { brand } from '../private/brand';
import { KEY_CURVES, RSA_KEY_BITS, type FieldValues } from '../../src/model';
import { isUnknown } from '../private/known';
import { notAKeySpec } from '../private/messages';

/** The elliptic curve of a managed key. */
export enum KeyCurve {
  /** NIST P-256. */
  P256 = 'P256',
  /** NIST P-384. */
  P384 = 'P384',
  /** NIST P-521. */
  P521 = 'P521',
}

/** The cryptographic configuration of a managed key: its algorithm, with its size or its curve. */
export class KeySpec {
  /**
   * An RSA key.
   *
   * @param bits the size of the key: 2048, 3072 or 4096.
   */
  public static rsa(bits: number): KeySpec {
    if (!isUnknown(bits) && !isOneOf(RSA_KEY_BITS, bits)) {
      throw notAKeySpec('KeySpec.rsa', bits, RSA_KEY_BITS.join(', '), 'KeySpec.rsa(3072)');
    }
    return new KeySpec('RSA', { key_bits: bits });
  }

  /** An elliptic curve key, which signs with ECDSA. */
  public static ecc(curve: KeyCurve): KeySpec {
    if (!isUnknown(curve) && !isOneOf(KEY_CURVES, curve)) {
      const allowed = KEY_CURVES.map((name) => `KeyCurve.${name}`).join(', ');
      throw notAKeySpec('KeySpec.ecc', curve, allowed, 'KeySpec.ecc(KeyCurve.P256)');
    }
    return new KeySpec('ECDSA', { curve });
  }

  private constructor(
    /** @internal */
    public readonly _family: 'RSA' | 'ECDSA',
    /**
     * The fields of the model.
     *
     * @internal
     */
    public readonly _fields: FieldValues,
  ) {
    brand(this, 'KeySpec');
  }
}

function isOneOf(allowed: readonly unknown[], value: unknown): boolean {
  return allowed.includes(value);
}
