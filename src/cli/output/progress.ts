/** Milliseconds between two changes of the line. */
const PACE = 100;

/** Of terminals that do not tell theirs. */
const WIDTH = 80;

const CLEAR = '\r\u001b[K';

/**
 * A line that says what is waited for, and is gone in the end. It is for people: where the stream is no terminal,
 * nothing is written.
 */
export class Progress {
  #changed = 0;
  readonly #stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

  constructor(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>) {
    this.#stream = stream;
  }

  say(text: string): void {
    if (!this.#stream.isTTY || Date.now() - this.#changed < PACE) return;
    this.#changed = Date.now();
    // A line that is broken could not be cleared.
    this.#stream.write(CLEAR + text.slice(0, (this.#stream.columns || WIDTH) - 1));
  }

  end(): void {
    if (this.#changed > 0) this.#stream.write(CLEAR);
  }
}

/** Says what is waited for until it is there, or has failed. */
export async function withProgress<T>(text: string, wait: (progress: Progress) => Promise<T>): Promise<T> {
  const progress = new Progress(process.stderr);
  progress.say(text);
  try {
    return await wait(progress);
  } finally {
    progress.end();
  }
}
