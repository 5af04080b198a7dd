import type { KeyCurve } from './key-curve';

/**
 * The PKCS#11 mechanisms for which servers can generate keys. Any other one is written as its hexadecimal number.
 * Interface section 2.1.
 */
export class Pkcs11Mechanism {
  /** RSA with PKCS#1 v1.5. */
  public static readonly RSA_PKCS: string = '0x0001';
  /** RSA with OAEP. */
  public static readonly RSA_PKCS_OAEP: string = '0x0009';
  /** RSA with PSS. */
  public static readonly RSA_PKCS_PSS: string = '0x000D';
  /** ECDSA. */
  public static readonly ECDSA: string = '0x1041';

  private constructor() {}
}

/** A key in an HSM. */
export interface Pkcs11KeyProps {
  /** Name of the `kms_library` stanza in the server's configuration that says which library to load. */
  readonly library: string;

  /** The mechanism: one of `Pkcs11Mechanism` or its name, such as `CKM_ECDSA`, or a hexadecimal number: `0x000D`. */
  readonly mechanism: string;

  /** The PIN for login to the token. It has to be a reference, such as `VaultSecret.fromVariable('hsm_pin')`. */
  readonly pin: string;

  /**
   * To be raised with every change of the PIN, for Terraform to write it anew: it cannot compare what it does not
   * store.
   *
   * @default 1
   */
  readonly secretsVersion?: number;

  /**
   * Label of the key. A generated key gets it.
   *
   * @default - the key is found by `keyId`
   */
  readonly keyLabel?: string;

  /**
   * Id of the key, which the HSM has made. It is an error if there is no such key.
   *
   * @default - the key is found by `keyLabel`
   */
  readonly keyId?: string;

  /**
   * Number of the slot, in decimal digits.
   *
   * @default - the slot is found by `tokenLabel`
   */
  readonly slot?: string;

  /**
   * Label of the slot's token.
   *
   * @default - the slot is found by `slot`
   */
  readonly tokenLabel?: string;

  /**
   * The curve, where the mechanism is ECDSA. Needed if the key may be generated.
   *
   * @default - none
   */
  readonly curve?: KeyCurve;

  /**
   * Size of the key in bits, where the mechanism is one for RSA: 2048, 3072 or 4096. Needed if the key may be
   * generated.
   *
   * @default - none
   */
  readonly keyBits?: number;

  /**
   * Open a read-write session for every operation, which AWS CloudHSM's library needs.
   *
   * @default false
   */
  readonly forceRwSession?: boolean;

  /**
   * How many requests may be in flight to the HSM at the same time.
   *
   * @default 1
   */
  readonly maxParallel?: number;
}
