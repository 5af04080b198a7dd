import { invalidRequest } from '../core/errors';
import {
  type Decoded,
  decodeFields,
  type FieldSchemas,
  type FieldSchemaType,
} from '../core/input/field-schemas';
import type { Json, JsonObject } from '../core/primitives/json';

/** The types of fields in bodies of the control API. */
const TYPES: {
  readonly [Type in FieldSchemaType]?: readonly [words: string, fits: (value: Json) => boolean];
} = {
  string: ['a string', isText],
  boolean: ['true or false', (value) => typeof value === 'boolean'],
  integer: ['a whole number', (value) => Number.isSafeInteger(value)],
  string_list: ['a list of strings', (value) => Array.isArray(value) && value.every(isText)],
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

/**
 * Decodes a body of the control API. The server takes `"7"` for 7 and ignores unknown fields; this
 * API does not.
 *
 * @throws LogicalError 400 with the field and its allowed values.
 */
export function strictFields<F extends FieldSchemas>(schemas: F, body: JsonObject): Decoded<F> {
  requireKnown('field', Object.keys(body), Object.keys(schemas));
  for (const [name, { type }] of Object.entries(schemas)) {
    const [words, fits] = TYPES[type] ?? [];
    if (Object.hasOwn(body, name) && fits?.(body[name]!) === false)
      throw invalidRequest(`${name}: ${JSON.stringify(body[name])} is not valid; allowed is ${words}`);
  }
  return decodeFields(schemas, body);
}

/** @throws LogicalError 400 if a name is not among those allowed. */
export function requireKnown(what: string, given: readonly string[], allowed: readonly string[]): void {
  const unknown = given.filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return;
  throw invalidRequest(
    `unknown ${what} "${unknown.join('", "')}": allowed are ${allowed.join(', ') || 'none'}`,
  );
}
