import { VaultError } from '../vault-error';

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

export function encodeQuery(query: Readonly<Record<string, string>> | undefined): string {
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
