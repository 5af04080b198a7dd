/* eslint-disable @typescript-eslint/no-require-imports -- each part is loaded when it is needed */
import type { ProxyAgent } from 'undici';

/*
 * Parts of undici are loaded without the package's index, which takes three times as long because
 * of fetch, WebSocket, caches and mocks.
 */

/**
 * Returns undici's agent for proxies. The agent calls a method of dispatchers that only the index
 * of undici adds, so it is added here.
 */
export function loadProxyAgent(): typeof ProxyAgent {
  const dispatcher = require('undici/lib/dispatcher/dispatcher') as { readonly prototype: object };
  Object.assign(dispatcher.prototype, { connect: require('undici/lib/api/api-connect') as unknown });
  return require('undici/lib/dispatcher/proxy-agent') as typeof ProxyAgent;
}
