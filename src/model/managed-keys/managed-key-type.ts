import type { Field, FieldValues, ObjectDefinition, Rule } from '../definition/field';
import { COMMON_FIELDS } from './common-fields';
import { COMMON_RULES, requiredTexts } from './common-rules';
import type { KeySpec } from './key-spec';
import { notRedactedRules } from './redacted';

/** The backends, by the names that stand in paths. */
export const MANAGED_KEY_TYPES = ['pkcs11', 'awskms', 'azurekeyvault', 'gcpckms'] as const;
export type ManagedKeyTypeName = (typeof MANAGED_KEY_TYPES)[number];

/** A backend that keeps keys. */
export interface ManagedKeyBackend {
  readonly type: ManagedKeyTypeName;
  /** In sentences: `AWS KMS`. */
  readonly title: string;
  readonly doc: string;
  /** The fields that keys of this backend have beyond the common ones. */
  readonly fields: Readonly<Record<string, Field>>;
  /** A whole managed key of this backend: common fields and its own. */
  readonly definition: ObjectDefinition;
  /**
   * What a configuration without findings says of the key itself; nothing where it does not tell which family of keys
   * it is.
   */
  keySpec(values: FieldValues): KeySpec | undefined;
}

/** What all managed keys have in common, whatever their backend. Interface sections 2.1 and 4.1. */
export const MANAGED_KEY: ObjectDefinition = {
  name: 'managed_key',
  title: 'managed key',
  path: 'sys/managed-keys',
  edition: 'enterprise',
  restricted: true,
  doc: 'A named reference to a key in an external backend: an HSM through PKCS#11, or a cloud key-management service.',
  section: '2.1',
  fields: COMMON_FIELDS,
  rules: COMMON_RULES,
};

export function managedKeyBackend(
  facts: Omit<ManagedKeyBackend, 'definition'>,
  rules: readonly Rule[],
): ManagedKeyBackend {
  return {
    ...facts,
    definition: {
      ...MANAGED_KEY,
      path: `${MANAGED_KEY.path}/${facts.type}`,
      doc: facts.doc,
      fields: { ...COMMON_FIELDS, ...facts.fields },
      rules: [...COMMON_RULES, ...requiredTexts(facts.fields), ...notRedactedRules(facts.fields), ...rules],
    },
  };
}
