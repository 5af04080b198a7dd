/* eslint-disable @typescript-eslint/no-require-imports -- each part is loaded when it is needed */
import type { Pool, ProxyAgent } from 'undici';

/*
 * Parts of undici, without the package's index: that takes three times as long to load, for fetch, WebSocket, caches and mocks.
 */

/** Returns undici's connection pool. */
export function loadPool(): typeof Pool {
  return require('undici/lib/dispatcher/pool') as typeof Pool;
}

/** Returns undici's agent for proxies, with what the index adds to all dispatchers and this agent calls. */
export function loadProxyAgent(): typeof ProxyAgent {
  const dispatcher = require('undici/lib/dispatcher/dispatcher') as { readonly prototype: object };
  Object.assign(dispatcher.prototype, { connect: require('undici/lib/api/api-connect') as unknown });
  return require('undici/lib/dispatcher/proxy-agent') as typeof ProxyAgent;
}
