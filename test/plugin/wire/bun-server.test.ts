/**
 * Tests the server on a fake of Bun's sockets that take few bytes at a time. Other tests run
 * executables on Bun itself.
 */
import { bunServer } from '../../../src/plugin/wire/bun-server';
import { createCertificate } from '../../../src/plugin/wire/certificate';
import type { ByteChannel } from '../../../src/plugin/wire/http2';

type Handlers = Record<
  'open' | 'handshake' | 'data' | 'drain' | 'end' | 'close',
  (...args: unknown[]) => void
>;

const runtime = globalThis as { Bun?: unknown };
let handlers: Handlers;
beforeEach(() => {
  runtime.Bun = {
    listen: ({ socket }: { socket: Handlers }) => {
      handlers = socket;
      return { port: 20_000 };
    },
  };
});
afterEach(() => delete runtime.Bun);

/** A socket that takes `room` bytes until it is drained. */
class FakeSocket {
  data: unknown;
  room = 0;
  readonly events: string[] = [];

  constructor(private readonly peer?: Buffer) {}

  write(bytes: Buffer): number {
    const taken = Math.min(this.room, bytes.length);
    this.room -= taken;
    if (taken > 0) this.events.push(bytes.toString('latin1', 0, taken));
    return taken;
  }

  end = () => void this.events.push('end');
  terminate = () => void this.events.push('terminate');
  setNoDelay = () => {};
  getPeerCertificate = () => ({ raw: this.peer });

  drained(room: number): void {
    this.room = room;
    handlers.drain(this);
  }
}

async function connected(): Promise<{ socket: FakeSocket; channel: ByteChannel }> {
  const channels: ByteChannel[] = [];
  await bunServer(undefined, (channel) => channels.push(channel))({ path: '/socket' });
  const socket = new FakeSocket();
  handlers.open(socket);
  return { socket, channel: channels[0]! };
}

test('bytes that a socket does not take are sent when it is drained, in their order, before the end', async () => {
  const { socket, channel } = await connected();
  channel.on('drain', () => socket.events.push('drain'));
  socket.room = 2;
  channel.write(Buffer.from('abcd'));
  channel.write(Buffer.from('ef'));
  channel.end(() => socket.events.push('sent'));
  expect([socket.events, channel.writableNeedDrain]).toEqual([['ab'], true]);
  socket.drained(1);
  expect(socket.events).toEqual(['ab', 'c']);
  socket.drained(9);
  expect(socket.events).toEqual(['ab', 'c', 'd', 'ef', 'drain', 'end', 'sent']);
  expect(channel.writableNeedDrain).toBe(false);
});

test('a channel passes received bytes to its reader, and ends with its connection', async () => {
  const { socket, channel } = await connected();
  const seen: string[] = [];
  channel.on('data', (chunk) => seen.push(chunk.toString()));
  channel.on('close', () => seen.push('close'));
  handlers.data(socket, Buffer.from('hello'));
  handlers.end(socket);
  handlers.close(socket);
  expect([seen, socket.events, channel.destroyed]).toEqual([['hello', 'close'], ['terminate'], true]);
  channel.write(Buffer.from('late'));
  expect(socket.events).toEqual(['terminate']);
});

test('a server with TLS accepts a client only with the right certificate, and only after the handshake', async () => {
  const clientCertificate = createCertificate();
  const accept = jest.fn();
  await bunServer({ certificate: createCertificate(), clientCertificate }, accept)({ path: '/socket' });
  const refused = [
    [new FakeSocket(createCertificate().der), true],
    [new FakeSocket(), true],
    [new FakeSocket(clientCertificate.der), false],
  ] as const;
  for (const [socket, isDone] of refused) {
    handlers.open(socket);
    handlers.handshake(socket, isDone);
    handlers.data(socket, Buffer.from('ignored'));
    handlers.close(socket);
    expect(socket.events).toEqual(['terminate']);
  }
  expect(accept).not.toHaveBeenCalled();
  const socket = new FakeSocket(clientCertificate.der);
  handlers.open(socket);
  expect(accept).not.toHaveBeenCalled();
  handlers.handshake(socket, true);
  expect([accept.mock.calls.length, socket.events]).toEqual([1, []]);
});
