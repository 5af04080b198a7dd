import { isRecord, type JsonRecord, parseForeignJson } from '../../../text';
import type { AclOperation, AclRequest } from '../acl';
import { OPEN_PATHS } from '../lint';
import { UNCOUNTED } from '../effort';
import { matchesPattern, patternOf } from '../reasoning/pattern';

/** A request as an audit device logged it, with the facts on which policies decide. */
export interface AuditedRequest {
  /** The request, with the namespace in front of its path. */
  readonly request: AclRequest;
  /** The namespace: empty for root, else `ns1/`. */
  readonly namespace: string;
  /** The parameters that are logged as a hash. */
  readonly hashed: ReadonlySet<string>;
  /** Whether the server allowed the request at the time. */
  readonly allowed: boolean;
  /** The names of the token's policies. */
  readonly policies: readonly string[];
  /** The time in the notation of RFC 3339. Empty if it is not logged. */
  readonly time: string;
  readonly entityId: string;
  /** The accessor of the token as logged: devices hash it unless `hmac_accessor` is `false`. */
  readonly accessor: string;
  /** The metadata that the auth method gave to the token, such as `role`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The length of the line. */
  readonly characters: number;
}

/** The reason why a line of a log contains no request on which policies decide. */
export type PassedOver =
  /** The line is not JSON, or not from an audit device. */
  | 'unreadable'
  /** The line is about a response. Its request has a line of its own. */
  | 'response'
  /**
   * No policy was evaluated: a login, a token that is not valid, or an operation within the server.
   */
  | 'no-policy';

const OPERATIONS: ReadonlySet<unknown> = new Set<AclOperation>([
  'create',
  'read',
  'update',
  'delete',
  'list',
  'patch',
  'recover',
  'renew',
  'revoke',
]);

const OPEN = OPEN_PATHS.map(patternOf);
const HASH = 'hmac-sha256:';
const OF_A_RESPONSE = /"type":\s*"response"/;
const OF_A_REQUEST = /"type":\s*"request"/;

/** Reads a line of an audit log in JSON, whatever prefix the device puts in front. */
export function readAuditLine(line: string): AuditedRequest | PassedOver {
  // About half of the lines are responses, and parsing them takes the most time.
  if (OF_A_RESPONSE.test(line) && !OF_A_REQUEST.test(line)) return 'response';
  const entry = parse(line);
  const { type, auth, request } = entry ?? {};
  if (!entry || !isRecord(request)) return 'unreadable';
  if (type === 'response') return 'response';
  const { operation, path, data, namespace, wrap_ttl: wrapTtl } = request;
  if (type !== 'request' || typeof path !== 'string') return 'unreadable';
  const policies = isRecord(auth) ? textsOf(auth['policies']) : [];
  if (!isRecord(auth) || policies.length === 0 || !isOperation(operation)) return 'no-policy';

  if (OPEN.some((pattern) => matchesPattern(pattern, path.split('/'), UNCOUNTED))) return 'no-policy';
  const within = isRecord(namespace) ? folder(textOf(namespace['path'])) : '';
  const parameters = isRecord(data) ? data : {};
  return {
    request: {
      operation,
      path: within + path,
      data: parameters,
      ...(typeof wrapTtl === 'number' && wrapTtl > 0 && { wrapTtl }),
    },
    namespace: within,
    hashed: new Set(Object.keys(parameters).filter((name) => isHashed(parameters[name]))),
    allowed: wasAllowed(auth, entry['error']),
    policies,
    time: textOf(entry['time']),
    entityId: textOf(auth['entity_id']),
    accessor: textOf(auth['accessor']),
    metadata: metadataOf(auth['metadata']),
    characters: line.length,
  };
}

function parse(line: string): JsonRecord | undefined {
  try {
    const entry = parseForeignJson(line.slice(line.indexOf('{')));
    return isRecord(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the server allowed the request. Servers before 1.12 log no `policy_results`: the error
 * shows it.
 */
function wasAllowed({ policy_results: results }: JsonRecord, error: unknown): boolean {
  if (isRecord(results) && typeof results['allowed'] === 'boolean') return results['allowed'];
  return !textOf(error).includes('permission denied');
}

/** Whether a text somewhere in a value is a hash. */
function isHashed(value: unknown): boolean {
  if (typeof value === 'string') return value.startsWith(HASH);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(isHashed);
}

function isOperation(operation: unknown): operation is AclOperation {
  return OPERATIONS.has(operation);
}

function folder(path: string): string {
  return path === '' || path.endsWith('/') ? path : `${path}/`;
}

function metadataOf(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, textOf(text)]));
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
