import type { IncomingMessage } from 'node:http';

/** As the server is configured by default. */
const LONGEST_BODY = 32 * 1024 * 1024;

/** Whether a request brings a body that has to be waited for. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Hands on the whole body as text, or `undefined` if it is longer than the server takes. */
export function readBody(request: IncomingMessage, then: (body: string | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= LONGEST_BODY) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.on('end', () => then(length > LONGEST_BODY ? undefined : Buffer.concat(chunks).toString()));
}
