import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import {
  type LoopbackAnswer,
  type LoopbackRequest,
  type LoopbackServer,
  startLoopback,
} from '../../../../src/emulator/object-stores/loopback';

export interface GcsServer extends LoopbackServer {
  /** The objects of every bucket, by name. */
  readonly buckets: ReadonlyMap<string, Map<string, Buffer>>;
  /** The key file of the only account with access. */
  readonly serviceAccountKey: string;
}

/**
 * The smallest server with the JSON interface of Google Cloud Storage that the client library
 * accepts: objects are uploaded, listed and deleted, and the tokens that an account signs with its
 * key are checked.
 */
export async function startGcsServer(names: readonly string[]): Promise<GcsServer> {
  const account = serviceAccount('emulator@project.iam.gserviceaccount.com');
  const buckets = new Map(names.map((name) => [name, new Map<string, Buffer>()]));
  const server = await startLoopback(0, (request) => {
    if (!account.signed(request.headers.authorization)) {
      return refusal(401, 'authError', 'Invalid Credentials');
    }
    const { pathname, searchParams } = new URL(request.target, 'http://gcs');
    const [, name = '', object = ''] = /\/b\/([^/]+)\/o(?:\/(.+))?$/.exec(pathname) ?? [];
    const bucket = buckets.get(decodeURIComponent(name));
    if (bucket === undefined) return refusal(404, 'notFound', 'The specified bucket does not exist.');
    return answer(request, bucket, decodeURIComponent(object), searchParams);
  });
  return { ...server, buckets, serviceAccountKey: account.key };
}

/** Returns a key file, and a function that checks the tokens that are signed with it. */
export function serviceAccount(email: string) {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = JSON.stringify({
    type: 'service_account',
    project_id: 'project',
    private_key_id: 'id',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: email,
  });
  const signed = (authorization: string | undefined): boolean => {
    const [header, payload, signature] = (authorization ?? '').replace('Bearer ', '').split('.');
    if (header === undefined || payload === undefined || signature === undefined) return false;
    return createVerify('RSA-SHA256')
      .update(`${header}.${payload}`)
      .verify(publicKey, signature, 'base64url');
  };
  return { key, signed };
}

function answer(
  { method, headers, body }: LoopbackRequest,
  bucket: Map<string, Buffer>,
  object: string,
  query: URLSearchParams,
): LoopbackAnswer {
  if (method === 'POST') {
    const name = query.get('name') ?? '';
    const content = lastPart(body, /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1] ?? '');
    bucket.set(name, content);
    return json(200, { name, md5Hash: createHash('md5').update(content).digest('base64') });
  }
  if (method === 'GET' && object === '') {
    const prefix = query.get('prefix') ?? '';
    const names = [...bucket.keys()].filter((name) => name.startsWith(prefix)).sort();
    return json(200, { items: names.map((name) => ({ name })) });
  }
  const content = bucket.get(object);
  if (method === 'GET' && query.get('alt') === 'media' && content) {
    const md5 = createHash('md5').update(content).digest('base64');
    return { status: 200, headers: { 'x-goog-hash': `md5=${md5}` }, body: content };
  }
  if (method === 'DELETE' && bucket.delete(object)) return { status: 204 };
  return refusal(404, 'notFound', `No such object: ${object}`);
}

/** Returns the content of a multipart upload: the second part, after the object's metadata. */
function lastPart(body: Buffer, boundary: string): Buffer {
  const start = body.indexOf('\r\n\r\n', body.indexOf(`--${boundary}`, 2)) + 4;
  return body.subarray(start, body.lastIndexOf(`\r\n--${boundary}--`));
}

function refusal(status: number, reason: string, message: string): LoopbackAnswer {
  return json(status, { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } });
}

function json(status: number, body: object): LoopbackAnswer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
