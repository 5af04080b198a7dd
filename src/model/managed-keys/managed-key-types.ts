import { awskms, type AwsKmsValues } from './awskms';
import { azurekeyvault, type AzureKeyVaultValues } from './azurekeyvault';
import type { CommonValues } from './common-fields';
import { gcpckms, type GcpCkmsValues } from './gcpckms';
import { MANAGED_KEY_TYPES, type ManagedKeyType, type ManagedKeyTypeName } from './managed-key-type';
import { pkcs11, type Pkcs11Values } from './pkcs11';

/** The backends by name, in the order of the interface document. Interface section 2.1. */
export const managedKeyTypes: Readonly<Record<ManagedKeyTypeName, ManagedKeyType>> = {
  pkcs11,
  awskms,
  azurekeyvault,
  gcpckms,
};

/** What is configured of the managed keys of each backend, by the interface's field names and in the one form. */
export interface ManagedKeyValues {
  readonly pkcs11: CommonValues & Pkcs11Values;
  readonly awskms: CommonValues & AwsKmsValues;
  readonly azurekeyvault: CommonValues & AzureKeyVaultValues;
  readonly gcpckms: CommonValues & GcpCkmsValues;
}

/** The backend of a name; nothing where there is none. */
export function managedKeyTypeOf(name: string): ManagedKeyType | undefined {
  const known = MANAGED_KEY_TYPES.find((type) => type === name);
  return known && managedKeyTypes[known];
}
