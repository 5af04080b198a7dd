import { getEventListeners } from 'node:events';
import { Stop } from '../../../src/cli/verify/stop';

let stop: Stop;
beforeEach(() => {
  stop = new Stop();
});
afterEach(() => stop.end());

test('waits leave no listeners behind', async () => {
  for (let i = 0; i < 20; i++) await stop.wait(0);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends a wait, and all that follow', async (signal, code) => {
  const waiting = stop.wait(60_000);
  process.emit(signal);
  await expect(waiting).rejects.toThrow('interrupted');
  await expect(stop.wait(0)).rejects.toThrow('interrupted');
  expect(stop.exitCode).toBe(code);
  expect(process.listeners(signal)).toEqual([]);
});
