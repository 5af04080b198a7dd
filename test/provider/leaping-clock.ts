import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/client';

/** The number of turns of the event loop after which no code continues without a timer. */
const QUIET_TURNS = 3;

interface Timer {
  readonly due: number;
  readonly callback: () => void;
}

/** A clock that stands still while code runs, and then leaps to the earliest timer. */
export class LeapingClock implements Clock {
  readonly #timers = new Set<Timer>();
  #now = 0;
  #working = 0;
  /** The number of events so far, which shows that code still runs as long as it grows. */
  #events = 0;
  #watching = false;

  /** @param onLeap called with the number of milliseconds of each leap. */
  constructor(private readonly onLeap: (milliseconds: number) => void) {}

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { due: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    this.#events += 1;
    void this.#watch();
    return () => this.#timers.delete(timer);
  }

  /** Holds the clock still until this work is done. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#events += 1;
      void this.#watch();
    }
  }

  /** Cancels all timers. */
  stop(): void {
    this.#timers.clear();
  }

  async #watch(): Promise<void> {
    if (this.#watching) return;
    this.#watching = true;
    while (this.#working === 0 && this.#timers.size > 0) {
      const events = this.#events;
      for (let turn = 0; turn < QUIET_TURNS; turn += 1) await setImmediate();
      if (events === this.#events) this.#leap();
    }
    this.#watching = false;
  }

  #leap(): void {
    const [next] = [...this.#timers].sort((a, b) => a.due - b.due);
    if (this.#working > 0 || next === undefined) return;
    this.#timers.delete(next);
    this.onLeap(next.due - this.#now);
    this.#now = next.due;
    next.callback();
  }
}

/** The clock of one process; several processes share a {@link LeapingClock}. */
export class ProcessClock implements Clock {
  readonly #cancels = new Set<() => void>();
  #stopped = false;

  constructor(private readonly clock: LeapingClock) {}

  now(): number {
    return this.clock.now();
  }

  after(milliseconds: number, callback: () => void): () => void {
    if (this.#stopped) return () => {};
    const cancel = this.clock.after(milliseconds, () => {
      this.#cancels.delete(cancel);
      callback();
    });
    this.#cancels.add(cancel);
    return () => {
      this.#cancels.delete(cancel);
      cancel();
    };
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.clock.during(work);
  }

  /** Cancels the timers of this process. */
  stop(): void {
    this.#stopped = true;
    for (const cancel of this.#cancels) cancel();
  }
}
