import fc from 'fast-check';
import { once } from 'node:events';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { encodeHeaders } from '../../../src/plugin/wire/hpack';
import { Http2Connection, type Stream } from '../../../src/plugin/wire/http2';
import { temporaryFolder } from '../../support/temporary-folder';
import { frame, PATH, PREFACE, SETTINGS } from './support/frames';

const MIB = 1024 * 1024;
const OK = encodeHeaders([[':status', '200']]);
const TRAILERS = encodeHeaders([['grpc-status', '0']]);

let folder: string;
let server: Server;
let onStream: (stream: Stream) => void;
let connection: Http2Connection;
beforeEach(async () => {
  folder = temporaryFolder('http2');
  onStream = echo;
  server = createServer((socket) => {
    connection = new Http2Connection(socket);
    connection.onStream = (stream) => onStream(stream);
  });
  server.listen(join(folder, 's'));
  await once(server, 'listening');
});
afterEach(() => server.close());

function echo(stream: Stream): void {
  stream.onRequest = (body) => {
    stream.respond(OK);
    stream.end(Buffer.concat([Buffer.from(`${stream.path}\n`), body]), TRAILERS);
  };
}

describe('HTTP/2 with the client of Node.js', () => {
  let client: ClientHttp2Session;
  const open = (settings: object = {}) => {
    client = connectHttp2('http://localhost', {
      createConnection: () => connect(join(folder, 's')),
      settings,
    });
  };
  afterEach(() => client.destroy());

  const ask = async (path: string, body: Buffer | string = '') => {
    const stream = client.request({ ':method': 'POST', ':path': path });
    const chunks: Buffer[] = [];
    let trailers: Record<string, unknown> = {};
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('trailers', (given) => (trailers = given));
    stream.end(body);
    await once(stream, 'close');
    expect(trailers).toMatchObject({ 'grpc-status': '0' });
    return Buffer.concat(chunks);
  };

  test('many paths with any characters are decoded while headers are added to the table and evicted', async () => {
    open();
    const printable = fc.string({
      unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCharCode(code)),
      maxLength: 300,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(printable, { minLength: 1, maxLength: 30 }), async (texts) => {
        const answers = await Promise.all(texts.map((text) => ask(`/${text}`)));
        expect(answers.map(String)).toEqual(texts.map((text) => `/${text}\n`));
      }),
      { numRuns: 30 },
    );
  });

  test('large messages are transferred in both directions, through small windows', async () => {
    open({ initialWindowSize: 1_000, maxFrameSize: 20_000 });
    const bodies = [3 * MIB, MIB, 0].map((size) => Buffer.alloc(size, 'abcdefg'));
    const answers = await Promise.all(bodies.map((body) => ask('/x', body)));
    for (const [index, body] of bodies.entries()) {
      expect(answers[index]!.equals(Buffer.concat([Buffer.from('/x\n'), body]))).toBe(true);
    }
  });

  test('each part of an answer waits until the client has received the previous part', async () => {
    let taken = 0;
    onStream = (stream) => {
      stream.onRequest = () => {
        stream.respond(OK);
        void (async () => {
          while (await stream.write(Buffer.alloc(50_000))) taken += 1;
        })();
      };
    };
    open({ initialWindowSize: 65_535 });
    const stream = client.request({ ':method': 'POST', ':path': '/' });
    stream.end();
    await once(stream, 'response');
    // The answers to pings come after all earlier data, so the server has used up the window by
    // then.
    await new Promise((resolve) => client.ping(resolve));
    await new Promise((resolve) => client.ping(resolve));
    expect(taken).toBe(1);
    stream.on('data', () => {});
    while (taken < 20) await new Promise((resolve) => client.ping(resolve));
    stream.close();
    await once(stream, 'close');
  });

  test('a stream that the client has cancelled receives nothing more', async () => {
    const answered: boolean[] = [];
    const reset = new Promise<void>((resolve) => {
      onStream = (stream) => {
        stream.respond(OK);
        void stream.write(Buffer.alloc(MIB)).then((goesOn) => {
          answered.push(goesOn);
          stream.end(Buffer.from('late'), TRAILERS);
          resolve();
        });
      };
    });
    open();
    const stream = client.request({ ':method': 'POST', ':path': '/' }, { endStream: false });
    await once(stream, 'response');
    stream.close();
    await reset;
    expect(answered).toEqual([false]);
    onStream = echo;
    expect(String(await ask('/next'))).toBe('/next\n');
  });
});

