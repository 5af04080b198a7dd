import type { Pool } from 'undici';

/**
 * undici's connection pool, loaded when the first request is made. Terraform starts the provider several times
 * for one plan, mostly without any request; and the package's index takes three times as long to load, for
 * fetch, WebSocket, caches and mocks.
 */
export function loadPool(): typeof Pool {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a dynamic import would be asynchronous
  return require('undici/lib/dispatcher/pool') as typeof Pool;
}
