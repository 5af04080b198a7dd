import { codedError, invalidRequest } from '../core/errors';
import { policyName } from '../core/stores/policies';

/** Names as entities and groups have them: folded, without duplicates, in the order in which they were given. */
export function policyNames(given: readonly string[]): readonly string[] {
  const names = [...new Set(given.map(policyName).filter((name) => name !== ''))].sort();
  if (names.includes('root')) throw invalidRequest('policies cannot contain root');
  return names;
}

/** Something belongs to another namespace than the request. */
export function otherNamespace(text: string) {
  return codedError(403, text);
}
