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

describe('timers of the clock', () => {
  /**
   * Runs `steps` with replaced timers: each call of `fire` runs the next timer at the given time.
   */
  function withTimers(steps: (fire: (at: number) => void, waits: readonly number[]) => void): void {
    const waits: number[] = [];
    const due: (() => void)[] = [];
    const now = jest.spyOn(SYSTEM_CLOCK, 'now').mockReturnValue(0);
    const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation((callback, wait) => {
      waits.push(Number(wait));
      due.push(callback);
      return undefined as unknown as NodeJS.Timeout;
    });
    try {
      steps((at) => {
        now.mockReturnValue(at);
        due.shift()?.();
      }, waits);
    } finally {
      timers.mockRestore();
      now.mockRestore();
    }
  }

  test('a timer that Node.js fires too early waits for the rest', () => {
    withTimers((fire, waits) => {
      const callback = jest.fn();
      SYSTEM_CLOCK.after(10_000, callback);
      fire(9_999.5);
      expect({ waits, calls: callback.mock.calls.length }).toEqual({ waits: [10_000, 1], calls: 0 });
      fire(10_000.5);
      expect({ waits, calls: callback.mock.calls.length }).toEqual({ waits: [10_000, 1], calls: 1 });
    });
  });

  test('a timer of 30 days is divided into timers that Node.js can hold', () => {
    withTimers((fire, waits) => {
      const days = 24 * 3_600 * 1_000;
      const callback = jest.fn();
      SYSTEM_CLOCK.after(30 * days, callback);
      fire(2 ** 31 - 1);
      expect({ waits, calls: callback.mock.calls.length }).toEqual({
        waits: [2 ** 31 - 1, 30 * days - (2 ** 31 - 1)],
        calls: 0,
      });
      fire(30 * days + 1);
      expect(callback).toHaveBeenCalledTimes(1);
    });
  });
});
