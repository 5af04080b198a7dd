import { backendOfType, type BackedObject } from '../definition/backends';
import { AWS_KMS, type AwsKmsValues } from './awskms';
import { AZURE_KEY_VAULT, type AzureKeyVaultValues } from './azurekeyvault';
import { MANAGED_KEY_BASE, type ManagedKeyBackend } from './managed-key-backend';
import type { CommonValues } from './common-fields';
import { GCP_CKMS, type GcpCkmsValues } from './gcpckms';
import { PKCS11, type Pkcs11Values } from './pkcs11';
import type { FieldValues } from '../definition/field';
import { differingFields } from '../definition/same-meaning';
import type { StoredManagedKey } from './wire';

/** Managed keys, each in one of the backends. */
export const MANAGED_KEY: BackedObject<ManagedKeyBackend> = {
  ...MANAGED_KEY_BASE,
  typeField: 'type',
  backends: { pkcs11: PKCS11, awskms: AWS_KMS, azurekeyvault: AZURE_KEY_VAULT, gcpckms: GCP_CKMS },
};

/** The backends by name, in the order of the reference. */
export const MANAGED_KEY_BACKENDS = MANAGED_KEY.backends;

/**
 * The configured values of managed keys by backend. Fields have the interface's names, and values
 * are normalized.
 */
export interface ManagedKeyValues {
  readonly pkcs11: CommonValues & Pkcs11Values;
  readonly awskms: CommonValues & AwsKmsValues;
  readonly azurekeyvault: CommonValues & AzureKeyVaultValues;
  readonly gcpckms: CommonValues & GcpCkmsValues;
}

/** Returns the backend of a name, or `undefined` if the name is not known. */
export function managedKeyBackendOf(name: string): ManagedKeyBackend | undefined {
  return backendOfType(MANAGED_KEY, name);
}

/**
 * Returns the names of the fields in which a stored key differs from a configuration. Fields that
 * the server does not show are never among them, because they cannot be compared.
 */
export function differingManagedKeyFields(
  { definition }: ManagedKeyBackend,
  wanted: FieldValues,
  stored: Pick<StoredManagedKey, 'fields' | 'hidden'>,
): readonly string[] {
  return differingFields(definition.fields, wanted, stored.fields).filter(
    (name) => !definition.fields[name]?.sensitive && !stored.hidden.includes(name),
  );
}
