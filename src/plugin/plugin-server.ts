import type { Http2SecureServer, Http2Server } from 'node:http2';
import { Redactor } from '../text';
import type { Provider } from './author/provider';
import { providerCalls } from './server/calls';
import { ProviderServer } from './server/provider-server';
import { createConnection } from './wire/connection';
import { answerCalls, type UnaryCall } from './wire/grpc';
import { createLog } from './wire/log';

const EMPTY = new Uint8Array(0);
/** HealthCheckResponse with status SERVING. */
const SERVING = Uint8Array.of(0x08, 0x01);
/** Terraform listens to what the plugin prints, and for connections that it opens: neither ever comes. */
const SILENT_STREAMS: ReadonlySet<string> = new Set([
  '/plugin.GRPCStdio/StreamStdio',
  '/plugin.GRPCBroker/StartStream',
]);

/** A provider behind a server that does not listen yet. */
interface PluginServer {
  readonly server: Http2Server | Http2SecureServer;
  /** The certificate that Terraform must trust; absent without TLS. */
  readonly certificate?: Buffer;
  readonly secrets: Redactor;
  /** Lets the provider release what it acquired. */
  readonly shutDown: () => Promise<void>;
}

/**
 * @param clientCertificate of the only client allowed, as PEM; left out, there is no TLS.
 * @param onEnd called when Terraform is done with the plugin.
 */
export function createPluginServer(
  provider: Provider,
  { clientCertificate, onEnd }: { clientCertificate?: string | undefined; onEnd: () => Promise<void> },
): PluginServer {
  const secrets = new Redactor([], typeNames(provider));
  const providerServer = new ProviderServer(provider, secrets, createLog(process.env, secrets));
  const connection = createConnection(clientCertificate);
  answerCalls(connection.server, {
    unary: new Map([...providerCalls(providerServer), ...pluginCalls(onEnd)]),
    silent: SILENT_STREAMS,
  });
  return { ...connection, secrets, shutDown: () => providerServer.shutdown() };
}

/** What users write in configurations and commands: `vaultadmin_acl_policy`. */
function typeNames({
  name,
  resources = [],
  dataSources = [],
  ephemeralResources = [],
}: Provider): readonly string[] {
  return [...resources, ...dataSources, ...ephemeralResources].map((type) => `${name}_${type.name}`);
}

/** The calls that any plugin of HashiCorp's has beside its own; their messages have no fields worth reading. */
function pluginCalls(shutDown: () => Promise<void>): [path: string, call: UnaryCall][] {
  return [
    [
      '/plugin.GRPCController/Shutdown',
      async () => {
        await shutDown();
        return EMPTY;
      },
    ],
    ['/grpc.health.v1.Health/Check', () => SERVING],
  ];
}
