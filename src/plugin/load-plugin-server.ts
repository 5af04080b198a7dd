import type { createPluginServer } from './plugin-server';

/** Loads what speaks TLS and HTTP/2 when it is needed: it takes Node longer than all that is before the handshake. */
export function loadPluginServer(): typeof createPluginServer {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be read before the handshake
  return (require('./plugin-server') as { createPluginServer: typeof createPluginServer }).createPluginServer;
}
