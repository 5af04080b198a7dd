import type { Namespace, TokenEntry } from '../backend';
import type { Json, JsonObject } from '../primitives/json';
import { LogicalError } from '../errors';
import type { NamespaceStore } from '../stores/namespace-store';

/**
 * Paths of calls about the caller's own token, or about a wrapping token. The token's namespace
 * handles them.
 */
const FOLLOWS_CALLER = new Set([
  'auth/token/lookup-self',
  'auth/token/renew-self',
  'auth/token/revoke-self',
  'sys/wrapping/lookup',
  'sys/wrapping/rewrap',
  'sys/wrapping/unwrap',
]);

/**
 * Paths of calls about the token in the body. The namespace in the suffix of that token handles
 * them.
 */
const FOLLOWS_BODY = new Set([
  'auth/token/lookup',
  'auth/token/renew',
  'auth/token/revoke',
  'auth/token/revoke-orphan',
]);

/**
 * Returns the namespace that handles a call. For a few paths about tokens it is not the requested
 * namespace.
 */
export function namespaceOfCall(
  namespaces: NamespaceStore,
  called: { readonly namespace: Namespace; readonly path: string },
  token: TokenEntry | undefined,
  body: JsonObject,
): Namespace {
  const { namespace, path } = called;
  if (!path.startsWith('auth/token/') && !path.startsWith('sys/wrapping/')) return namespace;
  const callers = (token && namespaces.byId(token.namespaceId)) ?? namespace;
  if (FOLLOWS_CALLER.has(path)) return callers;
  if (!FOLLOWS_BODY.has(path)) return namespace;
  if (body.token === undefined) return path === 'auth/token/lookup' ? callers : namespace;
  return namespaces.byId(namespaceIdIn(body.token)) ?? namespace;
}

function namespaceIdIn(token: Json): string {
  if (typeof token !== 'string') throw new LogicalError(403, 'invalid token');
  const [, , id = ''] = token.split('.');
  return id;
}
