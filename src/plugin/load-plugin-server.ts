import type { servingConnections } from './plugin-server';

/**
 * Loads HTTP/2 when it is needed, since that takes longer than everything before the handshake.
 */
export function loadPluginServer(): typeof servingConnections {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it before the handshake
  return (require('./plugin-server') as { servingConnections: typeof servingConnections }).servingConnections;
}
