import { stringifyJson } from '../answer/json';
import type { Settings } from '../options/client-settings';
import type { WireRequest } from '../transport/exchange';
import type { Call } from '../call-options';
import { encodePath, encodeQuery } from './path';

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
 * Returns the request of a call. @throws VaultError `invalid_request` for a path that cannot be
 * sent.
 */
export function wireRequest(
  { method, path, query, body, upload, headers: ofCall = {}, wrapTtl }: Call,
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
