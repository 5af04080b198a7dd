import type { Clock, Milliseconds } from './clock';

/** How many requests are sent. */
export interface Rate {
  readonly perSecond: number;
  /** How many may be sent at once after a pause. */
  readonly burst: number;
}

/** Spreads requests over time: each takes one of the places that come free at an even rate. */
export class RateLimit {
  readonly #rate: Rate;
  readonly #clock: Clock;
  /** Places that are free; below 0, how many requests wait. */
  #free: number;
  #since: Milliseconds;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#free = rate.burst;
    this.#since = clock.now();
  }

  /** Takes a place. Returns how long to wait for it. */
  take(): Milliseconds {
    const { perSecond, burst } = this.#rate;
    const now = this.#clock.now();
    this.#free = Math.min(burst, this.#free + ((now - this.#since) / 1000) * perSecond) - 1;
    this.#since = now;
    return this.#free >= 0 ? 0 : (-this.#free / perSecond) * 1000;
  }
}
