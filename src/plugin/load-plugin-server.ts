import type { createPluginServer } from './plugin-server';

/**
 * Loads TLS and HTTP/2 when they are needed, since that takes longer than everything before the
 * handshake.
 */
export function loadPluginServer(): typeof createPluginServer {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it before the handshake
  return (require('./plugin-server') as { createPluginServer: typeof createPluginServer }).createPluginServer;
}
