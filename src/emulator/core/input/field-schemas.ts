import { DurationError, parseDuration } from '../../../model';
import { invalidRequest } from '../errors';
import type { Json, JsonObject } from '../primitives/json';

/** The types that fields decode to. Durations are whole seconds. */
export interface FieldTypes {
  string: string;
  lower_case_string: string;
  boolean: boolean;
  integer: number;
  /** Seconds, or text such as `24h`; not negative. */
  duration: number;
  signed_duration: number;
  /** An array, or one value, which becomes an array of one. */
  string_list: readonly string[];
  /** An array, or one comma-separated text; entries are trimmed. */
  comma_string_list: readonly string[];
  /** An array, or one comma-separated text. */
  comma_integer_list: readonly number[];
  /** An object of texts, or a list of `key=value`. */
  key_values: Readonly<Record<string, string>>;
  object: JsonObject;
  list: readonly Json[];
  /** Any value, as it was sent. */
  any: Json;
}

export type FieldSchemaType = keyof FieldTypes;

export interface FieldSchema {
  readonly type: FieldSchemaType;
  /**
   * Whether the field is in the path. It is then always set, and takes precedence over the body.
   */
  readonly path?: true;
  readonly default?: FieldTypes[FieldSchemaType];
  /** The description for `?help=1`. */
  readonly description?: string;
}

export type FieldSchemas = Readonly<Record<string, FieldSchema>>;

/** The decoded fields of a request. Fields that were not sent and have no default are undefined. */
export type Decoded<F extends FieldSchemas> = {
  readonly [Name in keyof F]: F[Name] extends { path: true } | { default: unknown }
    ? FieldTypes[F[Name]['type']]
    : FieldTypes[F[Name]['type']] | undefined;
};

/** The values of fields, all of them defined. */
export type FieldData<F extends FieldSchemas> = { readonly [Name in keyof F]: FieldTypes[F[Name]['type']] };

/** Returns the stored values, replaced by the values that were sent. */
export function updated<T extends JsonObject>(stored: T, sent: { readonly [Name in keyof T]?: unknown }): T {
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, sent[name] ?? value])) as T;
}

/**
 * Decodes a request's fields. Fields in the path take precedence over the body.
 *
 * @throws LogicalError 400 if a value is not valid for its field.
 */
export function decodeFields<F extends FieldSchemas>(
  schemas: F,
  body: JsonObject,
  captures: Readonly<Record<string, string>> = {},
): Decoded<F> {
  const data: Record<string, FieldTypes[FieldSchemaType] | undefined> = {};
  for (const name in schemas) {
    const schema: FieldSchema = schemas[name] as F[typeof name];
    const value = captures[name] ?? body[name];
    data[name] = value === undefined ? schema.default : decodeNamed(name, schema, value);
  }
  return data as Decoded<F>;
}

function decodeNamed(name: string, { type }: FieldSchema, value: Json): FieldTypes[FieldSchemaType] {
  try {
    return decodeField(type, value);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw invalidRequest(
      `Field validation failed: error converting input for field "${name}": ${error.message}`,
    );
  }
}

/**
 * The error for a value that is not valid for its field. The message has the reason, but not the
 * name of the field.
 */
export class FieldError extends Error {}

/**
 * Decodes one value like the server's framework, which converts types: `"7"` is an integer,
 * `"true"` a boolean, `"24h"` a duration, and `"a,b"` a list.
 *
 * @throws FieldError if the value is not valid.
 */
export function decodeField<T extends FieldSchemaType>(type: T, value: Json): FieldTypes[T];
export function decodeField(type: FieldSchemaType, value: Json): FieldTypes[FieldSchemaType] {
  switch (type) {
    case 'string':
      return decodeString(value);
    case 'lower_case_string':
      return decodeString(value).toLowerCase();
    case 'boolean':
      return decodeBoolean(value);
    case 'integer':
      return decodeInteger(value);
    case 'duration':
      return decodeDuration(value, 0);
    case 'signed_duration':
      return decodeDuration(value, -Infinity);
    case 'string_list':
      return decodeStringList(value);
    case 'comma_string_list':
      return typeof value === 'string' ? splitList(value) : decodeStringList(value);
    case 'comma_integer_list':
      return (typeof value === 'string' ? splitList(value) : decodeList(value)).map(decodeInteger);
    case 'key_values':
      return decodeKeyValues(value);
    case 'object':
      return decodeObject(value);
    case 'list':
      return decodeList(value);
    case 'any':
      return value;
  }
}

