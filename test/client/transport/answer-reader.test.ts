import { AnswerReader, AnswerSyntaxError } from '../../../src/client/transport/answer-reader';

/** The parts of an answer. */
interface Found {
  readonly status: number;
  readonly headers: object;
  readonly body: string;
  readonly keepAlive: number;
  readonly isComplete: boolean;
}

const HALF_MINUTE = 30_000;

function found(pieces: readonly Buffer[], ends = false): Found {
  let status = 0;
  let headers: object = {};
  let body = '';
  const reader = new AnswerReader({
    onHead: (...head) => ([status, headers] = head),
    onBody: (part) => (body += part.toString('latin1')),
  });
  for (const piece of pieces) reader.read(piece);
  if (ends) reader.readEnd();
  return { status, headers, body, keepAlive: reader.keepAlive, isComplete: reader.isComplete };
}

const inOne = (text: string, ends?: boolean) => found([Buffer.from(text, 'latin1')], ends);
const inBytes = (text: string, ends?: boolean) =>
  found(
    Array.from(text, (each) => Buffer.from(each, 'latin1')),
    ends,
  );

const ok = (...headers: string[]) => ['HTTP/1.1 200 OK', ...headers, '', ''].join('\r\n');
const complete = { status: 200, headers: {}, body: '', keepAlive: HALF_MINUTE, isComplete: true };

