import type { Server } from 'node:net';
import type { Served } from './served';
import { createConnectionServer, type MutualTls } from './wire/connection';
import { answerCalls, type Calls, type UnaryCall } from './wire/grpc';
import type { Http2Connection } from './wire/http2';

const EMPTY = new Uint8Array(0);
/** HealthCheckResponse with status SERVING. */
const SERVING = Uint8Array.of(0x08, 0x01);
/** Terraform listens to what the plugin prints, and for connections that it opens: neither ever comes. */
const SILENT_STREAMS: ReadonlySet<string> = new Set([
  '/plugin.GRPCStdio/StreamStdio',
  '/plugin.GRPCBroker/StartStream',
]);

interface PluginServerOptions {
  readonly tls?: MutualTls | undefined;
  /** Called with each connection. */
  readonly onConnection: (connection: Http2Connection) => void;
  /** Called when Terraform is done with the plugin. */
  readonly onEnd: () => Promise<void>;
}

/**
 * A server that does not listen yet.
 *
 * @param provider called when the first call comes in.
 */
export function createPluginServer(
  provider: () => Served,
  { tls, onConnection, onEnd }: PluginServerOptions,
): Server {
  let calls: Calls | undefined;
  const load = () => {
    if (calls) return calls;
    const { unary, streaming } = provider();
    calls = { unary: new Map([...unary, ...pluginCalls(onEnd)]), streaming, silent: SILENT_STREAMS };
    return calls;
  };
  return createConnectionServer(tls, (connection) => {
    answerCalls(connection, load);
    onConnection(connection);
  });
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
