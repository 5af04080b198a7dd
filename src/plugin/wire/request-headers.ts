import type { Header } from './hpack';

const REQUIRED = [':method', ':scheme', ':path'];
const OF_REQUESTS = new Set([...REQUIRED, ':authority']);
/** Headers of HTTP/1.1 that have no meaning here. */
const OF_CONNECTIONS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** What a server of gRPC needs to know of a request. */
interface RequestHeaders {
  readonly path: string;
  /** The length of the body in bytes, if the client says it. */
  readonly length: number | undefined;
}

/** @throws Error if the headers are not those of a request, by RFC 9113, section 8.3. */
export function readRequestHeaders(headers: readonly Header[]): RequestHeaders {
  const pseudo = new Map<string, string>();
  let length: number | undefined;
  let isPseudo = true;
  for (const [name, value] of headers) {
    if (!name.startsWith(':')) {
      isPseudo = false;
      checkField(name, value);
      if (name === 'content-length') length = Number(value);
      continue;
    }
    if (!isPseudo || !OF_REQUESTS.has(name) || pseudo.has(name)) {
      throw new Error(`the header ${name} in a wrong place`);
    }
    pseudo.set(name, value);
  }
  const missing = REQUIRED.find((name) => !pseudo.get(name));
  if (missing) throw new Error(`a request without ${missing}`);
  return { path: pseudo.get(':path')!, length };
}

/** @throws Error if the headers are not those that may follow a body. */
export function readTrailers(headers: readonly Header[]): void {
  for (const [name, value] of headers) {
    if (name.startsWith(':')) throw new Error(`the header ${name} in a wrong place`);
    checkField(name, value);
  }
}

function checkField(name: string, value: string): void {
  if (name !== name.toLowerCase()) throw new Error(`the header ${name} in capital letters`);
  if (OF_CONNECTIONS.has(name) || (name === 'te' && value !== 'trailers')) {
    throw new Error(`the header ${name}: ${value}, which belongs to HTTP/1.1`);
  }
}
