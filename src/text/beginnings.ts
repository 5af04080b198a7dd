/** How many encodings of encodings are decoded. */
export const DEEPEST = 4;
/** How many bytes of a secret make the first two digits of an encoding of an encoding. */
const ENOUGH = 6;
const CODES = ['base64', 'hex'] as const;
/** What encodings write a character with that cannot stay as it is. */
const SIGNS = [...Buffer.from('\\%&\'"+')];
/** What escapes of any character begin with. */
const ESCAPES = [...Buffer.from('\\%&')];
/** One character for each that makes a difference to the first two digits of base64: those that share their upper four bits. */
const AFTER_ESCAPES = [...Buffer.from('#0AUau')];

/** The bytes that secrets begin with, in all encodings. */
export class Beginnings {
  readonly #pairs: Uint8Array;
  readonly #firsts: Set<number>;
  /** The beginnings that were added, with their depth: many secrets, and their encodings, begin alike. */
  readonly #known: Set<string>;

  private constructor(base?: Beginnings) {
    this.#pairs = base ? base.#pairs.slice() : new Uint8Array(1 << 16);
    this.#firsts = new Set(base ? base.#firsts : SIGNS);
    this.#known = new Set(base ? base.#known : []);
  }

  /** The first byte of any secret may be escaped before the whole is encoded. */
  static #ofEscapes?: Beginnings;

  /** The beginnings that do not depend on the secrets. */
  static create(): Beginnings {
    if (!this.#ofEscapes) {
      this.#ofEscapes = new Beginnings();
      for (const escape of ESCAPES) {
        for (const next of AFTER_ESCAPES) this.#ofEscapes.#addCodes(Buffer.from([escape, next]), DEEPEST - 1);
      }
    }
    return new Beginnings(this.#ofEscapes);
  }

  add(secret: Buffer): void {
    this.#add(secret, DEEPEST - 1);
  }

  #add(secret: Buffer, depth: number): void {
    const key = `${depth} ${secret.toString('latin1', 0, ENOUGH)}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const hex = Buffer.from(secret.toString('hex', 0, 1).toUpperCase());
    for (const [first, second] of [secret, hex]) {
      this.#firsts.add(first!);
      for (const next of [second!, ...SIGNS]) this.#pairs[(first! << 8) | next] = 1;
    }
    if (depth === 0) return;
    // The second byte may be escaped before the whole is encoded.
    if (secret.length > 2 && /\W/.test(String.fromCharCode(secret[1]!))) {
      for (const sign of SIGNS) this.#add(Buffer.from([secret[0]!, sign]), depth - 1);
    }
    this.#addCodes(secret, depth);
  }

  #addCodes(secret: Buffer, depth: number): void {
    for (const code of CODES) this.#add(Buffer.from(secret.toString(code, 0, ENOUGH)), depth - 1);
  }

  /** Whether a secret may begin with two bytes that are not an escape. */
  has(first: number, second: number): boolean {
    return this.#pairs[(first << 8) | second] === 1;
  }

  /** Whether a secret may begin with an escape that stands for a byte. */
  hasEscaped(byte: number): boolean {
    return this.#firsts.has(byte);
  }
}
