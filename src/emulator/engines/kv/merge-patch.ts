import { isJsonObject, type JsonObject } from '../../core/primitives/json';

/** Applies a JSON merge patch (RFC 7396): null deletes, objects are merged, anything else replaces. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const result: Record<string, JsonObject[string]> = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    const before = result[key];
    if (value === null) delete result[key];
    else if (isJsonObject(value)) result[key] = mergePatch(isJsonObject(before) ? before : {}, value);
    else result[key] = value;
  }
  return result;
}
