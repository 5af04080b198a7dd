import type { Clock } from '../../../src/client';

/** The default of `longestWait`, in milliseconds. */
const LONGEST_WAIT = 20_000;

/**
 * A clock that stands still. A wait between attempts ends at once, and advances the clock by its
 * length.
 */
export class FakeClock implements Clock {
  /** The waits so far, in milliseconds. */
  readonly waits: number[] = [];
  readonly #timers = new Set<{ readonly due: number; readonly callback: () => void }>();

  /**
   * @param longestWait timers up to this length are waits between attempts; longer ones are
   * timeouts
   */
  constructor(
    private time = Date.parse('2026-11-21T10:00:00Z'),
    private readonly longestWait = LONGEST_WAIT,
  ) {}

  now(): number {
    return this.time;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.time + milliseconds, callback };
    this.#timers.add(timer);
    if (milliseconds <= this.longestWait) {
      this.waits.push(milliseconds);
      setImmediate(() => this.advance(timer.due - this.time));
    }
    return () => this.#timers.delete(timer);
  }

  advance(milliseconds: number): void {
    this.time += Math.max(milliseconds, 0);
    for (const timer of [...this.#timers]) {
      if (timer.due <= this.time && this.#timers.delete(timer)) timer.callback();
    }
  }

  /** Returns the number of running timers. A call that has ended must not leave any. */
  get running(): number {
    return this.#timers.size;
  }
}
