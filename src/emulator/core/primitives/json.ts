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

/** How deep lists and objects may lie in one another, as the server has it. What is stored lies a little deeper. */
export const MAX_REQUEST_DEPTH = 300;
const MAX_DEPTH = MAX_REQUEST_DEPTH + 20;

const LONG_NUMBER = /\d{16}/;

/**
 * Parses JSON without rounding integers.
 *
 * @throws SyntaxError if the text is not JSON, or is nested too deeply to be stored.
 */
export function parseJson(text: string): Json {
  if (isNestedDeeper(text, MAX_DEPTH)) throw new SyntaxError('JSON is nested too deeply');
  return LONG_NUMBER.test(text) ? (parse(text, undefined, parseNumber) as Json) : (JSON.parse(text) as Json);
}

/** Whether brackets lie deeper in one another, those within texts aside. Takes no account of whether it is JSON. */
export function isNestedDeeper(text: string, depth: number): boolean {
  let open = 0;
  // No pattern for whole texts: it would run out of stack in long ones.
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') at = endOfText(text, at);
    else if (character === '[' || character === '{') open++;
    else if (character === ']' || character === '}') open--;
    if (open > depth) return true;
  }
  return false;
}

/** Where a text that begins with a quotation mark ends. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charAt(end - 1 - backslashes) === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
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
