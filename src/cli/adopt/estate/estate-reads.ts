/** The number of reads at a time: as many as the operations that Terraform runs by default. */
const AT_ONCE = 10;

/** Runs reads, a few at a time, and counts them. */
export class EstateReads {
  #asked = 0;
  #done = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #onProgress: (done: number, asked: number) => void;

  /**
   * @param onProgress receives the number of reads that are done, and of all reads that are known
   *   so far.
   */
  constructor(onProgress: (done: number, asked: number) => void) {
    this.#onProgress = onProgress;
  }

  async read<T>(read: () => Promise<T>): Promise<T> {
    this.#asked += 1;
    await this.#turn();
    try {
      return await read();
    } finally {
      this.#done += 1;
      this.#onProgress(this.#done, this.#asked);
      this.#next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#running === AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
  }

  /** Starts the next waiting read, or frees the place of this one. */
  #next(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
