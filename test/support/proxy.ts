import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface Proxy {
  readonly address: string;
  close(): Promise<void>;
}

interface ProxyOptions {
  /** The address of the server behind the proxy. */
  readonly target: string;
  /** Returns the messages with which the proxy itself refuses a request. */
  readonly refuse?: (method: string, path: string) => readonly string[] | undefined;
  /** Changes an answer of the server. */
  readonly alter?: (answer: Json, path: string) => Json;
  /** Changes the path of a request for the server. */
  readonly restore?: (path: string) => string;
}

export type Json = { readonly [name: string]: unknown };

/** Starts a hostile server, which replaces the answers of a server behind it. */
export async function startProxy({ target, refuse, alter, restore }: ProxyOptions): Promise<Proxy> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const reply = async (): Promise<{ status: number; json?: Json }> => {
      const body = await text(request);
      const errors = refuse?.(method, url);
      if (errors) return { status: 400, json: { errors } };
      const answer = await fetch(target + (restore?.(url) ?? url), {
        method,
        headers: { ...(headers as Record<string, string>), host: new URL(target).host },
        ...(body !== '' && { body }),
      });
      const content = await answer.text();
      const json = content === '' ? undefined : (JSON.parse(content) as Json);
      if (!answer.ok || !alter) return { status: answer.status, json };
      return { status: 200, json: alter(json ?? { request_id: '1' }, url) };
    };
    void reply().then(({ status, json }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(json && JSON.stringify(json));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
