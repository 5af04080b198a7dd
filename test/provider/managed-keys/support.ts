/** Configurations of managed keys for the tests. */

/** The smallest configuration of each backend. Its secrets are write-only. */
export const BACKENDS = {
  pkcs11: {
    library: 'softhsm',
    key_label: 'signing',
    slot: '2305843009213693953',
    mechanism: '0x0001',
    key_bits: 2048,
    pin_wo: '1234',
    pin_wo_version: 1,
  },
  awskms: {
    kms_key: 'alias/signing',
    key_type: 'ECDSA',
    curve: 'P256',
    access_key_wo: 'AKIA',
    access_key_wo_version: 1,
    secret_key_wo: 'wJalrXUtnFEMI',
    secret_key_wo_version: 1,
  },
  azurekeyvault: {
    tenant_id: 'tenant',
    vault_name: 'vault',
    key_name: 'signing',
    key_type: 'RSA-HSM',
    key_bits: 2048,
    client_id: 'client',
    client_secret_wo: 'Q8xyz-abc',
    client_secret_wo_version: 1,
  },
  gcpckms: {
    key_ring: 'ring',
    crypto_key: 'signing',
    project: 'project',
    region: 'europe-west1',
    algorithm: 'EC_SIGN_P256_SHA256',
    credentials_wo: '/etc/vault/gcp.json',
    credentials_wo_version: 1,
  },
} as const;

export type BackendName = keyof typeof BACKENDS;

/** An expression of Terraform's language, written without quotes. */
export class Expression {
  constructor(readonly text: string) {}
}

export type Value = string | number | boolean | readonly string[] | Expression;
export type BlockValues = Readonly<Record<string, Value>>;

/** The block of a backend without some of its arguments. */
export function without(block: BlockValues, ...names: readonly string[]): BlockValues {
  return Object.fromEntries(Object.entries(block).filter(([name]) => !names.includes(name)));
}

/** Returns a resource `vaultadmin_managed_key`. Values that are objects become blocks. */
export function managedKey(values: Readonly<Record<string, Value | BlockValues>>, name = 'it'): string {
  return `resource "vaultadmin_managed_key" "${name}" {\n${body(values, '  ')}}\n`;
}

function body(values: Readonly<Record<string, Value | BlockValues>>, indent: string): string {
  return Object.entries(values)
    .map(([key, value]) =>
      isBlock(value)
        ? `${indent}${key} {\n${body(value, `${indent}  `)}${indent}}\n`
        : `${indent}${key} = ${value instanceof Expression ? value.text : JSON.stringify(value)}\n`,
    )
    .join('');
}

function isBlock(value: Value | BlockValues): value is BlockValues {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Expression);
}
