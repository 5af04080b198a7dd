import { stringSet } from '../definition/coerce';
import type { Field, FieldValues, Rule } from '../definition/field';
import { genericNameRule, lowerCaseNameRule } from '../definition/generic-name';
import { fieldsRule, notEmptyRule, setRule, type FieldsRead, type Problem } from '../definition/rules';
import { DEFAULT_KEY_USAGES, KEY_USAGES, parseKeyUsage } from './usages';
import { set, literal, literals } from '../messages';

export const COMMON_RULES: readonly Rule[] = [
  genericNameRule(),
  lowerCaseNameRule(),
  fieldsRule(['usages'], 'usages-not-empty', ({ usages }) =>
    stringSet(usages)?.length === 0
      ? {
          problem: 'must name at least one usage',
          received: literal(usages),
          cure: `list the intended usages, or remove it for the default of ${DEFAULT_KEY_USAGES.join(' and ')}`,
        }
      : undefined,
  ),
  setRule('usages', 'usages-known', (usages) =>
    usages
      .filter((usage) => parseKeyUsage(usage) === undefined)
      .map((usage) => ({
        problem: 'contains a usage that does not exist',
        received: literal(usage),
        allowed: literals(KEY_USAGES),
        cure: 'list the intended usages',
      })),
  ),
];

/** Returns the rules that required texts are not empty. The name has its own rules. */
export function requiredTexts(fields: Readonly<Record<string, Field>>): readonly Rule[] {
  return Object.entries(fields)
    .filter(([, { type, required, allowed }]) => type === 'string' && required && allowed === undefined)
    .map(([name]) => notEmptyRule(name, set(name)));
}

/** Returns a rule for configurations with which the server may generate the key. */
export function generationRule(
  reads: FieldsRead,
  id: string,
  check: (values: FieldValues) => Problem | undefined,
): Rule {
  return fieldsRule([...reads, 'allow_generate_key'], id, (values) =>
    values.allow_generate_key === true ? check(values) : undefined,
  );
}

/**
 * Whether a field of any type is set. An empty text or a size of 0 counts as a field that is left
 * out.
 */
export function isSet(values: FieldValues, field: string): boolean {
  const value = values[field];
  return value !== undefined && value !== null && value !== '' && value !== 0;
}
