/** The time, as far as the client needs it. Tests bring one that they can move. */
export interface Clock {
  /** Milliseconds since 1970. Never goes back. */
  now(): number;
  /** Calls back once, after so many milliseconds. Returns what cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
