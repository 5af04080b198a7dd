import { connect, type ClientHttp2Session, type SecureClientSessionOptions } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Type } from '../../../src/plugin';
import { valueCodec } from '../../../src/plugin/wire/dynamic-value';
import { ProviderDefinition } from '../../../src/plugin/wire/generated/tfplugin6';

type Methods = ProviderDefinition['methods'];
type Request<M extends keyof Methods> = ReturnType<Methods[M]['requestType']['decode']>;
type Response<M extends keyof Methods> = ReturnType<Methods[M]['responseType']['decode']>;

/** A call that the server has refused. */
export class GrpcError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Calls a provider as Terraform does, including versions that are newer than the installed one. */
export class ProtocolClient {
  private constructor(private readonly session: ClientHttp2Session) {}

  /** Connects to a socket. With `tls`, the client presents its certificate. */
  static async connect(socketPath: string, tls?: SecureClientSessionOptions): Promise<ProtocolClient> {
    const socket = connectSocket(socketPath);
    const session = connect(tls ? 'https://localhost' : 'http://localhost', {
      createConnection: () =>
        tls ? connectTls({ ...tls, socket, servername: 'localhost', ALPNProtocols: ['h2'] }) : socket,
    });
    await new Promise<void>((resolve, reject) => {
      session.once('connect', () => resolve());
      session.once('error', reject);
      session.once('close', () => reject(new Error('the connection was closed')));
    });
    return new ProtocolClient(session);
  }

  async call<M extends keyof Methods>(method: M, request: Partial<Request<M>>): Promise<Response<M>> {
    const { name, requestType, responseType } = ProviderDefinition.methods[method] as unknown as {
      name: string;
      requestType: {
        decode(bytes: Uint8Array): Request<M>;
        encode(message: Request<M>): { finish(): Uint8Array };
      };
      responseType: { decode(bytes: Uint8Array): Response<M> };
    };
    const whole = { ...requestType.decode(new Uint8Array(0)), ...request };
    return responseType.decode(
      await this.callRaw(`/tfplugin6.Provider/${name}`, requestType.encode(whole).finish()),
    );
  }

  callRaw(path: string, message: Uint8Array): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const stream = this.session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
      });
      const chunks: Buffer[] = [];
      const answer = (headers: Record<string, unknown>) => {
        const status = headers['grpc-status'];
        if (status === undefined) return;
        if (status === '0') resolve(Buffer.concat(chunks).subarray(5));
        else reject(new GrpcError(Number(status), decodeURIComponent(String(headers['grpc-message']))));
      };
      stream.on('response', answer);
      stream.on('trailers', answer);
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('error', reject);
      stream.on('close', () => reject(new Error('the stream was closed')));
      const header = Buffer.alloc(5);
      header.writeUInt32BE(message.length, 1);
      stream.end(Buffer.concat([header, message]));
    });
  }

  close(): void {
    this.session.destroy();
  }
}

/** Encodes and decodes values of an object type with the given attributes. */
export function codecOf(attributes: Readonly<Record<string, Type>>) {
  return valueCodec({ kind: 'object', attributes });
}
