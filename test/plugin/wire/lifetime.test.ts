import { EventEmitter } from 'node:events';
import { endWithTerraform } from '../../../src/plugin/wire/lifetime';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let exits: unknown[];
let cleanUps: number;
beforeEach(() => {
  jest.useFakeTimers();
  exits = [];
  cleanUps = 0;
  jest.spyOn(process, 'exit').mockImplementation((code) => exits.push(code) as never);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  for (const signal of SIGNALS) process.removeAllListeners(signal);
});

let connected: (connection: EventEmitter) => void;

/** @param calls resolves when the running calls have ended. Default: no calls are running */
function watch(calls?: Promise<void>): () => Promise<void> {
  const lifetime = endWithTerraform({
    cleanUp: async () => {
      cleanUps += 1;
    },
    stop: async () => {
      await calls;
      return calls !== undefined;
    },
    isBusy: () => calls !== undefined,
  });
  ({ connected } = lifetime);
  return lifetime.end;
}

function connect(): EventEmitter {
  const session = new EventEmitter();
  connected(session);
  return session;
}

test('the process ends if no client connects within a minute', async () => {
  watch();
  await jest.advanceTimersByTimeAsync(59_999);
  expect(exits).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect([exits, cleanUps]).toEqual([[0], 1]);
});

test('the process ends some seconds after the last connection closed', async () => {
  watch();
  const [first, second] = [connect(), connect()];
  first.emit('close');
  await jest.advanceTimersByTimeAsync(100_000);
  second.emit('close');
  await jest.advanceTimersByTimeAsync(2_999);
  expect(exits).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(exits).toEqual([0]);
});

test('the process continues if Terraform connects again', async () => {
  watch();
  connect().emit('close');
  await jest.advanceTimersByTimeAsync(2_000);
  connect();
  await jest.advanceTimersByTimeAsync(100_000);
  expect(exits).toEqual([]);
});

test('running calls are stopped when the last connection closes, and the process ends when they have ended', async () => {
  let finish = () => {};
  watch(new Promise<void>((resolve) => (finish = resolve)));
  const [first, second] = [connect(), connect()];
  first.emit('close');
  finish();
  await jest.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([]);
  second.emit('close');
  await jest.advanceTimersByTimeAsync(0);
  expect([exits, cleanUps]).toEqual([[0], 1]);
});

test('the process ends some seconds after the last connection closed even if a call does not end', async () => {
  watch(new Promise<void>(() => {}));
  connect().emit('close');
  await jest.advanceTimersByTimeAsync(2_999);
  expect(exits).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(exits).toEqual([0]);
});

test('the process ends once, even if its end is requested several times', async () => {
  const end = watch();
  await Promise.all([end(), end()]);
  process.emit('SIGTERM');
  await jest.advanceTimersByTimeAsync(100_000);
  expect([exits, cleanUps]).toEqual([[0], 1]);
});

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s stops running calls, and the process waits until they are answered',
  async (signal) => {
    let finish = () => {};
    watch(new Promise<void>((resolve) => (finish = resolve)));
    connect();
    process.emit(signal);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(exits).toEqual([]);
    finish();
    await jest.advanceTimersByTimeAsync(9_999);
    expect(exits).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect([exits, cleanUps]).toEqual([[0], 1]);
  },
);

test('SIGTERM ends the process immediately without connections, and soon without running calls', async () => {
  watch();
  process.emit('SIGTERM');
  await jest.advanceTimersByTimeAsync(0);
  expect([exits, cleanUps]).toEqual([[0], 1]);
  watch();
  connect();
  process.emit('SIGTERM');
  await jest.advanceTimersByTimeAsync(999);
  expect(exits).toEqual([0]);
  await jest.advanceTimersByTimeAsync(1);
  expect(exits).toEqual([0, 0]);
});
