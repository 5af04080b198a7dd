import { MovableClock } from '../../../../src/emulator/core/primitives/clock';

describe('the clock', () => {
  it('now() continues from the time that the clock was moved to', () => {
    const clock = new MovableClock();
    const begin = Date.now();
    const expectAhead = (milliseconds: number) => {
      const now = clock.now() - milliseconds;
      expect(now).toBeGreaterThanOrEqual(begin);
      expect(now).toBeLessThanOrEqual(Date.now());
    };
    expectAhead(0);
    clock.advance(3_600_000);
    expectAhead(3_600_000);
  });

  it('now() stands still while frozen, and continues from there', () => {
    const clock = new MovableClock();
    clock.freeze();
    const start = clock.now();
    clock.advance(1000);
    expect([clock.now(), clock.frozen]).toEqual([start + 1000, true]);
    const before = Date.now();
    clock.resume();
    expect(clock.frozen).toBe(false);
    expect(clock.now() - start).toBeGreaterThanOrEqual(1000);
    expect(clock.now() - start).toBeLessThanOrEqual(1000 + Date.now() - before);
  });

  it('a move runs the actions that fall due on the way, in order and at their times', () => {
    const clock = new MovableClock();
    clock.freeze();
    const start = clock.now();
    const ran: [string, number][] = [];
    const note = (name: string) => () => ran.push([name, clock.now() - start]);
    clock.schedule(300, note('third'));
    clock.schedule(100, () => {
      note('first')();
      clock.schedule(100, note('second'));
    });
    clock.schedule(250, note('never')).cancel();
    clock.schedule(1001, note('later'));
    clock.advance(1000);
    expect(ran).toEqual([
      ['first', 100],
      ['second', 200],
      ['third', 300],
    ]);
    clock.advance(1);
    expect(ran).toHaveLength(4);
  });

  it('destination() returns the end of the move to actions on the way', () => {
    const clock = new MovableClock();
    clock.freeze();
    const start = clock.now();
    const seen: number[] = [];
    clock.schedule(100, () => void seen.push(clock.destination() - start));
    clock.advance(1000);
    expect([...seen, clock.destination() - start]).toEqual([1000, 1000]);
  });

  it('settled() resolves when all due actions have finished', async () => {
    const clock = new MovableClock();
    const done: string[] = [];
    const later = (name: string) => () =>
      new Promise<void>((resolve) => setImmediate(() => resolve(void done.push(name))));
    clock.schedule(100, later('first'));
    clock.schedule(200, later('second'));
    clock.schedule(2000, later('never'));
    clock.advance(1000);
    expect(done).toEqual([]);
    await clock.settled();
    expect(done).toEqual(['first', 'second']);
  });

  it('due actions also run in real time', async () => {
    const clock = new MovableClock();
    await new Promise<void>((resolve) => clock.schedule(5, resolve));
  });
});
