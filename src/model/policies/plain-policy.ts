import {
  AclPolicyError,
  type AclCapability,
  type AclPolicy,
  type AclRule,
  type SensitiveChange,
} from '../acl';
import { ASKED_OPERATIONS, SENSITIVE_FOLDERS } from '../acl/reasoning/compared-operations';
import { parsedPolicy } from './parsed-policy';
import { policyText } from './policy-text';

/** A summary of the effects of a change of an ACL policy's text. */
export interface PolicyChange {
  /**
   * The requests that become allowed or lose a further check, such as `read, update on
   * secret/data/prod/*`. At most {@link MOST_LINES}.
   */
  readonly allowed: readonly string[];
  /** The requests that become denied or get a further check, in the same form. */
  readonly denied: readonly string[];
  /** The changes that a reviewer should examine with care. */
  readonly sensitive: readonly SensitiveChange[];
}

const MOST_LINES = 10;
const LONGEST_TEXT = 200;

/** The capabilities that are operations, in the order in which changes list them. */
const OPERATIONS: readonly AclCapability[] = ASKED_OPERATIONS;

/** The operations that a policy permits on paths that match a pattern. */
interface PermittedOperations {
  readonly pattern: string;
  readonly operations: readonly AclCapability[];
}

/**
 * Returns the changes by a new policy if no comparison is needed for it: see
 * {@link permittedByPlainPolicy}.
 */
export function changeByNewPolicy(text: string): PolicyChange | undefined {
  const policy = parsedPolicy(policyText(text));
  const permitted = policy instanceof AclPolicyError ? undefined : permittedByPlainPolicy(policy);
  if (!permitted) return undefined;
  const lines = permitted.map(
    ({ pattern, operations }) => `${operations.join(', ')} on ${shortened(pattern)}`,
  );
  return { allowed: atMost(lines), denied: [], sensitive: [] };
}

export function atMost(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  const shown = lines.slice(0, MOST_LINES - 1);
  return [...shown, `and ${lines.length - shown.length} more: see "npx cdktf-vault-admin policy diff"`];
}

export function shortened(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}

/**
 * Returns the operations that a plain policy permits, sorted by pattern. In a plain policy, no
 * rules have paths in common, and each grants only operations and nothing sensitive. Most policies
 * are plain. The comparison with an empty policy has the same result, but takes many times as long.
 *
 * @returns `undefined` for other policies.
 */
function permittedByPlainPolicy({ rules }: AclPolicy): readonly PermittedOperations[] | undefined {
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
 * Whether a path has a plain form such as `a/b`, `a/b*` or `a/*`. Paths below `sys/` and similar
 * folders are excluded, even in a namespace, because their changes may be sensitive. Paths with
 * empty segments or dots are excluded, because servers may not carry out requests for them.
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

/**
 * Returns the operations that a rule permits. They are divided if the path of its list differs,
 * because the server adds a slash to it.
 */
function permittedByRule({ path, capabilities }: AclRule): readonly PermittedOperations[] {
  const operations = OPERATIONS.filter((operation) => capabilities.includes(operation));
  if (path.endsWith('*')) return [{ pattern: path, operations }];
  return [
    { pattern: path, operations: operations.filter((operation) => operation !== 'list') },
    { pattern: `${path}/`, operations: operations.filter((operation) => operation === 'list') },
  ];
}
