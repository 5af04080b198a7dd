import { collect, invalidRequest } from '../../core/errors';
import { CUSTOM_METADATA_FAILED, customMetadataProblems } from '../../core/primitives/custom-metadata';
import { decodeField, FieldError } from '../../core/input/fields';
import type { JsonObject } from '../../core/primitives/json';

type CustomMetadata = Readonly<Record<string, string>>;

/**
 * Returns the custom metadata of a secret. @throws LogicalError for values that the server refuses.
 */
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
    if (error instanceof FieldError) throw invalidRequest(`${CUSTOM_METADATA_FAILED}: ${error.message}`);
    throw error;
  }
}

function checkLimits(texts: CustomMetadata): void {
  const problems = customMetadataProblems(texts);
  if (problems.length > 0) throw invalidRequest(collect(problems));
}
