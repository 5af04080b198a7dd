import { invalidRequest } from '../../core/errors';
import { isJsonObject } from '../../core/primitives/json';

/**
 * Reads a secret id's metadata: a JSON object of texts, plain or in base64, or `key=value` pairs
 * with commas.
 */
export function parseSecretIdMetadata(text: string): Readonly<Record<string, string>> {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  return parseTexts(trimmed) ?? parseTexts(Buffer.from(trimmed, 'base64').toString()) ?? parsePairs(trimmed);
}

function parseTexts(text: string): Readonly<Record<string, string>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isMapOfTexts =
      isJsonObject(value) && Object.values(value).every((entry) => typeof entry === 'string');
    return isMapOfTexts ? (value as Readonly<Record<string, string>>) : undefined;
  } catch {
    return undefined;
  }
}

function parsePairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [key = '', value, ...rest] = pair.split('=');
      if (value === undefined || rest.length > 0 || key.trim() === '' || value.trim() === '') {
        throw invalidRequest('failed to parse metadata: invalid format');
      }
      return [key.trim(), value.trim()];
    }),
  );
}
