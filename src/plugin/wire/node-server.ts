import { createServer, type Server, type Socket } from 'node:net';
import type { createConnectionServer, MutualTls } from './connection';
import type { OpenServer } from './listen';
import { opening } from './opening';

/**
 * Returns a function that opens a server of Node.js, which only Terraform can use. The server loads
 * TLS while Terraform connects, since that takes longer than everything before the handshake.
 *
 * @param tls left out if TF_DISABLE_PLUGIN_TLS is set.
 * @param accept called for each new connection.
 */
export function nodeServer(tls: MutualTls | undefined, accept: (socket: Socket) => void): OpenServer {
  let loaded: Server | undefined;
  const server = () => (loaded ??= loadConnectionServer()(tls, accept));
  const open = opening(createServer((socket: Socket) => server().emit('connection', socket)));
  return async (at) => {
    const port = await open(at);
    setImmediate(server);
    return port;
  };
}

function loadConnectionServer(): typeof createConnectionServer {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it before the handshake
  const module = require('./connection') as { createConnectionServer: typeof createConnectionServer };
  return module.createConnectionServer;
}
