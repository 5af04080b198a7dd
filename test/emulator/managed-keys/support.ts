import { generateKeyPairSync } from 'node:crypto';

/** The required fields of a managed key for each backend, with Vault's names. */
export const LEAST = {
  pkcs11: { library: 'hsm', key_label: 'k', mechanism: '0x1041', pin: '1234', slot: '5' },
  awskms: { kms_key: 'alias/k', key_type: 'ECDSA', curve: 'P256' },
  azurekeyvault: { tenant_id: 't', vault_name: 'v', key_name: 'k', key_type: 'RSA-HSM' },
  gcpckms: { key_ring: 'r', crypto_key: 'k', algorithm: 'EC_SIGN_P256_SHA256' },
} as const;

let rsaKey: string | undefined;

/**
 * Returns the RSA key of 2048 bits that all tests of a file share, because generating one is slow.
 */
export function rsaPrivateKey(): string {
  rsaKey ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  return rsaKey;
}

/** Returns the status and the first text of a refusal. */
export function refusal(answer: {
  readonly status: number;
  readonly body: { readonly errors: readonly string[] };
}) {
  return { status: answer.status, text: answer.body.errors[0] };
}
