/** Part of a view, in bytes. */
interface Match {
  readonly at: number;
  readonly length: number;
}

/** Most instances are never used: those of clients without secrets, and of calls that do not fail. */
const NONE = new Uint8Array(0);

/** Byte strings that are looked for all at once, however many there are. */
export class Needles {
  readonly #known = new Set<string>();
  /** The pairs of bytes that needles begin with, to skip other places quickly. */
  #pairs = NONE;
  #shortest = Infinity;
  readonly #byBeginning = new Map<number, Buffer[]>();

  /** @param needle at least three bytes. */
  add(needle: Buffer): void {
    const text = needle.toString('latin1');
    if (this.#known.has(text)) return;
    this.#known.add(text);
    this.#shortest = Math.min(this.#shortest, needle.length);
    if (this.#pairs === NONE) this.#pairs = new Uint8Array(1 << 16);
    this.#pairs[pairAt(needle, 0)] = 1;
    const beginning = beginningAt(needle, 0);
    const same = this.#byBeginning.get(beginning);
    if (same) same.push(needle);
    else this.#byBeginning.set(beginning, [needle]);
  }

  /** In bytes. */
  get shortest(): number {
    return this.#shortest;
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  /** Returns all occurrences of needles, including overlapping ones. */
  find(bytes: Buffer): readonly Match[] {
    const found: Match[] = [];
    if (this.isEmpty) return found;
    for (let at = 0; at + 2 < bytes.length; at++) {
      if (this.#pairs[pairAt(bytes, at)] === 0) continue;
      for (const needle of this.#byBeginning.get(beginningAt(bytes, at)) ?? []) {
        const { length } = needle;
        if (at + length <= bytes.length && bytes.compare(needle, 0, length, at, at + length) === 0) {
          found.push({ at, length });
        }
      }
    }
    return found;
  }
}

function pairAt(bytes: Buffer, at: number): number {
  return (bytes[at]! << 8) | bytes[at + 1]!;
}

function beginningAt(bytes: Buffer, at: number): number {
  return (pairAt(bytes, at) << 8) | bytes[at + 2]!;
}