test.each<[what: string, text: string, expected: Partial<Found>]>([
  ['with a length', `${ok('Content-Length: 3')}abc`, { headers: { 'content-length': '3' }, body: 'abc' }],
  ['with length 0', ok('Content-Length:0'), { headers: { 'content-length': '0' } }],
  [
    'with one length twice',
    `${ok('Content-Length: 1', 'Content-Length: 1')}a`,
    { headers: { 'content-length': ['1', '1'] }, body: 'a' },
  ],
  [
    'in chunks',
    `${ok('Transfer-Encoding: Chunked')}3\r\nabc\r\nA;x="y"\r\n0123456789\r\n0\r\n\r\n`,
    { headers: { 'transfer-encoding': 'Chunked' }, body: 'abc0123456789' },
  ],
  [
    'in chunks, with trailers',
    `${ok('transfer-encoding: chunked')}1 \r\na\r\n000\r\nx: y\r\n\r\n`,
    { headers: { 'transfer-encoding': 'chunked' }, body: 'a' },
  ],
  ['without content', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204 }],
  [
    'that is not modified, with the length of what it does not have',
    'HTTP/1.1 304\r\ncontent-length: 9\r\n\r\n',
    { status: 304, headers: { 'content-length': '9' } },
  ],
  [
    'without a reason',
    'HTTP/1.1 404\r\ncontent-length: 0\r\n\r\n',
    { status: 404, headers: { 'content-length': '0' } },
  ],
  [
    'after others that are preliminary',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n${ok('content-length: 1')}a`,
    { headers: { 'content-length': '1' }, body: 'a' },
  ],
  [
    'with headers of names that objects have',
    ok('__proto__: a', 'constructor: b', 'content-length: 0'),
    { headers: JSON.parse('{"__proto__":"a","constructor":"b","content-length":"0"}') as object },
  ],
  [
    'with white space around values, and characters beyond ASCII',
    ok('a: \t b c\t ', 'b: \xe9', 'c:', 'content-length: 0'),
    { headers: { a: 'b c', b: '\xe9', c: '', 'content-length': '0' } },
  ],
  [
    'of a connection that the server closes afterwards',
    ok('content-length: 0', 'connection: Close'),
    { headers: { 'content-length': '0', connection: 'Close' }, keepAlive: 0 },
  ],
  [
    'of a connection that the server keeps for a shorter time',
    ok('content-length: 0', 'keep-alive: max=9, timeout=5'),
    { headers: { 'content-length': '0', 'keep-alive': 'max=9, timeout=5' }, keepAlive: 3_000 },
  ],
  [
    'of a connection that the server keeps for a moment',
    ok('content-length: 0', 'keep-alive: timeout=1'),
    { headers: { 'content-length': '0', 'keep-alive': 'timeout=1' }, keepAlive: 0 },
  ],
  [
    'of a connection that the server keeps for a longer time',
    ok('content-length: 0', 'keep-alive: timeout=600'),
    { headers: { 'content-length': '0', 'keep-alive': 'timeout=600' } },
  ],
  [
    'of HTTP/1.0',
    'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n',
    { headers: { 'content-length': '0' }, keepAlive: 0 },
  ],
  [
    'of HTTP/1.0 that keeps the connection',
    'HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: keep-alive\r\n\r\n',
    { headers: { 'content-length': '0', connection: 'keep-alive' } },
  ],
])('an answer %s is read, in one piece and byte by byte', (_, text, expected) => {
  expect(inOne(text)).toEqual({ ...complete, ...expected });
  expect(inBytes(text)).toEqual({ ...complete, ...expected });
});

test('an answer without a length ends with the connection', () => {
  const text = `${ok()}abc`;
  expect(inBytes(text)).toEqual({ ...complete, body: 'abc', keepAlive: 0, isComplete: false });
  expect(inBytes(text, true)).toEqual({ ...complete, body: 'abc', keepAlive: 0 });
});

test.each([
  ['nothing', ''],
  ['a part of the head', 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n'],
  ['a part of the body', `${ok('content-length: 4')}abc`],
  ['no last chunk', `${ok('transfer-encoding: chunked')}1\r\na\r\n`],
  ['a preliminary answer', 'HTTP/1.1 100 Continue\r\n\r\n'],
])('an answer is not complete if the connection ends after %s', (_, text) => {
  expect(inOne(text, true).isComplete).toBe(false);
});

test('bytes after an answer are not read, and the connection must be closed', () => {
  const expected = { ...complete, headers: { 'content-length': '1' }, body: 'a', keepAlive: 0 };
  expect(inOne(`${ok('content-length: 1')}ab`)).toEqual(expected);
});

test.each([
  ['another protocol', 'SSH-2.0-x\r\n'],
  ['an alert of TLS without a line', '\x15\x03\x01'],
  ['another version', 'HTTP/2.0 200 OK\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n'],
  ['a status that does not exist', 'HTTP/1.1 600 OK\r\n'],
  ['a line feed alone', 'HTTP/1.1 200 OK\n'],
  ['a carriage return within a line', 'HTTP/1.1 200 OK\r\na: b\rc\r\n'],
  ['a header without a colon', 'HTTP/1.1 200 OK\r\nabc\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\na : b\r\n'],
  ['a header that goes on in the next line', 'HTTP/1.1 200 OK\r\na: b\r\n c\r\n'],
  ['a switch to another protocol', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['a negative length', ok('content-length: -5')],
  ['a length that is not a number', ok('content-length: 0x5')],
  ['an empty length', ok('content-length:')],
  ['two lengths', ok('content-length: 1', 'content-length: 2')],
  ['a length and chunks', ok('content-length: 1', 'transfer-encoding: chunked')],
  ['another encoding', ok('transfer-encoding: gzip, chunked')],
  ['chunks declared twice', ok('transfer-encoding: chunked', 'transfer-encoding: chunked')],
  ['a chunk of negative length', `${ok('transfer-encoding: chunked')}-5\r\n`],
  ['a chunk without a length', `${ok('transfer-encoding: chunked')}\r\n`],
  ['a chunk of more than 4 GiB', `${ok('transfer-encoding: chunked')}100000000\r\n`],
  ['a chunk that is longer than its length', `${ok('transfer-encoding: chunked')}1\r\nab\r\n`],
])('%s is refused, in one piece and byte by byte', (_, text) => {
  expect(() => inOne(text)).toThrow(AnswerSyntaxError);
  expect(() => inBytes(text)).toThrow(AnswerSyntaxError);
});

const LONG = 'x'.repeat(16 * 1024);

test.each([
  ['head', `HTTP/1.1 200 OK\r\na: ${LONG}`],
  ['head of short lines', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(3_000)}`],
  ['series of preliminary answers', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)],
  ['line before a chunk', `${ok('transfer-encoding: chunked')}1;${LONG}`],
  ['list of trailers', `${ok('transfer-encoding: chunked')}0\r\n${'a: b\r\n'.repeat(3_000)}`],
])('a %s of more than 16 KiB is refused', (_, text) => {
  expect(() => inOne(text)).toThrow('a head or line is longer than 16384 bytes');
});

test('a head of 16 KiB, and many chunks with long lines, are read', () => {
  const head = `HTTP/1.1 200 OK\r\ncontent-length: 0\r\na: \r\n\r\n`;
  const filled = head.replace('a: ', `a: ${'x'.repeat(16 * 1024 - head.length)}`);
  expect(inOne(filled)).toMatchObject({ status: 200, isComplete: true });
  const chunk = `1;${'x'.repeat(10_000)}\r\na\r\n`;
  expect(inOne(`${ok('transfer-encoding: chunked')}${chunk.repeat(9)}0\r\n\r\n`).body).toBe('a'.repeat(9));
});
