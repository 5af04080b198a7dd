/** A duration in seconds: the unit of all durations in the client's interface. */
export type Seconds = number;

/** A duration in milliseconds: the unit of a clock. */
export type Milliseconds = number;

/** The client's source of time. Tests can provide one that they control. */
export interface Clock {
  /** Returns milliseconds since 1970. Never decreases. */
  now(): Milliseconds;
  /** Calls back once after this time, never before. Returns a function that cancels it. */
  after(milliseconds: Milliseconds, callback: () => void): () => void;
}

/** Node.js calls back immediately if a timer's time does not fit into 31 bits (about 24 days). */
const LONGEST_TIMER = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after(milliseconds, callback) {
    const due = this.now() + milliseconds;
    let timer: NodeJS.Timeout;
    const wait = (left: Milliseconds) => {
      timer = setTimeout(check, Math.min(Math.ceil(left), LONGEST_TIMER));
    };
    // A timer of Node.js counts whole milliseconds and can call back up to one too early: a
    // call that timed out would then find time left for another try.
    const check = () => {
      const left = due - this.now();
      if (left > 0) wait(left);
      else callback();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};
