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

/** The names of further mechanisms in the standard, by their numbers. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  '0x0003': 'CKM_RSA_X_509',
  '0x0006': 'CKM_SHA1_RSA_PKCS',
  '0x000E': 'CKM_SHA1_RSA_PKCS_PSS',
  '0x0040': 'CKM_SHA256_RSA_PKCS',
  '0x0041': 'CKM_SHA384_RSA_PKCS',
  '0x0042': 'CKM_SHA512_RSA_PKCS',
  '0x0043': 'CKM_SHA256_RSA_PKCS_PSS',
  '0x0044': 'CKM_SHA384_RSA_PKCS_PSS',
  '0x0045': 'CKM_SHA512_RSA_PKCS_PSS',
  '0x0251': 'CKM_SHA256_HMAC',
  '0x1042': 'CKM_ECDSA_SHA1',
  '0x1044': 'CKM_ECDSA_SHA256',
  '0x1045': 'CKM_ECDSA_SHA384',
  '0x1046': 'CKM_ECDSA_SHA512',
  '0x1082': 'CKM_AES_CBC',
  '0x1085': 'CKM_AES_CBC_PAD',
  '0x1087': 'CKM_AES_GCM',
};

/**
 * A hexadecimal number of limited length, because the time for writing it in decimal grows faster
 * than its length.
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

/** Returns the name of a mechanism from its hexadecimal text; `undefined` if it is not known. */
export function mechanismName(text: unknown): string | undefined {
  const number = typeof text === 'string' ? mechanismNumber(text) : undefined;
  if (number === undefined) return undefined;
  const normalized = mechanismText(number);
  return findMechanism(normalized)?.name ?? OTHER_NAMES[normalized];
}

/** Returns the hexadecimal text of a mechanism from its name; `undefined` if it is not known. */
export function mechanismOfName(name: string): string | undefined {
  const others = Object.entries(OTHER_NAMES).map(([text, other]) => ({ text, name: other }));
  return [...MECHANISMS, ...others].find((each) => each.name === name)?.text;
}

/** A list of the supported mechanisms for messages: `0x0001 (CKM_RSA_PKCS), …`. */
export const SUPPORTED_MECHANISMS = MECHANISMS.map(({ name, text }) => `${text} (${name})`).join(', ');
