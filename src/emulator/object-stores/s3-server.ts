import { createHash, randomBytes } from 'node:crypto';
import { LONGEST_SNAPSHOT } from '../auto-snapshots/archive';
import { type LoopbackAnswer, type LoopbackRequest, type LoopbackServer, startLoopback } from './loopback';
import { payloadFault, type S3Credentials, type SignatureFault, signatureFault } from './signature-v4';

export interface S3ServerOptions {
  readonly credentials: S3Credentials;
  /** The names of the buckets. Clients cannot create further buckets. */
  readonly buckets: readonly string[];
  /** The port; 0 for any free port. Default: 0. */
  readonly port?: number;
  /** The maximum number of objects in an answer to a list. Default: 1000. */
  readonly pageSize?: number;
}

/** An object in a bucket. */
export interface S3Object {
  readonly content: Buffer;
  readonly modified: Date;
  /** `AES256` or `aws:kms`, if the request asked for encryption. */
  readonly encryption?: string;
  readonly kmsKey?: string;
}

export interface S3Server extends LoopbackServer {
  /** The objects of every bucket, by key. Callers may read and change them. */
  readonly buckets: ReadonlyMap<string, Map<string, S3Object>>;
}

const MESSAGES: Readonly<
  Record<
    | SignatureFault
    | 'EntityTooLarge'
    | 'InvalidURI'
    | 'NoSuchBucket'
    | 'NoSuchKey'
    | 'NotImplemented'
    | 'PreconditionFailed',
    string
  >
> = {
  AccessDenied: 'Access Denied',
  InvalidAccessKeyId: 'The AWS Access Key Id you provided does not exist in our records.',
  InvalidToken: 'The provided token is malformed or otherwise invalid.',
  SignatureDoesNotMatch:
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
  XAmzContentSHA256Mismatch: "The provided 'x-amz-content-sha256' header does not match what was computed.",
  EntityTooLarge: 'Your proposed upload exceeds the maximum allowed object size.',
  InvalidURI: "Couldn't parse the specified URI.",
  NoSuchBucket: 'The specified bucket does not exist',
  NoSuchKey: 'The specified key does not exist.',
  NotImplemented: 'A header you provided implies functionality that is not implemented',
  PreconditionFailed: 'At least one of the pre-conditions you specified did not hold',
};
type ErrorCode = keyof typeof MESSAGES;

const STATUSES: Readonly<Partial<Record<ErrorCode, number>>> = {
  EntityTooLarge: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  XAmzContentSHA256Mismatch: 400,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
};

/**
 * Starts a minimal S3 server for snapshots and Terraform's states. It checks signatures, and keeps
 * objects in memory. Clients can write, read, list and delete them at paths of the form
 * `/bucket/key`. The conditions `If-None-Match: *` and `If-Match` of writes are supported, because
 * Terraform locks states with them.
 */
export async function startS3Server(options: S3ServerOptions): Promise<S3Server> {
  const buckets = new Map(options.buckets.map((name) => [name, new Map<string, S3Object>()]));
  const answer = (request: LoopbackRequest) => {
    const fault = payloadFault(request);
    if (fault !== undefined) return refusal(fault);
    const place = placeIn(request.target);
    if (!place) return refusal('InvalidURI');
    const {
      names: [, name = '', ...segments],
      searchParams,
    } = place;
    const bucket = buckets.get(name);
    if (bucket === undefined) return refusal('NoSuchBucket');
    const key = segments.join('/');
    if (key === '') {
      return request.method === 'GET'
        ? xml(200, listing(name, bucket, searchParams, options.pageSize ?? 1000))
        : refusal('NotImplemented');
    }
    return answerForObject(request, bucket, key);
  };
  const server = await startLoopback(options.port ?? 0, answer, {
    longest: LONGEST_SNAPSHOT,
    refusal: (head, isTooLong) => {
      const fault = signatureFault(head, options.credentials) ?? (isTooLong ? 'EntityTooLarge' : undefined);
      return fault && refusal(fault);
    },
  });
  return { ...server, buckets };
}

