import { withDefinition, type Backend, type BackendFacts } from '../definition/backends';
import type { FieldValues, ObjectDefinition } from '../definition/field';
import { COMMON_FIELDS } from './common-fields';
import { COMMON_RULES, requiredTexts } from './common-rules';
import type { KeySpec } from './key-spec';
import { notRedactedRules } from './redacted';
import { MANAGED_KEY_PATH } from '../paths';

/** The types of backends, by their names in paths. */
export const MANAGED_KEY_TYPES = ['pkcs11', 'awskms', 'azurekeyvault', 'gcpckms'] as const;
export type ManagedKeyTypeName = (typeof MANAGED_KEY_TYPES)[number];

/** A service that holds keys. */
export interface ManagedKeyBackend extends Backend<ManagedKeyTypeName> {
  /**
   * Returns the facts about the key that follow from a valid configuration; `undefined` if the
   * key's family does not follow from it.
   */
  keySpec(values: FieldValues): KeySpec | undefined;
}

/** The part of the definition that managed keys of all backends have in common. */
export const MANAGED_KEY_BASE: ObjectDefinition = {
  name: 'managed_key',
  title: 'managed key',
  path: MANAGED_KEY_PATH,
  edition: 'enterprise',
  restricted: true,
  doc: 'A named reference to a key in an external backend: an HSM through PKCS#11, or a cloud key-management service.',
  fields: COMMON_FIELDS,
  rules: COMMON_RULES,
};

export function managedKeyBackend(facts: Omit<BackendFacts<ManagedKeyBackend>, 'block'>): ManagedKeyBackend {
  const { type, doc, fields } = facts;
  const rules = [...requiredTexts(fields), ...notRedactedRules(fields), ...facts.rules];
  return withDefinition(
    MANAGED_KEY_BASE,
    { ...facts, block: type, rules },
    { path: `${MANAGED_KEY_PATH}/${type}`, doc },
  );
}
