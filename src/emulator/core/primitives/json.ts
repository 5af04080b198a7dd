import { isSafeNumber, parse, stringify } from 'lossless-json';

/** What JSON can hold: everything that is stored or sent. Integers beyond 2^53 are bigints. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a key with its value, as storages are written down. */
export function isJsonEntry(value: Json): value is readonly [key: string, value: Json] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === 'string';
}

const LONG_NUMBER = /\d{16}/;

/**
 * Parses JSON without rounding integers.
 *
 * @throws SyntaxError where the text is no JSON.
 */
export function parseJson(text: string): Json {
  return LONG_NUMBER.test(text) ? (parse(text, undefined, parseNumber) as Json) : (JSON.parse(text) as Json);
}

function parseNumber(text: string): number | bigint {
  return isSafeNumber(text) || !/^-?\d+$/.test(text) ? Number(text) : BigInt(text);
}

export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Plain JSON refuses bigints, which are rare: only they pay for the slower way.
    if (error instanceof TypeError) return stringify(value) as string;
    throw error;
  }
}
