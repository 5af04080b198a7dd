/** The reader of HTTP answers against Node.js's own. */
import { request } from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { AnswerReader } from '../../src/client/transport/answer-reader';
import { fuzz } from './support/fuzz';

interface Found {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
}

/** Returns the answer in the bytes of a connection that then ends; `refused` for invalid bytes. */
type Read = (pieces: readonly Buffer[]) => Found | 'refused';

const read: Read = (pieces) => {
  let [status, body] = [0, ''];
  const headers: Record<string, readonly string[]> = Object.create(null) as object as never;
  const reader = new AnswerReader({
    onHead: (code, found) => {
      status = code;
      for (const [name, value] of Object.entries(found)) headers[name] = [value ?? []].flat();
    },
    onBody: (part) => (body += part.toString('latin1')),
  });
  try {
    for (const piece of pieces) if (!reader.isComplete) reader.read(piece);
  } catch {
    return 'refused';
  }
  reader.readEnd();
  return reader.isComplete ? { status, headers, body } : 'refused';
};

/** Returns what `node:http` reads. */
function readByNode(text: Buffer): Promise<Found | 'refused'> {
  return new Promise((resolve) => {
    const socket = new Duplex({ read: () => {}, write: (_part, _encoding, done) => done() });
    const refuse = () => resolve('refused');
    const sent = request({ createConnection: () => socket, headers: { host: 'x' } });
    sent.on('error', refuse).on('upgrade', refuse);
    sent.on('response', (response) => {
      let body = '';
      response.on('data', (part: Buffer) => (body += part.toString('latin1')));
      response.on('error', refuse);
      response.on('end', () => {
        const headers = response.headersDistinct as Found['headers'];
        resolve(response.complete ? { status: response.statusCode!, headers, body } : 'refused');
      });
    });
    sent.end();
    setImmediate(() => {
      socket.push(text);
      socket.push(null);
    });
  });
}

const often = <T>(usual: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );

const lineEnd = often('\r\n', '\n', '\r', '\r\r\n');
const otherHeader = often(
  'X-A: b',
  'x-a:c',
  'X-Empty:',
  '__proto__: a',
  'Connection: close',
  'Keep-Alive: timeout=5',
  'X-Tab: a\tb ',
  'X-Latin: \xe9',
  'X : b',
  ' X: folded',
  ': no name',
  'no colon',
  'X-Nul: a\0b',
  'X-Control: a\x0bb',
  'X-Delete: a\x7fb',
);
const bodyText = fc.oneof(fc.constantFrom('', 'x', '{"data":{}}'), fc.string({ maxLength: 300 }));

/** A body with its length, which is often wrong. */
const withLength = bodyText.chain((body) =>
  often<[string, string]>(
    [`Content-Length: ${body.length}`, body],
    [`Content-Length: +${body.length}`, body],
    [`Content-Length: -${body.length + 1}`, body],
    [`Content-Length: 0x${body.length}`, body],
    [`Content-Length: ${body.length} ${body.length}`, body],
    [`Content-Length: ${body.length + 1}`, body],
    ['Content-Length:', body],
    ['Content-Length: 99999999999999999999', body],
    ['X-Length: none', body],
  ),
);

const size = (length: number) =>
  often(
    length.toString(16),
    length.toString(16).toUpperCase(),
    `00${length.toString(16)}`,
    `${length.toString(16)};a="b"`,
    `-${length.toString(16)}`,
    `0x${length.toString(16)}`,
    `${length.toString(16)}g`,
    (length + 1).toString(16),
    '',
  );
const chunk = fc
  .string({ minLength: 1, maxLength: 40 })
  .chain((part) => fc.tuple(size(part.length), lineEnd, fc.constant(part), lineEnd))
  .map((parts) => parts.join(''));
const inChunks = fc
  .tuple(
    fc.array(chunk, { maxLength: 5 }),
    often('0\r\n\r\n', '000\r\n\r\n', '0\r\nx: y\r\n\r\n', '0\r\n', ''),
  )
  .map(([chunks, end]): [string, string] => ['Transfer-Encoding: chunked', chunks.join('') + end]);

const answerTexts = fc
  .tuple(
    often('', 'HTTP/1.1 100 Continue\r\n\r\n', 'junk'),
    often('HTTP/1.1', 'HTTP/1.0', 'http/1.1', 'HTTP/1,1'),
    often('200 OK', '404 Not Found', '503', '500 \xe9', '20 OK', '2000 x', '200\tOK'),
    fc.array(otherHeader, { maxLength: 3 }),
    fc.oneof(withLength, inChunks),
    lineEnd,
  )
  .map(([before, version, status, others, [length, body], end]) =>
    Buffer.from(`${before}${version} ${[status, ...others, length].join(end)}${end}${end}${body}`, 'latin1'),
  );

const answersInPieces = fc.tuple(answerTexts, fc.array(fc.nat(400), { maxLength: 4 })).map(([text, cuts]) => {
  const ends = [...cuts.filter((cut) => cut < text.length).sort((one, other) => one - other), text.length];
  const pieces = ends.map((end, at) => text.subarray(ends[at - 1] ?? 0, end));
  return { text, pieces: pieces.filter(({ length }) => length > 0) };
});

fuzz('an answer is read as Node.js reads it, and refused if Node.js refuses it', {
  inputs: answersInPieces,
  subject: read,
  planted: (pieces) => {
    const found = read(pieces);
    return found === 'refused' ? found : { ...found, body: found.body.slice(0, 5) };
  },
  check: async (subject, { text, pieces }) => {
    const found = subject(pieces);
    const expected = await readByNode(text);
    // Earlier versions of Node.js 20 accept line feeds alone.
    if (found === 'refused' && /(?<!\r)\n/.test(text.toString('latin1'))) return;
    expect(found).toEqual(expected);
  },
});
