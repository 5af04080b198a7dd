/* eslint-disable @typescript-eslint/no-require-imports -- each part is loaded when it is needed */
import type { buildConnector, Dispatcher, Pool, ProxyAgent } from 'undici';

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

/**
 * Returns the connections to a proxy itself. undici announces the host of the proxy as the server
 * name of TLS, which must not be an IP address: the runtime of the executables refuses one. Without
 * a name, undici takes that of the host, unless it is an IP address.
 */
export function proxyConnections(url: URL, options: object): Dispatcher {
  const { connect } = options as { readonly connect: buildConnector.connector };
  const pool = require('undici/lib/dispatcher/pool') as typeof Pool;
  return new pool(url, {
    connect: (target, callback) => connect({ ...target, servername: undefined }, callback),
  });
}
