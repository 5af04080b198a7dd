import { type IncomingHttpHeaders, request } from 'node:http';
import { request as tlsRequest } from 'node:https';

/** An answer. Its body is parsed if it is JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers have any shape, and tests say which
  readonly body: any;
}

export interface Ask {
  readonly token?: string | undefined;
  readonly namespace?: string;
  /** The body, sent as JSON; a text or a buffer is sent unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client for HTTP, or for HTTPS if `ca` is given. It sends the same token with all requests. */
export class Api {
  constructor(
    readonly address: string,
    private readonly token: string | undefined = 'root',
    /** The CA's certificate in PEM. */
    private readonly ca?: string,
  ) {}

  /** Returns a client of the same server with another token; `undefined` sends none. */
  as(token: string | undefined): Api {
    return new Api(this.address, token ?? '', this.ca);
  }

  get(path: string, ask?: Ask): Promise<Answer> {
    return this.send('GET', path, ask);
  }

  list(path: string, ask?: Ask): Promise<Answer> {
    return this.send('LIST', path, ask);
  }

  put(path: string, body?: unknown, ask?: Ask): Promise<Answer> {
    return this.send('PUT', path, { ...ask, body });
  }

  post(path: string, body?: unknown, ask?: Ask): Promise<Answer> {
    return this.send('POST', path, { ...ask, body });
  }

  delete(path: string, ask?: Ask): Promise<Answer> {
    return this.send('DELETE', path, ask);
  }

  /** @param path the path below `/v1/`; with a leading slash, a path of the server */
  send(method: string, path: string, ask: Ask = {}): Promise<Answer> {
    const { body, namespace } = ask;
    const token = 'token' in ask ? ask.token : this.token;
    const payload = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const headers = {
      ...(token && { 'X-Vault-Token': token }),
      ...(namespace !== undefined && { 'X-Vault-Namespace': namespace }),
      ...(payload !== undefined && { 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...ask.headers,
    };
    const { hostname: host, port, protocol } = new URL(this.address);
    // The path is sent as it is, because a URL would normalize it.
    const target = path.startsWith('/') ? path : `/v1/${path}`;
    return new Promise((resolve, reject) => {
      const options = { host, port, path: target, method, headers, agent: false, ca: this.ca };
      const outgoing = (protocol === 'https:' ? tlsRequest : request)(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type'] === 'application/json' && text !== '';
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: isJson ? (JSON.parse(text) as unknown) : undefined,
          });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
  }
}

/** Returns the server's text for a refusal by its core. */
export function collected(...messages: readonly string[]): string {
  const count = messages.length === 1 ? '1 error' : `${messages.length} errors`;
  return `${count} occurred:\n${messages.map((message) => `\t* ${message}\n`).join('')}\n`;
}
