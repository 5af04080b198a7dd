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
   * @param mechanism its number in hexadecimal, such as `0x1085`, or the name of one of the constants, such as `CKM_ECDSA`.
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
  ) {}
}

/** A key in an HSM. */
export interface Pkcs11KeyProps {
  /** Name of the `kms_library` stanza in the server's configuration that says which library to load. */
  readonly library: string;

  /** The mechanism that the key is used with. */
  readonly mechanism: Pkcs11Mechanism;

  /** The PIN for login to the token. It has to be a reference, such as `VaultSecret.fromVariable('hsm_pin')`. */
  readonly pin: string;

  /**
   * To be raised with every change of the PIN, for Terraform to write it anew: it cannot compare what it does not
   * store.
   *
   * @default 1
   */
  readonly secretsVersion?: number | undefined;

  /**
   * Label of the key. A generated key gets it.
   *
   * @default - the key is found by `keyId`
   */
  readonly keyLabel?: string | undefined;

  /**
   * Id of the key, which the HSM has made. It is an error if there is no such key.
   *
   * @default - the key is found by `keyLabel`
   */
  readonly keyId?: string | undefined;

  /**
   * Number of the slot, in decimal digits.
   *
   * @default - the slot is found by `tokenLabel`
   */
  readonly slot?: string | undefined;

  /**
   * Label of the slot's token.
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
   * Open a read-write session for every operation, which AWS CloudHSM's library needs.
   *
   * @default false
   */
  readonly forceRwSession?: boolean | undefined;

  /**
   * How many requests may be in flight to the HSM at the same time.
   *
   * @default 1
   */
  readonly maxParallel?: number | undefined;
}
