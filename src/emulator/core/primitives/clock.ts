/** The time of the emulator. Its code uses this instead of the machine's clock. */
export interface EmulatorClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** The time at which the present move of the clock ends; `now()` if it is not being moved. */
  destination(): number;
  /**
   * Calls `action` once, when `now()` has advanced by `milliseconds`. Does not keep the process
   * alive. If `action` returns a promise, `settled` waits for it.
   */
  schedule(milliseconds: number, action: () => unknown): Timer;
}

export interface Timer {
  cancel(): void;
}

/** The maximum delay of Node's timers. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

interface Scheduled {
  readonly due: number;
  readonly action: () => unknown;
}

/**
 * A clock that follows the machine's until it is frozen or advanced. Advancing runs the timers on
 * the way, in order; each action sees the time for which it was scheduled.
 */
export class MovableClock implements EmulatorClock {
  #offset = 0;
  #frozenAt: number | undefined;
  #target: number | undefined;
  readonly #scheduled = new Set<Scheduled>();
  readonly #running = new Set<Promise<void>>();
  #wakeUp: NodeJS.Timeout | undefined;

  now(): number {
    return this.#frozenAt ?? Date.now() + this.#offset;
  }

  destination(): number {
    return this.#target ?? this.now();
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  schedule(milliseconds: number, action: () => unknown): Timer {
    const entry = { due: this.now() + milliseconds, action };
    this.#scheduled.add(entry);
    this.#setWakeUp();
    return {
      cancel: () => {
        this.#scheduled.delete(entry);
        this.#setWakeUp();
      },
    };
  }

  /** Stops the clock until `resume`. */
  freeze(): void {
    this.#frozenAt = this.now();
    this.#setWakeUp();
  }

  /** Starts the clock again at the time at which it was stopped. */
  resume(): void {
    if (this.#frozenAt === undefined) return;
    this.#offset = this.#frozenAt - Date.now();
    this.#frozenAt = undefined;
    this.#setWakeUp();
  }

  /** Moves time forward by `milliseconds`. */
  advance(milliseconds: number): void {
    const wasFrozen = this.frozen;
    const target = this.now() + milliseconds;
    this.#target = target;
    for (let next = this.#next(); next !== undefined && next.due <= target; next = this.#next()) {
      this.#frozenAt = Math.max(next.due, this.now());
      this.#scheduled.delete(next);
      this.#run(next);
    }
    this.#target = undefined;
    this.#frozenAt = target;
    if (!wasFrozen) this.resume();
  }

  /** Cancels all timers. */
  stop(): void {
    this.#scheduled.clear();
    this.#setWakeUp();
  }

  /**
   * Resolves when the actions that were due have finished, including those that take real time,
   * such as writing files.
   */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #run({ action }: Scheduled): void {
    const running = action();
    if (!(running instanceof Promise)) return;
    const tracked = running.then(() => void this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  #next(): Scheduled | undefined {
    let first: Scheduled | undefined;
    for (const entry of this.#scheduled) if (first === undefined || entry.due < first.due) first = entry;
    return first;
  }

  #setWakeUp(): void {
    clearTimeout(this.#wakeUp);
    const next = this.frozen ? undefined : this.#next();
    if (next === undefined) return;
    const delay = Math.min(Math.max(next.due - this.now(), 0), LONGEST_TIMEOUT);
    this.#wakeUp = setTimeout(() => this.advance(0), delay).unref();
  }
}

/** Formats a time in milliseconds since 1970 like Go: RFC 3339 without trailing zeros. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.?(?<!0)0*Z$/, 'Z');
}
