import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { connect } from 'node:net';
import { type S3Server, startS3Server } from '../../../src/emulator';
import { signatureOf } from '../../../src/emulator/object-stores/signature-v4';

const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret', sessionToken: 'session' };
const Bucket = 'backups';
let server: S3Server;
let client: S3Client;

beforeAll(async () => {
  server = await startS3Server({ credentials, buckets: [Bucket, 'other'], pageSize: 2 });
  client = clientWith(credentials);
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

function clientWith(given: typeof credentials): S3Client {
  return new S3Client({
    region: 'us-east-1',
    endpoint: server.address,
    forcePathStyle: true,
    credentials: given,
    maxAttempts: 1,
  });
}

it('objects are put, read, listed by pages, and deleted', async () => {
  const keys = ['a b/1+2&<3>.snap', 'a b/ü.snap', 'a b/z.snap', 'c'];
  for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(Key) }));
  const read = await client.send(new GetObjectCommand({ Bucket, Key: 'a b/ü.snap' }));
  expect(await read.Body?.transformToString()).toBe('a b/ü.snap');
  const head = await client.send(new HeadObjectCommand({ Bucket, Key: 'c' }));
  expect([head.ContentLength, head.ETag]).toEqual([1, '"4a8a08f09d37b73795649038408b5f33"']);

  const first = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'a b/' }));
  expect([first.Contents?.map(({ Key }) => Key), first.IsTruncated]).toEqual([[keys[0], keys[2]], true]);
  const rest = await client.send(
    new ListObjectsV2Command({ Bucket, Prefix: 'a b/', ContinuationToken: first.NextContinuationToken }),
  );
  expect([rest.Contents?.map(({ Key, Size }) => [Key, Size]), rest.IsTruncated]).toEqual([
    [[keys[1], 11]],
    false,
  ]);

  await client.send(new DeleteObjectCommand({ Bucket, Key: 'c' }));
  await client.send(new DeleteObjectCommand({ Bucket, Key: 'c' }));
  expect([...(server.buckets.get(Bucket)?.keys() ?? [])]).toEqual(keys.slice(0, 3));
  expect((await client.send(new ListObjectsV2Command({ Bucket: 'other' }))).Contents).toBeUndefined();
});

describe('a conditional put', () => {
  const put = (condition: object, Key = 'lock') =>
    client.send(new PutObjectCommand({ Bucket, Key, Body: 'held', ...condition })).then(
      ({ $metadata }) => $metadata.httpStatusCode,
      ({ name, $metadata }) => [name, $metadata.httpStatusCode],
    );
  const etag = '"0eb29f5d6149e84750bcd6f6e741a7a1"';

  beforeEach(() => server.buckets.get(Bucket)?.delete('lock'));

  it('a put with If-None-Match: * succeeds once', async () => {
    const answers = await Promise.all([put({ IfNoneMatch: '*' }), put({ IfNoneMatch: '*' })]);
    expect(answers).toEqual(expect.arrayContaining([200, ['PreconditionFailed', 412]]));
  });

  it('a put with If-Match succeeds if the object has this ETag', async () => {
    expect(await put({ IfMatch: etag })).toEqual(['NoSuchKey', 404]);
    await put({});
    expect(await put({ IfMatch: '"other"' })).toEqual(['PreconditionFailed', 412]);
    expect(await put({ IfMatch: etag })).toBe(200);
  });

  it('a put with another value of If-None-Match is refused', async () => {
    expect(await put({ IfNoneMatch: etag })).toEqual(['NotImplemented', 501]);
  });
});

it.each([
  ['a missing object', { Bucket, Key: 'missing' }, credentials, 'NoSuchKey', 404],
  ['a missing bucket', { Bucket: 'missing', Key: 'a' }, credentials, 'NoSuchBucket', 404],
  [
    'an unknown key id',
    { Bucket, Key: 'a' },
    { ...credentials, accessKeyId: 'x' },
    'InvalidAccessKeyId',
    403,
  ],
  [
    'a wrong secret',
    { Bucket, Key: 'a' },
    { ...credentials, secretAccessKey: 'x' },
    'SignatureDoesNotMatch',
    403,
  ],
  ['a wrong session token', { Bucket, Key: 'a' }, { ...credentials, sessionToken: 'x' }, 'InvalidToken', 400],
])('a request %s is refused', async (_, object, given, name, httpStatusCode) => {
  const other = clientWith(given);
  await expect(other.send(new GetObjectCommand(object))).rejects.toMatchObject({
    name,
    $metadata: { httpStatusCode },
  });
  other.destroy();
});

it('requests without a signature are refused', async () => {
  const answer = await fetch(`${server.address}/${Bucket}/a`, { method: 'PUT', body: 'x' });
  expect([answer.status, await answer.text()]).toEqual([
    403,
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>',
  ]);
});

/** Sends the head of a request and a part of its body. Returns the first line of the answer. */
async function begun(head: readonly string[], body = ''): Promise<string> {
  const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${head.join('\r\n')}\r\nHost: s3\r\n\r\n${body}`);
  let received = '';
  for await (const chunk of socket as AsyncIterable<Buffer>) received += chunk.toString('latin1');
  return received.split('\r\n')[0]!;
}

const PUT = `PUT /${Bucket}/a HTTP/1.1`;

it.each<[what: string, head: readonly string[], body: string]>([
  ['announces 400 MB', [PUT, 'Content-Length: 400000000'], ''],
  ['comes in chunks', [PUT, 'Transfer-Encoding: chunked'], '5\r\naaaaa\r\n'],
  [
    'announces 400 MB with a signature that is not valid',
    [
      PUT,
      'Content-Length: 400000000',
      `Authorization: AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/a/b/s3/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
      'x-amz-security-token: session',
    ],
    '',
  ],
])('a body is refused before it is sent if it %s', async (_what, head, body) => {
  expect(await begun(head, body)).toBe('HTTP/1.1 403 Forbidden');
});

/** Returns the head of a signed request. */
function signed(method: string, target: string, more: readonly string[]): readonly string[] {
  const sent = { 'x-amz-security-token': 'session', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const scope = 'a/b/s3/aws4_request';
  const request = { method, target, headers: { host: 's3', ...sent } };
  const signature = signatureOf(request, credentials.secretAccessKey, scope, 'host');
  return [
    `${method} ${target} HTTP/1.1`,
    ...Object.entries(sent).map(([name, value]) => `${name}: ${value}`),
    `Authorization: AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=host, Signature=${signature}`,
    ...more,
  ];
}

it('an object that is longer than a snapshot can be is refused before it is sent', async () => {
  const head = signed('PUT', `/${Bucket}/a`, ['Content-Length: 268435457']);
  expect(await begun(head)).toBe('HTTP/1.1 400 Bad Request');
});

it('a path that cannot be decoded is refused', async () => {
  const head = signed('GET', `/${Bucket}/%zz`, ['Connection: close']);
  expect(await begun(head)).toBe('HTTP/1.1 400 Bad Request');
});
