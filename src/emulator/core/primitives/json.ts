import { isSafeNumber, parse, stringify } from 'lossless-json';
import { isNestedDeeper, LONGEST_NUMBER } from '../../../text';

/** A value of JSON, as it is stored or sent. Integers beyond 2^53 are bigints. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a key with its value, the form in which storages are written to files. */
export function isJsonEntry(value: Json): value is readonly [key: string, value: Json] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

/**
 * The server's maximum for the nesting of lists and objects. Stored values can be a little deeper.
 */
export const MAX_REQUEST_DEPTH = 300;
const MAX_DEPTH = MAX_REQUEST_DEPTH + 20;
/** The server's default maximum for the entries of an object or list in a request. */
export const MAX_REQUEST_ENTRIES = 10_000;

const LONG_NUMBER = /\d{16}/;

/**
 * Parses JSON without rounding integers.
 *
 * @throws SyntaxError if the text is not JSON, is nested too deeply to be stored, or has a number
 *   of more than a thousand characters.
 */
export function parseJson(text: string): Json {
  if (isNestedDeeper(text, MAX_DEPTH)) throw new SyntaxError('JSON is nested too deeply');
  return LONG_NUMBER.test(text) ? (parse(text, undefined, parseNumber) as Json) : (JSON.parse(text) as Json);
}

function parseNumber(text: string): number | bigint {
  if (text.length > LONGEST_NUMBER) throw new SyntaxError('a number is too long');
  return isSafeNumber(text) || !/^-?\d+$/.test(text) ? Number(text) : BigInt(text);
}

export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Plain JSON refuses bigints. They are rare, so only values with bigints use the slower
    // library.
    if (error instanceof TypeError) return stringify(value) as string;
    throw error;
  }
}
