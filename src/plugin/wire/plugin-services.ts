import type { UnaryCall } from './grpc';

const EMPTY = new Uint8Array(0);
/** HealthCheckResponse with status SERVING. */
const SERVING = Uint8Array.of(0x08, 0x01);

/** The calls that any plugin of HashiCorp's has beside its own; their messages have no fields worth reading. */
export function pluginCalls(shutDown: () => Promise<void>): [path: string, call: UnaryCall][] {
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

/** Terraform listens to what the plugin prints, and for connections that it opens: neither ever comes. */
export const SILENT_STREAMS: ReadonlySet<string> = new Set([
  '/plugin.GRPCStdio/StreamStdio',
  '/plugin.GRPCBroker/StartStream',
]);
