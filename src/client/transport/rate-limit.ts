import type { Clock, Milliseconds } from './clock';

/** The maximum rate of requests. */
export interface Rate {
  readonly perSecond: number;
  /** The number of requests that may be sent at once after a pause. */
  readonly burst: number;
}

/** Limits the rate of requests: each takes a slot, and slots become free at an even rate. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #clock: Clock;
  /** The number of free slots; below 0, the number of waiting requests. */
  #free: number;
  #since: Milliseconds;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#free = rate.burst;
    this.#since = clock.now();
  }

  /** Takes a slot. Returns the time to wait for it. */
  take(): Milliseconds {
    const { perSecond, burst } = this.#rate;
    const now = this.#clock.now();
    this.#free = Math.min(burst, this.#free + ((now - this.#since) / 1000) * perSecond) - 1;
    this.#since = now;
    return this.#free >= 0 ? 0 : (-this.#free / perSecond) * 1000;
  }
}
