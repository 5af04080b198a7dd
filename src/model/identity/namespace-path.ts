import type { Problem } from '../definition/rules';
import { normalizeNamespace } from './import-id';

/** Names that servers give to no namespace. */
const RESERVED: readonly string[] = ['root', 'sys', 'audit', 'auth', 'cubbyhole', 'identity'];

/** Returns what is wrong with a namespace that no server can have. Outer slashes do not count. */
export function namespacePathProblem(namespace: string): Problem | undefined {
  const names = normalizeNamespace(namespace).split('/');
  if (names.length === 1 && names[0] === '') return undefined;
  const wrong = names.find((name) => name === '' || /[\s\p{Cc}]/u.test(name) || RESERVED.includes(name));
  if (wrong === undefined) return undefined;
  return {
    problem: 'cannot be the path of a namespace',
    received: JSON.stringify(namespace),
    allowed: `names with a slash between them, without white space, and none of ${RESERVED.join(', ')}`,
    cure: 'write a path such as "team/project", or leave it out',
  };
}
