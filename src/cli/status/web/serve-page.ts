import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isThisMachine } from '../../../model/clusters';
import { pageAsset, PAGE_HEADERS } from '../../../view/page/assets';
import { hostName, isOfOtherOrigin } from '../../../view/page/browser-request';

/** The length in bytes. */
const TOKEN_LENGTH = 24;

/** A page that is being served. */
interface ServedPage {
  /** The address with the token. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves the status page on the loopback interface, read-only. Everybody on the machine can connect
 * to the page, so it shows data only to those who know its new token.
 *
 * @param port the port; 0 for any free one.
 * @param state returns the data of the page as JSON.
 */
export async function servePage(port: number, state: () => object): Promise<ServedPage> {
  const token = randomBytes(TOKEN_LENGTH).toString('hex');
  const server = createServer((request, response) => {
    const { status, contentType = 'text/plain; charset=utf-8', content } = answerTo(request, token, state);
    send(response, status, contentType, content);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?token=${token}`,
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

function answerTo(
  { method, url = '', headers }: IncomingMessage,
  token: string,
  state: () => object,
): Answer {
  // If another site resolves its own name to this machine, the browser counts this page as that
  // site's.
  if (!isThisMachine(hostName(headers.host ?? ''))) {
    return { status: 403, content: 'use 127.0.0.1 or localhost in the address\n' };
  }
  if (isOfOtherOrigin(headers)) {
    return { status: 403, content: 'pages of other origins may not use this page\n' };
  }
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, content: 'this page is read-only\n' };
  const [path = '', ...query] = url.split('?');
  const name = path.slice(1);
  if (name === 'state.json') {
    if (!isSame(new URLSearchParams(query.join('?')).get('token') ?? '', token)) {
      return { status: 403, content: 'the token is required: use the address that the command printed\n' };
    }
    return { status: 200, contentType: 'application/json', content: JSON.stringify(state()) };
  }
  const asset = pageAsset('status', name);
  return asset ? { status: 200, ...asset } : { status: 404, content: 'not found\n' };
}

/** Compares two texts in a time that does not depend on where they differ. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}

function send(response: ServerResponse, status: number, contentType: string, content: string): void {
  response.writeHead(status, { ...PAGE_HEADERS, 'Content-Type': contentType });
  response.end(response.req.method === 'HEAD' ? undefined : content);
}
