/** The time, as far as the client needs it. Tests bring one that they can move. */
export interface Clock {
  /** Milliseconds since 1970. Never goes back. */
  now(): number;
  /** Calls back once, after so many milliseconds. Returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Node fires a timer at once where its time does not fit into 31 bits: some 24 days. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, LONGEST_TIMER));
    return () => clearTimeout(timer);
  },
};
