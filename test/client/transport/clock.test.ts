import { SYSTEM_CLOCK } from '../../../src/client';

test('the time is that of the system', () => {
  expect(Math.abs(SYSTEM_CLOCK.now() - Date.now())).toBeLessThan(5_000);
});

test('a timer calls its function, unless it was cancelled', async () => {
  const calls: string[] = [];
  SYSTEM_CLOCK.after(5, () => calls.push('first'));
  SYSTEM_CLOCK.after(1, () => calls.push('cancelled'))();
  await new Promise<void>((resolve) => SYSTEM_CLOCK.after(10, resolve));
  expect(calls).toEqual(['first']);
});

test('a timer of a month does not call its function immediately', async () => {
  const callback = jest.fn();
  const cancel = SYSTEM_CLOCK.after(30 * 24 * 3600 * 1000, callback);
  await new Promise((resolve) => setTimeout(resolve, 20));
  cancel();
  expect(callback).not.toHaveBeenCalled();
});
