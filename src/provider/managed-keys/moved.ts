import type { ManagedKeyTypeName } from '../../model';
import type { AttributeValues } from '../objects';
import { severalKeysMoved } from './messages';

/** The blocks of `vault_managed_keys`, which holds the keys of all backends. */
const BACKENDS_OF_BLOCKS: Readonly<Record<string, ManagedKeyTypeName>> = {
  aws: 'awskms',
  azure: 'azurekeyvault',
  gcp: 'gcpckms',
  pkcs: 'pkcs11',
};

/**
 * Where the key of a state of `vault_managed_keys` is. The first read fills in the rest, as after an import.
 *
 * @throws DiagnosticError unless there is exactly one: a `moved` block cannot say which.
 */
export function onlyKeyOf(state: AttributeValues): AttributeValues {
  const { namespace = null } = state;
  const keys = Object.entries(BACKENDS_OF_BLOCKS).flatMap(([block, type]) => {
    const entries = Array.isArray(state[block]) ? (state[block] as readonly AttributeValues[]) : [];
    return entries.map(({ name }) => ({ namespace, name, type }));
  });
  const [only, ...others] = keys;
  if (only === undefined || others.length > 0) {
    throw severalKeysMoved(keys.map(({ type, name }) => `${type}/${String(name)}`).sort());
  }
  return only;
}
