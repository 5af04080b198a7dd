import type { AclCapability, AclPolicy, AclRule } from '../acl';
import { COMPARED_OPERATIONS } from '../acl/reasoning/request-difference';
import { SENSITIVE_FOLDERS } from '../acl/reasoning/sensitive';

/** The capabilities that are operations, in the order in which changes list them. */
const OPERATIONS: readonly AclCapability[] = COMPARED_OPERATIONS.filter(
  (operation) => operation !== 'sudo' && operation !== 'subscribe',
);

/** The operations on paths that match a pattern. */
interface PermittedOperations {
  readonly pattern: string;
  readonly operations: readonly AclCapability[];
}

/**
 * Returns what a policy permits, sorted by pattern, if each of its rules decides on its paths
 * alone, grants nothing but operations, and nothing sensitive. Most policies are like that, and a
 * comparison with the empty policy, which has the same result, takes many times as long.
 *
 * @returns `undefined` for other policies.
 */
export function permittedByPlainPolicy({ rules }: AclPolicy): readonly PermittedOperations[] | undefined {
  if (!rules.every(isPlain)) return undefined;
  const stems = rules.map(({ path }) => path.replace('*', '')).sort();
  if (stems.some((stem, index) => index > 0 && stem.startsWith(stems[index - 1]!))) return undefined;
  return rules
    .flatMap(permittedByRule)
    .filter(({ operations }) => operations.length > 0)
    .sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
}

/** The paths whose reads may show all secrets of a mount. */
const WHOLE_MOUNT = /^(?:[^/]+|.*\/data)\/?\*$/;

function isPlain({ path, capabilities, ...others }: AclRule): boolean {
  return (
    Object.keys(others).length === 0 &&
    capabilities.every((capability) => OPERATIONS.includes(capability)) &&
    !(capabilities.includes('read') && WHOLE_MOUNT.test(path)) &&
    isPlainPath(path)
  );
}

/**
 * Whether a path is one like `a/b`, `a/b*` or `a/*`. Changes of paths below `sys/` and the like may
 * be sensitive, also in a namespace, and paths with empty segments or dots may not be carried out.
 */
function isPlainPath(path: string): boolean {
  const segments = (path.endsWith('/*') ? path.slice(0, -2) : path).split('/');
  const last = segments.at(-1)!;
  if (last.endsWith('*') && segments.length > 1) segments[segments.length - 1] = last.slice(0, -1);
  return segments.every(isPlainSegment);
}

function isPlainSegment(segment: string): boolean {
  return segment !== '' && !/^\.|[+*]/.test(segment) && !SENSITIVE_FOLDERS.includes(segment);
}

/** The path of a list ends with the slash that the server adds. */
function permittedByRule({ path, capabilities }: AclRule): readonly PermittedOperations[] {
  const operations = OPERATIONS.filter((operation) => capabilities.includes(operation));
  if (path.endsWith('*')) return [{ pattern: path, operations }];
  return [
    { pattern: path, operations: operations.filter((operation) => operation !== 'list') },
    { pattern: `${path}/`, operations: operations.filter((operation) => operation === 'list') },
  ];
}