/**
 * Creates the server's error for a value of the wrong kind, with Go's names of types. It never
 * quotes the value.
 */
function mismatch(expected: 'string' | 'int' | 'bool', value: Json): FieldError {
  if (expected !== 'string' && (typeof value === 'string' || typeof value === 'number')) {
    const parser = expected === 'int' ? 'ParseInt' : 'ParseBool';
    return new FieldError(`'' cannot parse value as '${expected}': strconv.${parser}: invalid syntax`);
  }
  return new FieldError(`'' expected type '${expected}', got unconvertible type '${goType(value)}'`);
}

function goType(value: Json): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'json.Number';
}

function decodeString(value: Json): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value) && value.length === 0) return '';
  throw mismatch('string', value);
}

/** The texts that Go's `strconv.ParseBool` accepts. */
const BOOLEANS: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false])),
};

/**
 * Reads a boolean as the server does in queries and fields; `undefined` if the text is not a
 * boolean.
 */
export function parseBoolean(text: string): boolean | undefined {
  return Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
}

function decodeBoolean(value: Json): boolean {
  if (value === null || value === '') return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return value !== 0;
  const parsed = typeof value === 'string' ? parseBoolean(value) : undefined;
  if (parsed === undefined) throw mismatch('bool', value);
  return parsed;
}

const DECIMAL = /^[+-]?\d+$/;
const PREFIXED_INTEGER = /^[+-]?0(x[0-9a-f]+|o[0-7]+|b[01]+)$/i;

function decodeInteger(value: Json): number {
  if (value === null || value === '') return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'string' && (DECIMAL.test(value) || PREFIXED_INTEGER.test(value))) {
    const magnitude = Number(value.replace(/^[+-]/, ''));
    return value.startsWith('-') ? -magnitude : magnitude;
  }
  throw mismatch('int', value);
}

function decodeDuration(value: Json, lowest: number): number {
  if (value === null) return 0;
  if (typeof value !== 'number' && typeof value !== 'string') {
    throw new FieldError('could not parse duration from input');
  }
  const seconds = Math.trunc(parsedDuration(value));
  if (seconds < lowest) throw new FieldError(`cannot provide negative value '${seconds}'`);
  return seconds;
}

function parsedDuration(value: number | string): number {
  try {
    return parseDuration(value);
  } catch (error) {
    throw error instanceof DurationError ? new FieldError(error.message) : error;
  }
}

function decodeList(value: Json): readonly Json[] {
  if (value === null || value === '') return [];
  return Array.isArray(value) ? (value as readonly Json[]) : [value];
}

function decodeStringList(value: Json): readonly string[] {
  return decodeList(value).map((entry) => decodeString(entry).trim());
}

function splitList(text: string): readonly string[] {
  return text.trim() === '' ? [] : text.split(',').map((entry) => entry.trim());
}

function decodeObject(value: Json): JsonObject {
  if (value === null || (Array.isArray(value) && value.length === 0)) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  throw new FieldError(`'' expected a map, got '${goType(value)}'`);
}

function decodeKeyValues(value: Json): Readonly<Record<string, string>> {
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value as JsonObject).map(([key, entry]) => [key, decodeString(entry)]),
    );
  }
  return Object.fromEntries(
    decodeStringList(value).map((pair) => {
      const separator = pair.indexOf('=');
      if (separator < 1) throw new FieldError(`invalid key pair "${pair}"`);
      return [pair.slice(0, separator), pair.slice(separator + 1)];
    }),
  );
}
