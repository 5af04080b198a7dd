import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/**
 * Does something again and again, until the process is interrupted (Ctrl-C) or asked to end. What was begun is finished.
 *
 * @param pause in seconds, from the end of one time to the beginning of the next.
 */
export async function repeat(pause: number, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const interrupted = Promise.race(signals.map((signal) => once(process, signal, { signal: stop.signal })));
  interrupted.then(
    () => stop.abort(),
    () => undefined,
  );
  while (!stop.signal.aborted) {
    await work();
    await setTimeout(pause * 1000, undefined, { signal: stop.signal }).catch(() => undefined);
  }
}
