/** A PKCS#11 mechanism for which servers can generate keys. */
export interface Mechanism {
  readonly name: string;
  /** The value of the field `mechanism`: `0x0001`. */
  readonly text: string;
  readonly keyFamily: 'RSA' | 'ECDSA';
}

/** The mechanisms for which servers can generate keys. A key that exists may use any other. */
export const MECHANISMS: readonly Mechanism[] = [
  { name: 'CKM_RSA_PKCS', text: '0x0001', keyFamily: 'RSA' },
  { name: 'CKM_RSA_PKCS_OAEP', text: '0x0009', keyFamily: 'RSA' },
  { name: 'CKM_RSA_PKCS_PSS', text: '0x000D', keyFamily: 'RSA' },
  { name: 'CKM_ECDSA', text: '0x1041', keyFamily: 'ECDSA' },
];

/**
 * A number of limited length: writing one in decimal takes time that grows faster than its length.
 */
const HEX = /^0x[0-9a-f]{1,100}$/i;

/**
 * Returns the number of a mechanism from its hexadecimal text; `undefined` if it is not one.
 * Numbers of vendors may be long: up to 100 digits.
 */
export function mechanismNumber(text: string): bigint | undefined {
  return HEX.test(text) ? BigInt(text) : undefined;
}

/** Returns the hexadecimal text of a mechanism, with four digits or more: `0x000D`. */
export function mechanismText(number: number | bigint): string {
  return `0x${number.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Returns the mechanism of a hexadecimal text or a name, if servers can generate keys for it. */
export function findMechanism(textOrName: string): Mechanism | undefined {
  const number = mechanismNumber(textOrName);
  return MECHANISMS.find(({ name, text }) =>
    number === undefined ? name === textOrName : mechanismNumber(text) === number,
  );
}

/** A list of the supported mechanisms for messages: `0x0001 (CKM_RSA_PKCS), …`. */
export const SUPPORTED_MECHANISMS = MECHANISMS.map(({ name, text }) => `${text} (${name})`).join(', ');
