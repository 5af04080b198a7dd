import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { DurationError, parseDuration, SNAPSHOT_LOAD } from '../../model';
import type { EmulatedCluster } from '../cluster';
import type { WrapRequest } from '../core/backend';
import type { ApiRequest } from '../core/call';
import { invalidRequest, LogicalError, openRefusal } from '../core/errors';
import { parseBoolean } from '../core/input/field-schemas';
import {
  type Json,
  type JsonObject,
  isJsonObject,
  MAX_REQUEST_DEPTH,
  MAX_REQUEST_ENTRIES,
  parseJson,
} from '../core/primitives/json';
import { excessOf } from '../../text';
import { readMfaCredentials } from '../core/stores/mfa-methods';
import { LIST_VERB, RECOVER_VERB } from './own-verbs';

const PREFIX = '/v1/';
const MERGE_PATCH = 'application/merge-patch+json';
const FORM = 'application/x-www-form-urlencoded';

/** An HTTP request with its complete body. */
export interface CompleteHttpRequest {
  readonly method: string;
  /** The path and query as they were sent. */
  readonly url: string;
  /** The decoded path below `/v1/`. */
  readonly path: string;
  readonly query: URLSearchParams | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly remoteAddress: string;
  /** The body of an upload. */
  readonly content?: Buffer | undefined;
}

/**
 * Splits a request's target into path and query.
 *
 * @returns `undefined` if the path is not below `/v1/` or is not properly encoded.
 */
export function readTarget(url: string): { path: string; query: URLSearchParams | undefined } | undefined {
  if (!url.startsWith(PREFIX)) return undefined;
  const mark = url.indexOf('?');
  const path = decodePath(mark < 0 ? url.slice(PREFIX.length) : url.slice(PREFIX.length, mark));
  if (path === undefined) return undefined;
  return { path, query: mark < 0 ? undefined : new URLSearchParams(url.slice(mark + 1)) };
}

