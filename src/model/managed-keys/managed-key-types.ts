import { AWS_KMS, type AwsKmsValues } from './awskms';
import { AZURE_KEY_VAULT, type AzureKeyVaultValues } from './azurekeyvault';
import type { CommonValues } from './common-fields';
import { GCP_CKMS, type GcpCkmsValues } from './gcpckms';
import { MANAGED_KEY_TYPES, type ManagedKeyBackend, type ManagedKeyTypeName } from './managed-key-type';
import { PKCS11, type Pkcs11Values } from './pkcs11';

/** The backends by name, in the order of the interface document. Interface section 2.1. */
export const MANAGED_KEY_BACKENDS: Readonly<Record<ManagedKeyTypeName, ManagedKeyBackend>> = {
  pkcs11: PKCS11,
  awskms: AWS_KMS,
  azurekeyvault: AZURE_KEY_VAULT,
  gcpckms: GCP_CKMS,
};

/** What is configured of the managed keys of each backend, by the interface's field names and in the one form. */
export interface ManagedKeyValues {
  readonly pkcs11: CommonValues & Pkcs11Values;
  readonly awskms: CommonValues & AwsKmsValues;
  readonly azurekeyvault: CommonValues & AzureKeyVaultValues;
  readonly gcpckms: CommonValues & GcpCkmsValues;
}

/** The backend of a name; nothing where there is none. */
export function managedKeyBackendOf(name: string): ManagedKeyBackend | undefined {
  const known = MANAGED_KEY_TYPES.find((type) => type === name);
  return known && MANAGED_KEY_BACKENDS[known];
}
