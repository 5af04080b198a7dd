// Not from node:fs/promises, which every start of a provider would load for this.
import { promises as files } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Provider } from './author/provider';
import { loadPluginServer } from './load-plugin-server';
import { served } from './served';
import { PROTOCOL_VERSION, type Address } from './wire/handshake';
import type { Http2Connection } from './wire/http2';
import { listen } from './wire/listen';

/** A provider that waits for any number of Terraform commands. */
export interface ReattachServer {
  /** What the commands need in their environment. */
  readonly env: { readonly TF_REATTACH_PROVIDERS: string };
  /** Releases what the provider acquired, and closes all connections. */
  close(): Promise<void>;
}

/** Removes the folder if nothing can listen in it. */
async function listenOrRemove(server: Server, socketFolder: string): Promise<Address> {
  try {
    return await listen(server, { socketFolder, socketOnly: true });
  } catch (error) {
    await files.rm(socketFolder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Serves a provider from this process, for debugging and tests. Terraform neither starts nor stops it, and needs no
 * `terraform init` for it.
 *
 * @param address under which configurations know the provider, such as `example.com/me/thing`.
 */
export async function startReattachServer(provider: Provider, address: string): Promise<ReattachServer> {
  const ready = served(provider);
  const connections = new Set<Http2Connection>();
  const server = loadPluginServer()(() => ready, {
    onConnection: (connection) => {
      connections.add(connection);
      connection.on('close', () => connections.delete(connection));
    },
    // Terraform has no say about the end of a process that it did not start.
    onEnd: async () => {},
  });
  // Without TLS, only the permissions of the folder protect the socket.
  const socketFolder = await files.mkdtemp(join(tmpdir(), 'provider-'));
  const { network, address: String } = await listenOrRemove(server, socketFolder);
  const reattach = {
    Protocol: 'grpc',
    ProtocolVersion: PROTOCOL_VERSION,
    Pid: process.pid,
    // Terraform leaves such a process alone when it is done.
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
