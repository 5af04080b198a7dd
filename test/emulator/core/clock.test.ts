import { MovableClock } from '../../../src/emulator/core/clock';

describe('the clock', () => {
  it('follows the machine, from where it was moved to', () => {
    const clock = new MovableClock();
    const ahead = () => clock.now() - Date.now();
    expect(Math.abs(ahead())).toBeLessThan(50);
    clock.advance(3_600_000);
    expect(Math.abs(ahead() - 3_600_000)).toBeLessThan(50);
  });

  it('stands still while frozen, and goes on from there', () => {
    const clock = new MovableClock();
    clock.freeze();
    const start = clock.now();
    clock.advance(1000);
    expect([clock.now(), clock.frozen]).toEqual([start + 1000, true]);
    clock.resume();
    expect(clock.frozen).toBe(false);
    expect(clock.now() - start).toBeGreaterThanOrEqual(1000);
    expect(clock.now() - start).toBeLessThan(1100);
  });

  it('runs what falls due on the way, in order and at its time', () => {
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

  it('runs what falls due by itself', async () => {
    const clock = new MovableClock();
    await new Promise<void>((resolve) => clock.schedule(5, resolve));
  });
});
