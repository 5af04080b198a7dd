export const CUSTOM_METADATA_FAILED = 'custom_metadata validation failed';
const MAX_KEYS = 64;
const MAX_KEY_LENGTH = 128;
const MAX_VALUE_LENGTH = 512;
const UNPRINTABLE = /[^\P{C}]/u;

/** Returns the problems of the custom metadata of a secret or an alias. */
export function customMetadataProblems(texts: Readonly<Record<string, string>>): readonly string[] {
  const count = Object.keys(texts).length;
  return count > MAX_KEYS
    ? [`${CUSTOM_METADATA_FAILED}: payload must contain at most ${MAX_KEYS} keys, provided ${count}`]
    : Object.entries(texts).flatMap(([key, value]) => problemsOf(key, value));
}

function problemsOf(key: string, value: string): string[] {
  const problems: string[] = [];
  const keyLength = Buffer.byteLength(key);
  const valueLength = Buffer.byteLength(value);
  const quoted = JSON.stringify(key);
  if (keyLength === 0 || keyLength > MAX_KEY_LENGTH) {
    problems.push(
      `${CUSTOM_METADATA_FAILED}: length of key ${quoted} is ${keyLength} but must be 0 < len(key) <= ${MAX_KEY_LENGTH}`,
    );
  }
  if (valueLength === 0 || valueLength > MAX_VALUE_LENGTH) {
    problems.push(
      `${CUSTOM_METADATA_FAILED}: length of value for key ${quoted} is ${valueLength} but must be 0 < len(value) <= ${MAX_VALUE_LENGTH}`,
    );
  }
  if (UNPRINTABLE.test(key))
    problems.push(`${CUSTOM_METADATA_FAILED}: key ${quoted} (${key}) contains unprintable characters`);
  if (UNPRINTABLE.test(value))
    problems.push(`${CUSTOM_METADATA_FAILED}: value for key ${quoted} contains unprintable characters`);
  return problems;
}
