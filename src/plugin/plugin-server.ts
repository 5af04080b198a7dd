import type { Served } from './served';
import { createConnection, type MutualTls, type PluginServer } from './wire/connection';
import { answerCalls, type UnaryCall } from './wire/grpc';

const EMPTY = new Uint8Array(0);
/** HealthCheckResponse with status SERVING. */
const SERVING = Uint8Array.of(0x08, 0x01);
/** Terraform listens to what the plugin prints, and for connections that it opens: neither ever comes. */
const SILENT_STREAMS: ReadonlySet<string> = new Set([
  '/plugin.GRPCStdio/StreamStdio',
  '/plugin.GRPCBroker/StartStream',
]);

/**
 * A server that does not listen yet.
 *
 * @param provider called when the first call comes in.
 * @param onEnd called when Terraform is done with the plugin.
 */
export function createPluginServer(
  provider: () => Served,
  { tls, onEnd }: { tls?: MutualTls | undefined; onEnd: () => Promise<void> },
): PluginServer {
  const server = createConnection(tls);
  answerCalls(server, () => {
    const { unary, streaming } = provider();
    return { unary: new Map([...unary, ...pluginCalls(onEnd)]), streaming, silent: SILENT_STREAMS };
  });
  return server;
}

/** The calls that every HashiCorp plugin has in addition to its own; their messages have no fields that matter here. */
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
