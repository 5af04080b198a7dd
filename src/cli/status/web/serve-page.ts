import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isThisMachine } from '../../../model/clusters';
import { pageAsset, PAGE_HEADERS } from '../../../view/page/assets';
import { hostName, isOfOtherOrigin } from '../../../view/page/browser-request';

/** A page that is being served. */
interface ServedPage {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves the status page on the loopback interface, read-only.
 *
 * @param port 0 for any that is free. @param state what the page shows, as JSON.
 */
export async function servePage(port: number, state: () => object): Promise<ServedPage> {
  const server = createServer((request, response) => {
    const { status, contentType = 'text/plain; charset=utf-8', content } = answerTo(request, state);
    send(response, status, contentType, content);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Answer {
  readonly status: number;
  readonly contentType?: string;
  readonly content: string;
}

function answerTo({ method, url = '', headers }: IncomingMessage, state: () => object): Answer {
  // A name that another site made lead here has that site's pages in the same origin.
  if (!isThisMachine(hostName(headers.host ?? ''))) {
    return { status: 403, content: 'use 127.0.0.1 or localhost in the address\n' };
  }
  if (isOfOtherOrigin(headers)) {
    return { status: 403, content: 'pages of other origins may not use this page\n' };
  }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, content: 'this page is read-only\n' };
  const name = url.replace(/\?.*$/s, '').slice(1);
  if (name === 'state.json') {
    return { status: 200, contentType: 'application/json', content: JSON.stringify(state()) };
  }
  const asset = pageAsset('status', name);
  return asset ? { status: 200, ...asset } : { status: 404, content: 'not found\n' };
}

function send(response: ServerResponse, status: number, contentType: string, content: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'Content-Type': contentType });
  response.end(response.req.method === 'HEAD' ? undefined : content);
}