describe('a client that violates the protocol', () => {
  /**
   * Sends bytes.
   *
   * @returns the code and the reason of the GOAWAY frame that ends the connection
   */
  async function endOf(...parts: readonly Buffer[]): Promise<[code: number, reason: string]> {
    const socket: Socket = connect(join(folder, 's'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {});
    socket.write(Buffer.concat(parts));
    await once(socket, 'close');
    let rest = Buffer.concat(chunks);
    while (rest[3] !== 7) rest = rest.subarray(9 + rest.readUIntBE(0, 3));
    const payload = rest.subarray(9, 9 + rest.readUIntBE(0, 3));
    return [payload.readUInt32BE(4), payload.subarray(8).toString()];
  }

  test.each<[string, Buffer, number, string]>([
    ['data without a request', frame(0, 1, 1, 'ff'), 1, 'DATA frame on an idle stream'],
    ['data of the connection', frame(0, 1, 0, 'ff'), 1, 'frame of type 0 on stream 0'],
    ['settings of a stream', frame(4, 0, 1), 1, 'frame of type 4 on stream 1'],
    ['a reset without a request', frame(3, 0, 1, '00000008'), 1, 'RST_STREAM frame on an idle stream'],
    [
      'a window update without a request',
      frame(8, 0, 1, '00000001'),
      1,
      'WINDOW_UPDATE frame on an idle stream',
    ],
    ['a reset with three bytes', frame(3, 0, 1, '000008'), 6, 'invalid length of a frame of type 3: 3'],
    ['a request that depends on itself', frame(2, 0, 1, '0000000100'), 1, 'stream that depends on itself'],
    ['a request with a priority that is cut off', frame(1, 0x25, 1, PATH), 6, 'truncated priority fields'],
    [
      'data after the end',
      Buffer.concat([frame(1, 5, 1, PATH), frame(0, 1, 1, 'ff')]),
      5,
      'frame on a closed stream',
    ],
    [
      'data after a reset',
      Buffer.concat([frame(1, 4, 1, PATH), frame(3, 0, 1, '00000008'), frame(0, 1, 1, 'ff')]),
      5,
      'frame on a closed stream',
    ],
    [
      'trailers without the end of the request',
      Buffer.concat([frame(1, 4, 1, PATH), frame(1, 4, 1, encodeHeaders([['trailer', 'y']]))]),
      1,
      'trailers without END_STREAM',
    ],
    ['a request without a path', frame(1, 5, 1, '83'), 1, 'missing pseudo-header :path'],
    [
      'an acknowledgement with settings',
      frame(4, 1, 0, '000400000001'),
      6,
      'invalid length of a SETTINGS frame',
    ],
    ['a push setting of 2', frame(4, 0, 0, '000200000002'), 1, 'invalid SETTINGS_ENABLE_PUSH: 2'],
    [
      'frames that are too large',
      frame(4, 0, 0, '000501000000'),
      1,
      'invalid SETTINGS_MAX_FRAME_SIZE: 16777216',
    ],
    [
      'a table that is resized late',
      frame(1, 5, 1, `${PATH}20`),
      9,
      'invalid header block: a table size update follows a header',
    ],
    ['a request with an even number', frame(1, 5, 2, PATH), 1, 'even stream id from a client'],
    [
      'headers with an index that does not exist',
      frame(1, 5, 1, 'ff00'),
      9,
      'invalid header block: index 127 is out of range',
    ],
    [
      'another frame between parts of headers',
      Buffer.concat([frame(1, 0, 1, PATH), frame(6, 0, 0, '00'.repeat(8))]),
      1,
      'expected a CONTINUATION frame',
    ],
    ['the end of headers without their start', frame(9, 4, 1, PATH), 1, 'unexpected CONTINUATION frame'],
    [
      'headers without an end',
      Buffer.concat([
        frame(1, 0, 1),
        ...Array.from({ length: 5 }, () => frame(9, 0, 1, Buffer.alloc(16_000))),
      ]),
      11,
      'header block too large',
    ],
    [
      'padding that is longer than the frame',
      Buffer.concat([frame(1, 4, 1, PATH), frame(0, 8, 1, '05ff')]),
      1,
      'padding longer than the frame',
    ],
    ['a large frame', frame(0, 0, 1, Buffer.alloc(16_385)), 6, 'frame of 16385 bytes is too large'],
    ['settings of five bytes', frame(4, 0, 0, '0000000000'), 6, 'invalid length of a SETTINGS frame'],
    ['a window that is too large', frame(4, 0, 0, '0004ffffffff'), 3, 'flow-control window too large'],
    ['frames that are too small', frame(4, 0, 0, '000500000001'), 1, 'invalid SETTINGS_MAX_FRAME_SIZE: 1'],
    ['a window update of 0', frame(8, 0, 0, '00000000'), 1, 'window increment of 0'],
    ['a window that grows too large', frame(8, 0, 0, '7fffffff'), 3, 'flow-control window too large'],
    ['a window of three bytes', frame(8, 0, 0, '000001'), 6, 'invalid length of a frame of type 8: 3'],
    ['a short ping', frame(6, 0, 0, '00'), 6, 'invalid length of a frame of type 6: 1'],
    ['a promise', frame(5, 0, 1, '00000002'), 1, 'PUSH_PROMISE frame from a client'],
  ])('the connection ends with the expected code and reason after %s', async (_name, bytes, code, reason) => {
    expect(await endOf(PREFACE, SETTINGS, bytes)).toEqual([code, reason]);
  });

  test('a client that does not begin with HTTP/2, or sends no settings, is disconnected', async () => {
    expect(await endOf(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toEqual([1, 'invalid connection preface']);
    expect(await endOf(PREFACE, frame(6, 0, 0, '00'.repeat(8)))).toEqual([
      1,
      'the first frame is not SETTINGS',
    ]);
  });

  test('rare but valid frames are accepted: padding, priorities, headers in parts, unknown types, single bytes', async () => {
    const requests: string[] = [];
    const answered = new Promise<void>((resolve) => {
      onStream = (stream) => {
        stream.onRequest = (body) => {
          requests.push(`${stream.id} ${stream.path} ${String(body)}`);
          if (stream.id === 5) resolve();
        };
      };
    });
    const socket = connect(join(folder, 's'));
    const text = Buffer.concat([
      PREFACE,
      SETTINGS,
      frame(99, 0, 0, 'ffff'),
      frame(2, 0, 1, '0000000000'),
      frame(1, 0x2c, 1, `02${'0000000000'}${PATH}0000`),
      frame(0, 8, 1, Buffer.from('\x02ab\0\0')),
      frame(0, 1, 1, Buffer.from('cd')),
      frame(1, 0, 3, PATH.slice(0, 2)),
      frame(9, 0, 3, PATH.slice(2, 4)),
      frame(9, 4, 3, PATH.slice(4)),
      frame(3, 0, 3, '00000008'),
      frame(1, 4, 5, PATH),
      frame(0, 0, 5, Buffer.from('x')),
      frame(1, 5, 5, encodeHeaders([['trailer', 'y']])),
    ]);
    for (const byte of text) socket.write(Buffer.of(byte));
    await answered;
    expect(requests).toEqual(['1 / abcd', '5 / x']);
    socket.destroy();
  });

  test('a stream whose window becomes too large is reset', async () => {
    const socket = connect(join(folder, 's'));
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    const last = frame(6, 1, 0, '01'.repeat(8));
    socket.write(
      Buffer.concat([
        PREFACE,
        SETTINGS,
        frame(1, 4, 1, PATH),
        frame(8, 0, 1, '7fffffff'),
        frame(6, 0, 0, '01'.repeat(8)),
      ]),
    );
    while (!Buffer.concat(chunks).includes(last)) await once(socket, 'data');
    expect(Buffer.concat(chunks).includes(frame(3, 0, 1, '00000003'))).toBe(true);
    socket.destroy();
  });

  test('the rest of a request that was already answered is ignored', async () => {
    const requests: string[] = [];
    onStream = (stream) => {
      if (stream.id === 1) stream.respond(TRAILERS, true);
      else stream.onRequest = (body) => requests.push(`${stream.id} ${String(body)}`);
    };
    const socket = connect(join(folder, 's'));
    socket.write(
      Buffer.concat([
        PREFACE,
        SETTINGS,
        frame(1, 4, 1, PATH),
        frame(0, 0, 1, Buffer.from('more')),
        frame(0, 1, 1, Buffer.from('the rest')),
        frame(1, 4, 3, PATH),
        frame(0, 1, 3, Buffer.from('next')),
        frame(6, 0, 0, '01'.repeat(8)),
      ]),
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    while (!Buffer.concat(chunks).includes(frame(6, 1, 0, '01'.repeat(8)))) await once(socket, 'data');
    expect(requests).toEqual(['3 next']);
    socket.destroy();
  });

  test('random bytes end their connection, and the server continues', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (random) => {
        const socket = connect(join(folder, 's'));
        socket.on('error', () => {});
        socket.resume();
        socket.end(Buffer.concat([PREFACE, SETTINGS, random]));
        await once(socket, 'close');
      }),
      { numRuns: 200 },
    );
  });
});

test('the end of a connection is reported, and the connection is destroyed', async () => {
  const socket = connect(join(folder, 's'));
  await once(socket, 'data');
  const closed = once(connection, 'close');
  connection.destroy();
  await closed;
  await once(socket, 'close');
});
