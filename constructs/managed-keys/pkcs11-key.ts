import { brand } from '../private/brand';
import { MECHANISMS } from '../../src/model';
import { isUnknown } from '../private/known';
import { notAMechanism } from '../private/messages';
import type { KeySpec } from './key-spec';

/** A PKCS#11 mechanism. */
export class Pkcs11Mechanism {
  /** RSA with PKCS#1 v1.5. */
  public static readonly RSA_PKCS: Pkcs11Mechanism = new Pkcs11Mechanism('0x0001');
  /** RSA with OAEP. */
  public static readonly RSA_PKCS_OAEP: Pkcs11Mechanism = new Pkcs11Mechanism('0x0009');
  /** RSA with PSS. */
  public static readonly RSA_PKCS_PSS: Pkcs11Mechanism = new Pkcs11Mechanism('0x000D');
  /** ECDSA. */
  public static readonly ECDSA: Pkcs11Mechanism = new Pkcs11Mechanism('0x1041');

  /**
   * Any other mechanism. Servers can use keys with it, but cannot generate them.
   *
   * @param mechanism its number in hexadecimal, such as `0x1085`, or the name of one of the
   *   constants, such as `CKM_ECDSA`.
   */
  public static of(mechanism: string): Pkcs11Mechanism {
    const named = MECHANISMS.find(({ name }) => name === mechanism);
    if (!named && !isUnknown(mechanism) && !/^0x[0-9a-f]+$/i.test(mechanism)) {
      throw notAMechanism(mechanism, MECHANISMS.map(({ name }) => name).join(', '));
    }
    return new Pkcs11Mechanism(named?.text ?? mechanism);
  }

  private constructor(
    /** @internal */
    public readonly _text: string,
  ) {
    brand(this, 'Pkcs11Mechanism');
  }
}

/** The hash algorithm of RSA-OAEP encryption. */
export enum RsaOaepHash {
  SHA1 = 'sha1',
  SHA224 = 'sha224',
  SHA256 = 'sha256',
  SHA384 = 'sha384',
  SHA512 = 'sha512',
}

/** The properties of a key in an HSM, reached through PKCS#11. */
export interface Pkcs11KeyProps {
  /**
   * The name of the `kms_library` stanza in the server's configuration that specifies the library
   * to load.
   */
  readonly library: string;

  /** The mechanism that the key is used with. */
  readonly mechanism: Pkcs11Mechanism;

  /**
   * The PIN of the token. It must be a reference, such as `VaultSecret.fromVariable('hsm_pin')`.
   */
  readonly pin: string;

  /**
   * The version of the secrets. Raise it with every change of the PIN, so that Terraform writes the
   * new value.
   *
   * Terraform does not store secrets, so it cannot detect that they have changed.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * The label of the key, which a generated key gets.
   *
   * @default - the key is found by `keyId`
   */
  readonly keyLabel?: string | undefined;

  /**
   * The id that the HSM gave to the key. The key must already exist.
   *
   * @default - the key is found by `keyLabel`
   */
  readonly keyId?: string | undefined;

  /**
   * The number of the slot, in decimal digits.
   *
   * @default - the slot is found by `tokenLabel`
   */
  readonly slot?: string | undefined;

  /**
   * The label of the token in the slot.
   *
   * @default - the slot is found by `slot`
   */
  readonly tokenLabel?: string | undefined;

  /**
   * The size of an RSA key, or the curve of an ECDSA key. Required if the key may be generated.
   *
   * @default - that of the key that exists
   */
  readonly keySpec?: KeySpec | undefined;

  /**
   * Whether every operation opens a read-write session, as the library of AWS CloudHSM requires.
   *
   * @default false
   */
  readonly forceRwSession?: boolean | undefined;

  /**
   * The maximum number of concurrent requests to the HSM.
   *
   * @default 1
   */
  readonly maxParallel?: number | undefined;

  /**
   * The hash algorithm of RSA-OAEP encryption, with `Pkcs11Mechanism.RSA_PKCS_OAEP`. Requires Vault
   * 2.0.
   *
   * @default - chosen by the server
   */
  readonly rsaOaepHash?: RsaOaepHash | undefined;
}
