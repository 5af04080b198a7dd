import { collect, invalidRequest } from '../../core/errors';
import { decodeField, FieldError } from '../../core/request/fields';
import type { JsonObject } from '../../core/primitives/json';

type CustomMetadata = Readonly<Record<string, string>>;

const PREFIX = 'custom_metadata validation failed';
const MAX_KEYS = 64;
const MAX_KEY_LENGTH = 128;
const MAX_VALUE_LENGTH = 512;
const UNPRINTABLE = /[^\P{C}]/u;

/** Custom metadata of a secret. @throws LogicalError for what the server refuses. */
export function customMetadata(given: JsonObject): CustomMetadata {
  const texts = asTexts(given);
  checkLimits(texts);
  return texts;
}

/** Returns the metadata with updates; null removes a key. */
export function patchCustomMetadata(before: CustomMetadata | null, given: JsonObject): CustomMetadata {
  const kept = Object.entries(before ?? {}).filter(([key]) => given[key] !== null);
  const changes = customMetadata(
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
  );
  return { ...Object.fromEntries(kept), ...changes };
}

function asTexts(given: JsonObject): CustomMetadata {
  try {
    return Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, decodeField('string', value)]),
    );
  } catch (error) {
    if (error instanceof FieldError) throw invalidRequest(`${PREFIX}: ${error.message}`);
    throw error;
  }
}

function checkLimits(texts: CustomMetadata): void {
  const problems = customMetadataProblems(texts);
  if (problems.length > 0) throw invalidRequest(collect(problems));
}

/** Checks custom metadata like the server does. */
export function customMetadataProblems(texts: CustomMetadata): readonly string[] {
  const count = Object.keys(texts).length;
  return count > MAX_KEYS
    ? [`${PREFIX}: payload must contain at most ${MAX_KEYS} keys, provided ${count}`]
    : Object.entries(texts).flatMap(([key, value]) => problemsOf(key, value));
}

function problemsOf(key: string, value: string): string[] {
  const problems: string[] = [];
  const keyLength = Buffer.byteLength(key);
  const valueLength = Buffer.byteLength(value);
  const quoted = JSON.stringify(key);
  if (keyLength === 0 || keyLength > MAX_KEY_LENGTH) {
    problems.push(
      `${PREFIX}: length of key ${quoted} is ${keyLength} but must be 0 < len(key) <= ${MAX_KEY_LENGTH}`,
    );
  }
  if (valueLength === 0 || valueLength > MAX_VALUE_LENGTH) {
    problems.push(
      `${PREFIX}: length of value for key ${quoted} is ${valueLength} but must be 0 < len(value) <= ${MAX_VALUE_LENGTH}`,
    );
  }
  if (UNPRINTABLE.test(key))
    problems.push(`${PREFIX}: key ${quoted} (${key}) contains unprintable characters`);
  if (UNPRINTABLE.test(value))
    problems.push(`${PREFIX}: value for key ${quoted} contains unprintable characters`);
  return problems;
}
