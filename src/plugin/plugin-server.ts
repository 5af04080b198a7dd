import type { Http2SecureServer, Http2Server } from 'node:http2';
import type { Provider } from './author/provider';
import { providerCalls } from './server/calls';
import { ProviderServer } from './server/provider-server';
import { createConnection } from './wire/connection';
import { answerCalls } from './wire/grpc';
import { createLog } from './wire/log';
import { pluginCalls, SILENT_STREAMS } from './wire/plugin-services';
import { Secrets } from './wire/secrets';

/** A provider behind a server that does not listen yet. */
export interface PluginServer {
  readonly server: Http2Server | Http2SecureServer;
  /** What Terraform has to trust; absent without TLS. */
  readonly certificate?: Buffer;
  readonly secrets: Secrets;
  /** Lets the provider give back what it borrowed. */
  readonly shutDown: () => Promise<void>;
}

/**
 * @param clientCertificate of the only client allowed, as PEM; left out, there is no TLS.
 * @param onEnd called when Terraform says that it is done with the plugin.
 */
export function createPluginServer(
  provider: Provider,
  { clientCertificate, onEnd }: { clientCertificate?: string | undefined; onEnd: () => Promise<void> },
): PluginServer {
  const secrets = new Secrets();
  const providerServer = new ProviderServer(provider, secrets, createLog(process.env, secrets));
  const connection = createConnection(clientCertificate);
  answerCalls(connection.server, {
    unary: new Map([...providerCalls(providerServer), ...pluginCalls(onEnd)]),
    silent: SILENT_STREAMS,
  });
  return { ...connection, secrets, shutDown: () => providerServer.shutdown() };
}
