import { isStringMap, stringSet } from './coerce';
import type { Field, FieldValues, Finding, ObjectDefinition } from './field';
import { nearestOf } from '../../text';
import { literal, literals, phrase, set, type Phrase } from '../messages';

/**
 * Checks `values` against the facts of every field of `definition` and against its rules. A field
 * or rule that needs an unknown value is not checked.
 *
 * @param unknown fields whose value is decided later (Terraform's unknown values, CDK tokens).
 */
export function validate(
  definition: Pick<ObjectDefinition, 'fields' | 'rules'>,
  values: FieldValues,
  unknown: ReadonlySet<string> = new Set(),
): readonly Finding[] {
  const findings: Finding[] = [];
  const unchecked = new Set<string>(unknown);
  for (const [name, field] of Object.entries(definition.fields)) {
    const fault = unknown.has(name) ? undefined : faultOf(name, field, values[name]);
    if (!fault) continue;
    findings.push(fault);
    unchecked.add(name);
  }
  for (const rule of definition.rules) {
    if (rule.reads.some((name) => unchecked.has(name))) continue;
    for (const each of rule.check(values)) findings.push(each);
  }
  return findings;
}

function faultOf(name: string, field: Field, value: unknown): Finding | undefined {
  if (value === undefined || value === null) {
    return field.required ? finding(name, 'required', 'is required', set(name)) : undefined;
  }
  const { allowed, required } = field;
  if (!hasType(field, value)) {
    return {
      ...finding(name, 'type', `must be ${TYPE_NAMES[field.type]}`, `write ${TYPE_NAMES[field.type]}`),
      ...(!field.sensitive && typeof value !== 'object' && { received: literal(value) }),
    };
  }
  // An empty text means that no value is chosen, or that an earlier one is removed.
  const leftOut = value === '' && !required;
  if (allowed && !leftOut && !isAllowed(field, value)) {
    return {
      ...finding(name, 'allowed', 'must be one of the allowed values', choiceIn(allowed, value)),
      ...(!field.sensitive && { received: literal(value) }),
      allowed: literals(allowed),
    };
  }
  return undefined;
}

/**
 * The shortest text for which a misspelling is assumed: nearly all shorter texts are similar to
 * each other.
 */
const LONG_ENOUGH = 5;

/**
 * Returns the advice for a value that is not allowed. It names the allowed value that may be meant:
 * `ECDSA` for `EC`, `P256` for `p-256`.
 */
function choiceIn(allowed: readonly unknown[], value: unknown): Phrase {
  const given = plain(value);
  const texts = allowed.filter((each) => typeof each === 'string');
  const longer = given === '' ? [] : texts.filter((each) => plain(each).startsWith(given));
  const similar =
    longer.length === 1 || given.length < LONG_ENOUGH ? longer : [nearestOf(given, texts, 2) ?? ''];
  return similar.length === 1 && similar[0] !== ''
    ? phrase`write ${literal(similar[0])}`
    : 'use one of the allowed values';
}

function plain(value: unknown): string {
  return String(value)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

export const TYPE_NAMES: Readonly<Record<Field['type'], string>> = {
  string: 'text',
  integer: 'a whole number',
  boolean: 'true or false',
  duration: 'a number of seconds or a duration such as "24h"',
  string_set: 'a list of strings',
  string_list: 'a list of strings',
  string_map: 'a map of strings',
};

export function hasType(field: Field, value: unknown): boolean {
  switch (field.type) {
    case 'string':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'duration':
      return typeof value === 'string' || Number.isInteger(value);
    case 'string_set':
    case 'string_list':
      return stringSet(value) !== undefined;
    case 'string_map':
      return isStringMap(value);
  }
}

function isAllowed({ allowed = [], ignoreCase, default: fallback }: Field, value: unknown): boolean {
  const fold = (choice: unknown) =>
    ignoreCase && typeof choice === 'string' ? choice.toLowerCase() : choice;
  return value === fallback || allowed.some((choice) => fold(choice) === fold(value));
}

function finding(field: string, rule: string, problem: string, cure: Phrase): Finding {
  return { severity: 'error', rule: `${field}-${rule}`, field, problem, cure };
}
