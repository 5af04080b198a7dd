import { stringifyJson } from '../answer/json';
import type { Settings } from '../options/client-settings';
import type { WireRequest } from '../transport/exchange';
import type { ClientCall } from '../call-options';
import { VaultError } from '../vault-error';

/** Returns the headers of every request, names and values in turn. */
export function commonHeaders({ token, namespace, headers }: Settings): readonly string[] {
  return [
    'x-vault-request',
    'true',
    ...Object.entries(headers).flat(),
    ...(token ? ['x-vault-token', token] : []),
    // Headers are sent as Latin-1; in this form, the server receives the UTF-8 bytes of the
    // namespace.
    ...(namespace ? ['x-vault-namespace', Buffer.from(namespace).toString('latin1')] : []),
  ];
}

/**
 * Returns the request of a call.
 *
 * @throws VaultError `invalid_request` for a path that cannot be sent.
 */
export function wireRequest(
  { method, path, query, body, upload, headers: ofCall = {}, wrapTtl }: ClientCall,
  { origin, basePath }: Settings,
  common: readonly string[],
): WireRequest {
  // Headers are sent as Latin-1; in this form, the server receives the UTF-8 bytes of the values.
  const headers = [
    ...common,
    ...Object.entries(ofCall)
      .flat()
      .map((text) => Buffer.from(text).toString('latin1')),
  ];
  if (wrapTtl !== undefined) headers.push('x-vault-wrap-ttl', String(wrapTtl));
  if (upload !== undefined) headers.push('content-type', 'application/octet-stream');
  if (body !== undefined) {
    headers.push('content-type', method === 'PATCH' ? 'application/merge-patch+json' : 'application/json');
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
