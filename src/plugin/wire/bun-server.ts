import { EventEmitter } from 'node:events';
import type { MutualTls } from './connection';
import type { ByteChannel } from './http2';
import type { OpenServer } from './listen';

/** A socket of Bun, the runtime of executables. */
interface BunSocket {
  data: BunChannel | undefined;
  /** Returns the number of bytes taken, which is less than given if the socket is full. */
  write(bytes: Buffer): number;
  /** Ends the connection when the bytes that were taken are sent. */
  end(): void;
  terminate(): void;
  setNoDelay(isOn: boolean): void;
  getPeerCertificate(): { readonly raw?: Buffer } | undefined;
}

// eslint-disable-next-line @typescript-eslint/naming-convention -- the name is Bun's
declare const Bun: {
  listen(options: object): { readonly port?: number };
};

const TLS_1_2 = 0x0303;
/** The name of HTTP/2 in TLS, after its length. */
const ONLY_HTTP2 = Buffer.from('\x02h2');

/**
 * Returns a function that opens a server in executables, which only Terraform can use. Bun's own
 * functions take a third of the time of `node:net` and `node:tls`, which each process of a command
 * would load.
 *
 * @param tls left out if TF_DISABLE_PLUGIN_TLS is set.
 * @param accept called for each new connection.
 */
export function bunServer(tls: MutualTls | undefined, accept: (channel: ByteChannel) => void): OpenServer {
  const begin = (socket: BunSocket) => {
    socket.setNoDelay(true);
    socket.data = new BunChannel(socket);
    accept(socket.data);
  };
  return async (at) => {
    const options = {
      ...('path' in at ? { unix: at.path } : { hostname: at.host, port: at.port }),
      ...(tls && { tls: tlsOptions(tls) }),
      socket: {
        open: tls ? () => {} : begin,
        handshake: (socket: BunSocket, isDone: boolean) => {
          const shown = isDone ? socket.getPeerCertificate()?.raw : undefined;
          if (tls && shown?.equals(tls.clientCertificate.der)) begin(socket);
          else socket.terminate();
        },
        data: ({ data }: BunSocket, chunk: Buffer) => data?.emit('data', chunk),
        drain: ({ data }: BunSocket) => data?.drained(),
        end: (socket: BunSocket) => socket.terminate(),
        close: ({ data }: BunSocket) => data?.closed(),
        error: (socket: BunSocket) => socket.terminate(),
      },
    };
    return Bun.listen(options).port;
  };
}

function tlsOptions({ certificate, clientCertificate }: MutualTls): object {
  return {
    key: certificate.key,
    cert: certificate.pem,
    minVersion: TLS_1_2,
    ALPNProtocols: ONLY_HTTP2,
    requestCert: true,
    // Terraform's certificate is compared byte by byte after the handshake. Without this option,
    // Bun reads many authorities.
    ca: clientCertificate.pem,
    rejectUnauthorized: false,
  };
}

class BunChannel extends EventEmitter implements ByteChannel {
  destroyed = false;
  readonly #socket: BunSocket;
  /** The bytes that the socket has not taken yet. */
  readonly #waiting: Buffer[] = [];
  #sent: (() => void) | undefined;

  constructor(socket: BunSocket) {
    super();
    this.#socket = socket;
  }

  get writableNeedDrain(): boolean {
    return this.#waiting.length > 0;
  }

  write(bytes: Buffer): void {
    this.#waiting.push(bytes);
    if (this.#waiting.length === 1) this.#send();
  }

  end(sent: () => void): void {
    this.#sent = sent;
    if (!this.writableNeedDrain) this.#end();
  }

  destroy(): void {
    this.#socket.terminate();
  }

  /** Must be called when the socket takes bytes again. */
  drained(): void {
    if (!this.writableNeedDrain) return;
    this.#send();
    if (this.writableNeedDrain) return;
    this.emit('drain');
    if (this.#sent) this.#end();
  }

  /** Must be called when the connection is closed. */
  closed(): void {
    this.destroyed = true;
    this.emit('close');
  }

  /** Writes the waiting bytes until the socket takes no more. */
  #send(): void {
    while (this.writableNeedDrain) {
      const bytes = this.#waiting[0]!;
      const taken = this.destroyed ? 0 : Math.max(0, this.#socket.write(bytes));
      if (taken < bytes.length) {
        this.#waiting[0] = bytes.subarray(taken);
        return;
      }
      this.#waiting.shift();
    }
  }

  #end(): void {
    this.#socket.end();
    this.#sent?.();
  }
}
