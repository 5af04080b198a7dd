import type { Served } from './served';
import { answerCalls, type Calls, type UnaryCall } from './wire/grpc';
import { Http2Connection, type ByteChannel } from './wire/http2';

const EMPTY = new Uint8Array(0);
/** HealthCheckResponse with status SERVING. */
const SERVING = Uint8Array.of(0x08, 0x01);
/**
 * Streams for the plugin's output and for connections that it opens. Terraform opens them, and the
 * plugin sends nothing on them.
 */
const SILENT_STREAMS: ReadonlySet<string> = new Set([
  '/plugin.GRPCStdio/StreamStdio',
  '/plugin.GRPCBroker/StartStream',
]);

/**
 * Returns the encoded response to a call that does not need the provider. `undefined` for other
 * calls.
 */
export type KnownAnswer = (path: string) => Uint8Array | undefined;

interface PluginServerOptions {
  readonly knownAnswer?: KnownAnswer | undefined;
  /** Called with each connection. */
  readonly onConnection: (connection: Http2Connection) => void;
  /** Called when Terraform has finished with the plugin. */
  readonly onEnd: () => Promise<void>;
}

/**
 * Returns a function that serves Terraform on a connection.
 *
 * @param provider called for each call that needs it.
 */
export function servingConnections(
  provider: () => Served,
  { knownAnswer = () => undefined, onConnection, onEnd }: PluginServerOptions,
): (channel: ByteChannel) => void {
  const own = pluginCalls(onEnd);
  const callsFor = (path: string): Calls => {
    if (own.unary.has(path) || SILENT_STREAMS.has(path)) return own;
    const answer = knownAnswer(path);
    return answer ? { unary: new Map([[path, () => answer]]) } : provider();
  };
  return (channel) => {
    const connection = new Http2Connection(channel);
    answerCalls(connection, callsFor);
    onConnection(connection);
  };
}

/**
 * The calls that every HashiCorp plugin has in addition to its own. The fields of their messages
 * are not used.
 */
function pluginCalls(shutDown: () => Promise<void>): Calls {
  const unary: [path: string, call: UnaryCall][] = [
    [
      '/plugin.GRPCController/Shutdown',
      async () => {
        await shutDown();
        return EMPTY;
      },
    ],
    ['/grpc.health.v1.Health/Check', () => SERVING],
  ];
  return { unary: new Map(unary), silent: SILENT_STREAMS };
}
