import type { Header } from './hpack';

const REQUIRED = [':method', ':scheme', ':path'];
const OF_REQUESTS = new Set([...REQUIRED, ':authority']);
/** Connection-specific headers of HTTP/1.1, which HTTP/2 forbids. */
const OF_CONNECTIONS = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a request that a gRPC server uses. */
interface RequestHeaders {
  readonly path: string;
  /** The `content-length`, in bytes. */
  readonly length: number | undefined;
}

/** @throws Error if RFC 9113, section 8.3, does not allow the headers in a request. */
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
      throw new Error(`unexpected pseudo-header ${name}`);
    }
    pseudo.set(name, value);
  }
  const missing = REQUIRED.find((name) => !pseudo.get(name));
  if (missing) throw new Error(`missing pseudo-header ${missing}`);
  return { path: pseudo.get(':path')!, length };
}

/** @throws Error if the headers are not allowed in trailers. */
export function readTrailers(headers: readonly Header[]): void {
  for (const [name, value] of headers) {
    if (name.startsWith(':')) throw new Error(`unexpected pseudo-header ${name}`);
    checkField(name, value);
  }
}

function checkField(name: string, value: string): void {
  if (name !== name.toLowerCase()) throw new Error(`header name with uppercase letters: ${name}`);
  if (OF_CONNECTIONS.has(name) || (name === 'te' && value !== 'trailers')) {
    throw new Error(`header not allowed in HTTP/2: ${name}: ${value}`);
  }
}
