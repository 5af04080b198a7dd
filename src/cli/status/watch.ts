import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

/**
 * Repeats an action until the process is interrupted (Ctrl-C) or asked to end. The current run is completed.
 *
 * @param pause seconds between the end of one run and the beginning of the next.
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