function decodePath(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const ASCII = /^[ -~]*$/;
/**
 * The characters that Go counts as printable: letters, marks, numbers, punctuation, symbols, and
 * the space of ASCII.
 */
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

/**
 * Whether the server accepts the characters of a path. Line breaks and other invisible characters
 * are refused.
 */
export function isPrintable(path: string): boolean {
  return ASCII.test(path) || PRINTABLE.test(path);
}

/** The paths whose writes have a file instead of JSON. */
const UPLOAD_PATHS = [SNAPSHOT_LOAD.path, 'sys/storage/raft/snapshot', 'sys/storage/raft/snapshot-force'];

/** Whether a request has a file instead of JSON. */
export function isUpload({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): boolean {
  return (method === 'POST' || method === 'PUT') && UPLOAD_PATHS.includes(readTarget(url)?.path ?? '');
}

/**
 * Reads a request.
 *
 * @param server says whether loaded snapshots are supported, which requests may refer to.
 * @throws LogicalError if the server refuses the request before it checks the token or path.
 */
export function readCall(
  request: CompleteHttpRequest,
  body: string,
  server: Pick<EmulatedCluster, 'loadsSnapshots'>,
): ApiRequest {
  const { method, query, headers, path, content } = request;
  const snapshot = server.loadsSnapshots ? readSnapshotReference(request) : undefined;
  const isRecovery = server.loadsSnapshots && method === RECOVER_VERB;
  if (isRecovery && snapshot === undefined) throw invalidRequest('missing X-Vault-Recover-Snapshot-Id');
  const { operation, data } = readOperation(isRecovery ? 'POST' : method, query, headers, body);
  return {
    id: randomUUID(),
    operation: snapshot !== undefined && operation === 'update' ? 'recover' : operation,
    ...(snapshot && { snapshot }),
    ...(content && { content }),
    path: operation === 'list' && !path.endsWith('/') ? `${path}/` : path,
    namespace: namespaceHeader(headers),
    token: readToken(headers),
    body: data,
    wrap: readWrap(headers),
    policyOverride: readPolicyOverride(headers),
    mfaCredentials: readMfaCredentials(header(headers, 'x-vault-mfa')),
    headers,
    remoteAddress: request.remoteAddress,
  };
}

/**
 * Reads the id of a loaded snapshot: for reads and lists from the query, for recoveries from a
 * header or, as in Vault 1.20, from the query.
 */
function readSnapshotReference({ method, query, headers }: CompleteHttpRequest): ApiRequest['snapshot'] {
  if (method === 'PATCH' || method === 'DELETE') return undefined;
  if (method === 'POST' || method === 'PUT' || method === RECOVER_VERB) {
    const id = header(headers, 'x-vault-recover-snapshot-id') || (query?.get('recover_snapshot_id') ?? '');
    return id === '' ? undefined : { id, sourcePath: header(headers, 'x-vault-recover-source-path') };
  }
  const id = query?.get('read_snapshot_id') ?? '';
  query?.delete('read_snapshot_id');
  return id === '' ? undefined : { id, sourcePath: '' };
}

function readOperation(
  method: string,
  query: URLSearchParams | undefined,
  headers: IncomingHttpHeaders,
  body: string,
): { operation: ApiRequest['operation']; data: JsonObject } {
  switch (method) {
    case 'GET':
      return readGet(query);
    case 'HEAD':
      return { operation: 'read', data: readQuery(query) };
    case LIST_VERB:
      return { operation: 'list', data: readQuery(query) };
    case 'DELETE':
      return { operation: 'delete', data: readQuery(query) };
    case 'POST':
    case 'PUT':
      return { operation: 'update', data: isForm(headers, body) ? readForm(body) : readJson(body) };
    case 'PATCH':
      requireMergePatch(headers);
      return { operation: 'patch', data: readJson(body) };
    default:
      throw new LogicalError(405, '');
  }
}

function readGet(query: URLSearchParams | undefined): {
  operation: ApiRequest['operation'];
  data: JsonObject;
} {
  if (query === undefined) return { operation: 'read', data: {} };
  if (query.get('help') === '1') return { operation: 'help', data: {} };
  const text = query.get('list') ?? '';
  const list = text === '' ? false : parseBoolean(text);
  if (list === undefined) throw new LogicalError(400, '');
  if (list) query.delete('list');
  return { operation: list ? 'list' : 'read', data: readQuery(query) };
}

/** Reads the query. Parameters that occur once are texts, all others lists. */
function readQuery(query: URLSearchParams | undefined): JsonObject {
  // A map, because a parameter named __proto__ would change the prototype of an object.
  const data = new Map<string, string | string[]>();
  for (const [name, value] of query ?? []) {
    const earlier = data.get(name);
    if (Array.isArray(earlier)) earlier.push(value);
    else data.set(name, earlier === undefined ? value : [earlier, value]);
  }
  return Object.fromEntries(data);
}

/**
 * Whether the body is a form. Clients may leave out the content type, so a body that looks like
 * JSON is JSON.
 */
function isForm(headers: IncomingHttpHeaders, body: string): boolean {
  return mediaType(headers) === FORM && !/^\s*[[{]/.test(body);
}

function readForm(body: string): JsonObject {
  return readQuery(new URLSearchParams(body));
}

const EXCESSES = {
  depth: `the body is nested deeper than ${MAX_REQUEST_DEPTH} levels`,
  entries: `an object or list of the body has more than ${MAX_REQUEST_ENTRIES} entries`,
};

function readJson(body: string): JsonObject {
  if (body.trim() === '') return {};
  const excess = excessOf(body, { depth: MAX_REQUEST_DEPTH, entries: MAX_REQUEST_ENTRIES });
  if (excess) throw new LogicalError(400, `failed to parse JSON input: ${EXCESSES[excess]}`);
  let value: Json;
  try {
    value = parseJson(body);
  } catch {
    // The parser's own message quotes the body, which may hold secrets.
    throw openRefusal('jsonErrorText', 'the body is not valid JSON');
  }
  if (value === null) return {};
  if (!isJsonObject(value)) {
    throw openRefusal('jsonErrorText', 'the body is not a JSON object');
  }
  return value;
}

function requireMergePatch(headers: IncomingHttpHeaders): void {
  const type = mediaType(headers);
  if (type === '') throw new LogicalError(400, 'mime: no media type');
  if (type !== MERGE_PATCH) {
    throw new LogicalError(415, `PATCH requires Content-Type of ${MERGE_PATCH}, provided ${type}`);
  }
}

function mediaType(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';', 1).join('').trim().toLowerCase();
}

/** Returns the token of a request; empty if it has none. */
export function readToken(headers: IncomingHttpHeaders): string {
  const token = header(headers, 'x-vault-token');
  if (token !== '') return token;
  const { authorization = '' } = headers;
  return authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length).trim() : '';
}

function readWrap(headers: IncomingHttpHeaders): WrapRequest | undefined {
  const text = header(headers, 'x-vault-wrap-ttl');
  if (text === '') return undefined;
  const ttlSeconds = readWrapTtl(text);
  if (ttlSeconds < 0) throw badWrapTtl('requested wrap ttl cannot be negative');
  if (ttlSeconds === 0) return undefined;
  return { ttlSeconds, format: header(headers, 'x-vault-wrap-format') === 'jwt' ? 'jwt' : 'token' };
}

function readWrapTtl(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw error instanceof DurationError ? badWrapTtl(error.message) : error;
  }
}

function readPolicyOverride(headers: IncomingHttpHeaders): boolean {
  const text = header(headers, 'x-vault-policy-override');
  const override = text === '' ? false : parseBoolean(text);
  if (override === undefined) throw openRefusal('policyOverrideText', 'not a boolean');
  return override;
}

function badWrapTtl(reason: string): LogicalError {
  return new LogicalError(400, `error parsing X-Vault-Wrap-TTL header: ${reason}`);
}

/** Returns the namespace header of a request in UTF-8; Node.js decodes headers as Latin-1. */
export function namespaceHeader(headers: IncomingHttpHeaders): string {
  const name = header(headers, 'x-vault-namespace');
  return name === '' ? '' : Buffer.from(name, 'latin1').toString();
}

function header(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
