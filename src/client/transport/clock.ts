/** A duration in seconds: the unit of all durations in the client's interface. */
export type Seconds = number;

/** A duration in milliseconds: the unit of a clock. */
export type Milliseconds = number;

/** The client's source of time. Tests can provide one that they control. */
export interface Clock {
  /** Returns milliseconds since 1970. Never decreases. */
  now(): Milliseconds;
  /** Calls back once after this time. Returns a function that cancels it. */
  after(milliseconds: Milliseconds, callback: () => void): () => void;
}

/** Node.js fires a timer immediately if its time does not fit into 31 bits (about 24 days). */
const LONGEST_TIMER = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};
