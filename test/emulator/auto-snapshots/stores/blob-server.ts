import { createHmac } from 'node:crypto';
import {
  type LoopbackAnswer,
  type LoopbackRequest,
  type LoopbackServer,
  startLoopback,
} from '../../../../src/emulator/object-stores/loopback';

export interface BlobServer extends LoopbackServer {
  /** The blobs of every container, by name. */
  readonly containers: ReadonlyMap<string, Map<string, Buffer>>;
}

/**
 * The smallest server with the interface of Azure Blob Storage that the client library accepts:
 * blobs are put, listed and deleted by paths of the form `/container/blob`, and signatures with the
 * account's key are checked.
 */
export async function startBlobServer(
  account: string,
  key: string,
  names: readonly string[],
): Promise<BlobServer> {
  const containers = new Map(names.map((name) => [name, new Map<string, Buffer>()]));
  const server = await startLoopback(0, (request) => {
    if (request.headers.authorization !== `SharedKey ${account}:${signature(request, account, key)}`) {
      return refusal(
        403,
        'AuthenticationFailed',
        'Server failed to authenticate the request. Make sure the value of the Authorization header is formed ' +
          'correctly including the signature.',
      );
    }
    const { pathname, searchParams } = new URL(request.target, 'http://blob');
    const [, name = '', ...segments] = pathname.split('/').map(decodeURIComponent);
    const container = containers.get(name);
    if (container === undefined) {
      return refusal(404, 'ContainerNotFound', 'The specified container does not exist.');
    }
    return answer(request, container, segments.join('/'), searchParams);
  });
  return { ...server, containers };
}

function answer(
  { method, headers, body }: LoopbackRequest,
  container: Map<string, Buffer>,
  blob: string,
  query: URLSearchParams,
): LoopbackAnswer {
  if (method === 'GET' && query.get('comp') === 'list') {
    const prefix = query.get('prefix') ?? '';
    const names = [...container.keys()].filter((name) => name.startsWith(prefix)).sort();
    const blobs = names.map((name) => `<Blob><Name>${name}</Name><Properties/></Blob>`).join('');
    return xml(200, `<EnumerationResults><Blobs>${blobs}</Blobs><NextMarker/></EnumerationResults>`);
  }
  if (method === 'PUT') {
    container.set(blob, body);
    return { status: 201, headers: { ETag: '"1"', 'Last-Modified': new Date().toUTCString() } };
  }
  if (method === 'DELETE') {
    return container.delete(blob)
      ? { status: 202 }
      : refusal(404, 'BlobNotFound', 'The specified blob does not exist.');
  }
  const content = container.get(blob);
  if (content === undefined) return refusal(404, 'BlobNotFound', 'The specified blob does not exist.');
  if (method === 'HEAD')
    return { status: 200, headers: { ETag: '"1"', 'Content-Length': String(content.length) } };
  if (method === 'GET' && headers['x-ms-range'] === undefined)
    return { status: 200, headers: { ETag: '"1"', 'Content-Length': String(content.length) }, body: content };
  const range = /^bytes=(\d+)-(\d+)$/.exec(String(headers['x-ms-range'] ?? ''));
  if (method === 'GET' && range) {
    const part = content.subarray(Number(range[1]), Number(range[2]) + 1);
    return { status: 206, headers: { ETag: '"1"', 'Content-Length': String(part.length) }, body: part };
  }
  return refusal(405, 'UnsupportedHttpVerb', 'The resource does not support the specified HTTP verb.');
}

/** Checks a signature by the SharedKey scheme. */
function signature({ method, target, headers }: LoopbackRequest, account: string, key: string): string {
  const header = (name: string) => String(headers[name] ?? '');
  const length = header('content-length');
  const own = Object.keys(headers)
    .filter((name) => name.startsWith('x-ms-'))
    .sort()
    .map((name) => `${name}:${header(name)}`);
  const { pathname, searchParams } = new URL(target, 'http://blob');
  const query = [...searchParams]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}:${value}`);
  const text = [
    method,
    header('content-encoding'),
    header('content-language'),
    length === '0' ? '' : length,
    header('content-md5'),
    header('content-type'),
    header('date'),
    header('if-modified-since'),
    header('if-match'),
    header('if-none-match'),
    header('if-unmodified-since'),
    header('range'),
    ...own,
    `/${account}${pathname}`,
    ...query,
  ].join('\n');
  return createHmac('sha256', Buffer.from(key, 'base64')).update(text, 'utf8').digest('base64');
}

function refusal(status: number, code: string, message: string): LoopbackAnswer {
  const { body, headers } = xml(status, `<Error><Code>${code}</Code><Message>${message}</Message></Error>`);
  return { status, headers: { ...headers, 'x-ms-error-code': code }, body };
}

function xml(status: number, body: string): LoopbackAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/xml' },
    body: `<?xml version="1.0" encoding="utf-8"?>${body}`,
  };
}
