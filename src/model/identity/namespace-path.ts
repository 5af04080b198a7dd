import type { TextProblem } from '../definition/rules';
import { latePattern, trimmed } from '../../text';

/** The names that no namespace can have, because they have another meaning in paths. */
export const RESERVED_NAMESPACE_NAMES: readonly string[] = [
  '.',
  '..',
  'root',
  'sys',
  'audit',
  'auth',
  'cubbyhole',
  'identity',
];

/**
 * The characters that a namespace cannot contain: white space, invisible characters, and the
 * wildcards of policies.
 */
const refused = latePattern(String.raw`[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}+*]`, 'u');

/**
 * Returns the problem of a namespace that no server can have, or that is written as a path of the
 * API. Otherwise, outer slashes are ignored.
 */
export function namespacePathProblem(
  namespace: string,
): (TextProblem & Required<Pick<TextProblem, 'received' | 'allowed'>>) | undefined {
  const path = normalizeNamespace(namespace);
  if (path === '') return undefined;
  const isWrong = (name: string) =>
    name === '' || refused().test(name) || RESERVED_NAMESPACE_NAMES.includes(name);
  const isOfRequest = namespace.startsWith('/v1/') && path !== 'v1';
  if (!isOfRequest && !path.split('/').some(isWrong)) return undefined;
  return {
    problem: 'cannot be the path of a namespace',
    received: JSON.stringify(namespace),
    allowed: `names separated by slashes, without white space, "+" or "*", other than ${RESERVED_NAMESPACE_NAMES.join(', ')}`,
    cure: isOfRequest ? cureForRequest(path) : cureFor(path),
  };
}

/** Returns the cure for a path of the API, such as `/v1/team`. */
function cureForRequest(path: string): string {
  return `write ${JSON.stringify(path.slice('v1/'.length))}; for a namespace that is called v1, ${JSON.stringify(path)}`;
}

function cureFor(path: string): string {
  if (path === 'root') return 'leave it out for the root namespace';
  return path.includes('//')
    ? 'write the path of the namespace (path_fq), which does not begin with a cluster as its id does'
    : 'write a path such as "team/project", or leave it out';
}

/**
 * The most levels of namespaces that are read, so that a server that always lists children is not
 * read forever.
 */
export const MAX_NAMESPACE_DEPTH = 32;
export const MAX_NAMESPACES = 10_000;

/** Returns a namespace without outer slashes: `ns1/ns2`. The root namespace is the empty string. */
export function normalizeNamespace(namespace: string | null | undefined): string {
  return trimmed(namespace ?? '', '/');
}

/**
 * Returns the prefix of the paths in a namespace: `ns1/ns2/`. For the root namespace, it is the
 * empty string.
 */
export function namespacePrefix(namespace: string | null | undefined): string {
  const normalized = normalizeNamespace(namespace);
  return normalized === '' ? '' : `${normalized}/`;
}
