/**
 * Returns the message of an error. Messages of OpenSSL are positions in its sources, so its reason
 * is returned in their place: the executables have it in capitals.
 */
export function errorWords(error: Error): string {
  const { code = '', reason } = error as { readonly code?: string; readonly reason?: unknown };
  return /^ERR_(SSL|OSSL)_/.test(code) && typeof reason === 'string'
    ? reason.toLowerCase().replaceAll('_', ' ')
    : error.message;
}
