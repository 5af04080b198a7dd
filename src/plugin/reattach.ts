// node:fs/promises is not used, because every start of a provider would load it.
import { promises as files } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from './author/provider';
import { loadPluginServer } from './load-plugin-server';
import { served } from './served';
import { PROTOCOL_VERSION, type Address } from './wire/handshake';
import type { Http2Connection } from './wire/http2';
import { listen } from './wire/listen';
import { opening } from './wire/opening';

/** A provider that serves any number of Terraform commands. */
export interface ReattachServer {
  /** The environment variable for the commands. */
  readonly env: { readonly TF_REATTACH_PROVIDERS: string };
  /** Releases the provider's resources, and closes all connections. */
  close(): Promise<void>;
}

/** Removes the folder if no server can listen in it. */
async function listenOrRemove(server: Server, socketFolder: string): Promise<Address> {
  try {
    return await listen(opening(server), { socketFolder, socketOnly: true });
  } catch (error) {
    await files.rm(socketFolder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Serves a provider from this process, for debugging and tests. Terraform neither starts nor stops
 * it, and needs no `terraform init` for it.
 *
 * @param address the provider's address in configurations, such as `example.com/me/thing`.
 */
export async function startReattachServer(provider: Provider, address: string): Promise<ReattachServer> {
  const ready = served(provider);
  const connections = new Set<Http2Connection>();
  const accept = loadPluginServer()(() => ready, {
    onConnection: (connection) => {
      connections.add(connection);
      connection.on('close', () => connections.delete(connection));
    },
    // Terraform must not end a process that it did not start.
    onEnd: async () => {},
  });
  const server = createServer(accept);
  // Without TLS, only the permissions of the folder protect the socket.
  const socketFolder = await files.mkdtemp(join(tmpdir(), 'provider-'));
  const { network, address: String } = await listenOrRemove(server, socketFolder);
  const reattach = {
    Protocol: 'grpc',
    ProtocolVersion: PROTOCOL_VERSION,
    Pid: process.pid,
    // With this flag, Terraform does not stop this process at the end of a command.
    Test: true,
    Addr: { Network: network, String },
  };
  return {
    env: { TF_REATTACH_PROVIDERS: JSON.stringify({ [address]: reattach }) },
    close: async () => {
      await ready.shutDown();
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
      await files.rm(socketFolder, { recursive: true, force: true });
    },
  };
}
