import { setTimeout as delay } from 'node:timers/promises';
import { Interrupted } from './wire';

/** The number that shells add to the number of a signal. */
const BY_SIGNAL = 128;
const NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;
type Signal = keyof typeof NUMBERS;

/**
 * Handles Ctrl-C and SIGTERM: the first signal ends the present probe and leaves time to clean up,
 * the second ends the process.
 */
export class Stop {
  readonly #controller = new AbortController();
  #by: Signal = 'SIGINT';
  readonly #listeners: readonly (readonly [Signal, () => void])[];

  constructor() {
    this.#listeners = (Object.keys(NUMBERS) as Signal[]).map((signal) => {
      const listener = () => {
        this.#by = signal;
        this.end();
        this.#controller.abort(new Interrupted('interrupted'));
      };
      process.on(signal, listener);
      return [signal, listener] as const;
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code of a process that was ended by the signal. */
  get exitCode(): number {
    return BY_SIGNAL + NUMBERS[this.#by];
  }

  /** Removes the handlers of signals, so that a signal ends the process again. */
  end(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }

  /** @throws Interrupted */
  async wait(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
  }
}
