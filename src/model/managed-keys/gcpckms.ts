import type { Fields, Rule } from '../definition/field';
import { textRule } from '../definition/rules';
import type { ValuesOf } from '../definition/typed-values';
import type { HashAlgorithm, KeySpec } from './key-spec';
import { managedKeyBackend, type ManagedKeyBackend } from './managed-key-backend';

/** The signature algorithms of Google Cloud KMS. */
export const GCP_ALGORITHMS = [
  'EC_SIGN_P256_SHA256',
  'EC_SIGN_P384_SHA384',
  'RSA_SIGN_PSS_2048_SHA256',
  'RSA_SIGN_PSS_3072_SHA256',
  'RSA_SIGN_PSS_4096_SHA256',
  'RSA_SIGN_PSS_4096_SHA512',
  'RSA_SIGN_PKCS1_2048_SHA256',
  'RSA_SIGN_PKCS1_3072_SHA256',
  'RSA_SIGN_PKCS1_4096_SHA256',
  'RSA_SIGN_PKCS1_4096_SHA512',
] as const;
export type GcpAlgorithm = (typeof GCP_ALGORITHMS)[number];

const FIELDS = {
  credentials: {
    type: 'string',
    sensitive: true,
    doc:
      "Path of the credentials file on the server's machine. Default: `GOOGLE_CREDENTIALS` or " +
      "`GOOGLE_APPLICATION_CREDENTIALS` in the server's environment; if they are not set either, workload identity federation.",
  },
  project: {
    type: 'string',
    doc: "Google Cloud project of the key ring. Default: `GOOGLE_PROJECT` in the server's environment.",
  },
  region: {
    type: 'string',
    doc: "Region of the key ring. Default: `GOOGLE_REGION` in the server's environment.",
  },
  key_ring: {
    type: 'string',
    required: true,
    doc: 'Name of the key ring.',
    inputDoc: 'It must already exist.',
  },
  crypto_key: {
    type: 'string',
    required: true,
    doc: 'Name of the key.',
    inputDoc: 'A generated key gets this name.',
  },
  crypto_key_version: { type: 'string', default: '1', doc: 'Version of the key to use.' },
  algorithm: {
    type: 'string',
    required: true,
    allowed: GCP_ALGORITHMS,
    ignoreCase: true,
    doc: 'Signature algorithm of the key, in upper or lower case.',
  },
} as const satisfies Fields;
export type GcpCkmsValues = ValuesOf<typeof FIELDS>;

const CREDENTIALS_ARE_A_PATH: Rule = textRule('credentials', 'credentials-path', (credentials) =>
  /[{\n]/.test(credentials)
    ? {
        severity: 'warning',
        problem: 'seems to contain the credentials themselves, but the server expects the path of a file',
        allowed: "the path of the credentials file on the server's machine",
        cure: 'put the file on the servers, and set this to its path',
      }
    : undefined,
);

/** Keys in Google Cloud KMS. */
export const GCP_CKMS: ManagedKeyBackend = managedKeyBackend({
  type: 'gcpckms',
  title: 'Google Cloud KMS',
  doc: 'A managed key in Google Cloud KMS.',
  fields: FIELDS,
  keySpec: ({ algorithm }) => (typeof algorithm === 'string' ? gcpKeySpec(algorithm) : undefined),
  rules: [CREDENTIALS_ARE_A_PATH],
});

/**
 * Returns the family, padding, size and hash of a key from its algorithm:
 * `RSA_SIGN_PSS_2048_SHA256`.
 */
function gcpKeySpec(algorithm: string): KeySpec | undefined {
  const [, curve, padding, bits, hash] =
    /^(?:EC_SIGN_(P\d+)|RSA_SIGN_(PSS|PKCS1)_(\d+))_SHA(\d+)$/i.exec(algorithm) ?? [];
  if (hash === undefined) return undefined;
  const signature = { hash: `sha2-${hash}` as HashAlgorithm, pss: padding?.toUpperCase() === 'PSS' };
  return curve === undefined
    ? { family: 'RSA', bits: Number(bits), signature }
    : { family: 'ECDSA', curve: curve.toUpperCase(), signature };
}
