import type { Fields } from '../definition/field';
import { sameBy } from '../definition/same-meaning';
import type { ValuesOf } from '../definition/typed-values';
import { KEY_CURVES, RSA_KEY_BITS } from './key-spec';
import { managedKeyBackend, type ManagedKeyBackend } from './managed-key-backend';
import { findMechanism, mechanismName, SUPPORTED_MECHANISMS } from './mechanisms';
import { PKCS11_RULES } from './pkcs11-rules';
import { DECIMAL_TEXT, MECHANISM } from './value-forms';

/** The hash algorithms of RSA-OAEP encryption. */
const RSA_OAEP_HASHES = ['sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const;

const FIELDS = {
  library: {
    type: 'string',
    required: true,
    doc: "Name of the `kms_library` stanza in the server's configuration that specifies the library to load.",
  },
  key_label: {
    type: 'string',
    doc: 'Label of the key.',
    inputDoc: 'Either this or `key_id` is required. A generated key gets this label.',
  },
  key_id: {
    type: 'string',
    doc: 'Id of the key, assigned by the HSM.',
    inputDoc: 'The key must exist. Either this or `key_label` is required.',
  },
  mechanism: {
    type: 'string',
    required: true,
    sameMeaning: sameBy(MECHANISM.fromWire),
    valueName: mechanismName,
    doc: 'PKCS#11 mechanism as a hexadecimal string.',
    inputDoc: `Keys can be generated for ${SUPPORTED_MECHANISMS}; existing keys can be used with any mechanism.`,
  },
  pin: { type: 'string', required: true, sensitive: true, doc: 'PIN for login to the token.' },
  slot: {
    type: 'string',
    sameMeaning: sameBy(DECIMAL_TEXT.fromWire),
    doc: 'Number of the slot as a decimal string.',
    inputDoc: 'Either this or `token_label` is required.',
  },
  token_label: {
    type: 'string',
    doc: 'Label of the token in the slot.',
    inputDoc: 'Either this or `slot` is required.',
  },
  curve: {
    type: 'string',
    default: '',
    allowed: KEY_CURVES,
    doc: 'Curve of the key if the mechanism is CKM_ECDSA.',
    inputDoc: 'Required if the key may be generated.',
  },
  key_bits: {
    type: 'integer',
    default: 0,
    allowed: RSA_KEY_BITS,
    doc: 'Size of the key in bits if the mechanism is for RSA.',
    inputDoc: 'Required if the key may be generated.',
  },
  force_rw_session: {
    type: 'boolean',
    default: false,
    doc: 'Opens a read-write session for every operation, which the library of AWS CloudHSM requires.',
  },
  max_parallel: {
    type: 'integer',
    default: 1,
    // Servers may return 0 if the field was never set, which means the default of 1.
    sameMeaning: sameBy((requests) => Number(requests) || 1),
    doc: 'Maximum number of concurrent requests to the HSM.',
  },
  rsa_oaep_hash: {
    type: 'string',
    default: '',
    allowed: RSA_OAEP_HASHES,
    since: '2.0',
    doc: 'Hash algorithm of RSA-OAEP encryption if the mechanism is CKM_RSA_PKCS_OAEP. Requires Vault 2.0.',
  },
} as const satisfies Fields;
export type Pkcs11Values = ValuesOf<typeof FIELDS>;

/** Keys in an HSM, reached through PKCS#11. Needs a server built with HSM support. */
export const PKCS11: ManagedKeyBackend = managedKeyBackend({
  type: 'pkcs11',
  title: 'PKCS#11',
  doc: 'A managed key in an HSM, reached through PKCS#11. It requires a server built with support for HSMs.',
  fields: FIELDS,
  keySpec: ({ mechanism, key_bits: bits, curve }) => {
    const family = typeof mechanism === 'string' ? findMechanism(mechanism)?.keyFamily : undefined;
    if (family === undefined) return undefined;
    return family === 'RSA'
      ? { family, ...(typeof bits === 'number' && bits > 0 && { bits }) }
      : { family, ...(typeof curve === 'string' && curve !== '' && { curve }) };
  },
  rules: PKCS11_RULES,
});
