import { visible } from '../../text/visible';

/** The minimum time between two changes of the line, in milliseconds. */
const PACE = 100;

/** The width of terminals that do not report it. */
const WIDTH = 80;

/** The sequence is written as bytes, in which control characters are not escaped. */
const CLEAR = Buffer.from('\r\u001b[K');

let isSilent = false;

/** Hides all further progress. */
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
    // The text is cut to one line, because a wrapped line could not be cleared.
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
