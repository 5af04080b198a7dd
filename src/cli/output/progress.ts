import { visible } from '../../text/visible';

/** Milliseconds between two changes of the line. */
const PACE = 100;

/** The width of terminals that do not report it. */
const WIDTH = 80;

/** As bytes, which go through to the terminal as they are. */
const CLEAR = Buffer.from('\r\u001b[K');

let isSilent = false;

/** Shows no progress from now on. */
export function silenceProgress(): void {
  isSilent = true;
}

/**
 * A line that shows what the command waits for, and is cleared at the end. No progress is written
 * if the stream is not a terminal.
 */
export class ProgressLine {
  #changed = 0;
  readonly #stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>;

  constructor(stream: Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'write'>) {
    this.#stream = stream;
  }

  say(text: string): void {
    if (isSilent || !this.#stream.isTTY || Date.now() - this.#changed < PACE) return;
    this.#changed = Date.now();
    // A line that wraps could not be cleared.
    this.#stream.write(CLEAR);
    this.#stream.write(visible(text).slice(0, (this.#stream.columns || WIDTH) - 1));
  }

  end(): void {
    if (this.#changed > 0) this.#stream.write(CLEAR);
  }
}

/** Shows what the command waits for, until it succeeds or fails. */
export async function withProgress<T>(
  text: string,
  wait: (progress: ProgressLine) => Promise<T>,
): Promise<T> {
  const progress = new ProgressLine(process.stderr);
  progress.say(text);
  try {
    return await wait(progress);
  } finally {
    progress.end();
  }
}
