import { awskms } from './awskms';
import { azurekeyvault } from './azurekeyvault';
import { gcpckms } from './gcpckms';
import { MANAGED_KEY_TYPES, type ManagedKeyType, type ManagedKeyTypeName } from './managed-key-type';
import { pkcs11 } from './pkcs11';

/** The backends by name, in the order of the interface document. Interface section 2.1. */
export const managedKeyTypes: Readonly<Record<ManagedKeyTypeName, ManagedKeyType>> = {
  pkcs11,
  awskms,
  azurekeyvault,
  gcpckms,
};

/** The backend of a name; nothing where there is none. */
export function managedKeyTypeOf(name: string): ManagedKeyType | undefined {
  const known = MANAGED_KEY_TYPES.find((type) => type === name);
  return known && managedKeyTypes[known];
}
