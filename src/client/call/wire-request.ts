import { stringifyJson } from '../answer/json';
import type { Settings } from '../options/client-settings';
import type { WireRequest } from '../transport/exchange';
import type { ClientCall } from '../call-options';
import { VaultError } from '../vault-error';

/** Returns the headers of every request. */
export function commonHeaders({ token, namespace, headers }: Settings): WireRequest['headers'] {
  return {
    'x-vault-request': 'true',
    ...headers,
    ...(token && { 'x-vault-token': token }),
    ...(namespace && { 'x-vault-namespace': asLatin1(namespace) }),
  };
}

/**
 * Returns the request of a call.
 *
 * @throws VaultError `invalid_request` for a path that cannot be sent.
 */
export function wireRequest(
  { method, path, query, body, upload, headers: ofCall = {}, wrapTtl }: ClientCall,
  { origin, basePath }: Settings,
  common: WireRequest['headers'],
): WireRequest {
  const headers: Record<string, string> = { ...common };
  for (const [name, value] of Object.entries(ofCall)) headers[name] = asLatin1(value);
  if (wrapTtl !== undefined) headers['x-vault-wrap-ttl'] = String(wrapTtl);
  if (upload !== undefined) headers['content-type'] = 'application/octet-stream';
  if (body !== undefined) {
    headers['content-type'] = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  }
  return {
    origin,
    method,
    path: `${basePath}${encodePath(path)}${encodeQuery(query)}`,
    headers,
    body: body === undefined ? upload : stringifyJson(body),
  };
}

/**
 * Headers are sent as Latin-1. In the form that this returns, the server receives the UTF-8 bytes
 * of the text.
 */
function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/**
 * Encodes a path below `/v1/`: each segment is encoded, slashes are kept.
 *
 * @throws VaultError `invalid_request` for a path that the server would change: servers resolve `.`
 *   and `..` and drop empty segments, so that the call would reach another object.
 */
export function encodePath(path: string): string {
  const segments = path.replace(/^\/+/, '').split('/');
  segments.forEach((segment, index) => {
    const trailingSlash = segment === '' && index > 0 && index === segments.length - 1;
    if ((segment === '' && !trailingSlash) || segment === '.' || segment === '..') throw badPath(path);
  });
  try {
    return segments.map(encodeURIComponent).join('/');
  } catch {
    // A lone surrogate has no UTF-8 encoding.
    throw badPath(path);
  }
}

function encodeQuery(query: Readonly<Record<string, string>> | undefined): string {
  return query ? `?${new URLSearchParams(query).toString()}` : '';
}

function badPath(path: string): VaultError {
  return new VaultError({
    code: 'invalid_request',
    path,
    message:
      `${JSON.stringify(path)} cannot be a path on the server: ` +
      'allowed are segments of valid Unicode separated by single slashes, none of them empty, "." or ".."',
  });
}