/** Returns the parts of a path, or `undefined` if it cannot be read. */
function placeIn(target: string) {
  try {
    const { pathname, searchParams } = new URL(target, 'http://s3');
    return { names: pathname.split('/').map(decodeURIComponent), searchParams };
  } catch {
    return undefined;
  }
}

function answerForObject(
  { method, headers, body }: LoopbackRequest,
  bucket: Map<string, S3Object>,
  key: string,
): LoopbackAnswer {
  const object = bucket.get(key);
  switch (method) {
    case 'PUT': {
      const unmet = unmetCondition(headers, object);
      if (unmet !== undefined) return refusal(unmet);
      bucket.set(key, {
        content: body,
        modified: new Date(),
        ...encryptionIn(headers),
      });
      return { status: 200, headers: { ETag: etag(body) } };
    }
    case 'GET':
    case 'HEAD':
      return object === undefined
        ? refusal('NoSuchKey')
        : {
            status: 200,
            headers: { ETag: etag(object.content), 'Last-Modified': object.modified.toUTCString() },
            body: object.content,
          };
    case 'DELETE':
      bucket.delete(key);
      return { status: 204 };
    default:
      return refusal('NotImplemented');
  }
}

/** Returns the condition of a write that is not met. */
function unmetCondition(
  headers: LoopbackRequest['headers'],
  object: S3Object | undefined,
): ErrorCode | undefined {
  const absent = headers['if-none-match'];
  const present = headers['if-match'];
  if (absent !== undefined && absent !== '*') return 'NotImplemented';
  if (absent !== undefined && object !== undefined) return 'PreconditionFailed';
  if (present === undefined) return undefined;
  if (object === undefined) return 'NoSuchKey';
  return present === etag(object.content) ? undefined : 'PreconditionFailed';
}

function encryptionIn(headers: LoopbackRequest['headers']): Partial<S3Object> {
  const encryption = headers['x-amz-server-side-encryption'];
  const kmsKey = headers['x-amz-server-side-encryption-aws-kms-key-id'];
  return {
    ...(typeof encryption === 'string' && { encryption }),
    ...(typeof kmsKey === 'string' && { kmsKey }),
  };
}

function listing(
  name: string,
  bucket: ReadonlyMap<string, S3Object>,
  query: URLSearchParams,
  pageSize: number,
): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...bucket.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const more = keys.length > page.length ? (page.at(-1) ?? '') : undefined;
  const contents = page.map((key) => {
    const { content, modified } = bucket.get(key) as S3Object;
    return element('Contents', [
      element('Key', escape(key)),
      element('LastModified', modified.toISOString()),
      element('ETag', escape(etag(content))),
      element('Size', String(content.length)),
    ]);
  });
  return element('ListBucketResult', [
    element('Name', escape(name)),
    element('Prefix', escape(prefix)),
    element('KeyCount', String(page.length)),
    element('MaxKeys', String(pageSize)),
    element('IsTruncated', String(more !== undefined)),
    ...(more === undefined ? [] : [element('NextContinuationToken', escape(more))]),
    ...contents,
  ]);
}

function refusal(code: ErrorCode): LoopbackAnswer {
  const content = [element('Code', code), element('Message', escape(MESSAGES[code]))];
  return xml(STATUSES[code] ?? 403, element('Error', content));
}

function xml(status: number, body: string): LoopbackAnswer {
  return {
    status,
    headers: {
      'Content-Type': 'application/xml',
      'x-amz-request-id': randomBytes(8).toString('hex').toUpperCase(),
    },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${body}`,
  };
}

function element(name: string, content: string | readonly string[]): string {
  return `<${name}>${typeof content === 'string' ? content : content.join('')}</${name}>`;
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function etag(content: Buffer): string {
  return `"${createHash('md5').update(content).digest('hex')}"`;
}
