/** How many bytes of a secret make the first two digits of an encoding of an encoding. */
const ENOUGH = 6;
const CODES = ['base64', 'hex'] as const;
/** What encodings write a character with that cannot stay as it is. */
const SIGNS = [...Buffer.from('\\%&\'"+')];

/** Which bytes secrets begin with, in all encodings. */
export class Beginnings {
  readonly #pairs = new Uint8Array(1 << 16);
  readonly #firsts = new Set(SIGNS);

  /** @param depth how many encodings of encodings there are. */
  add(secret: Buffer, depth: number): void {
    const hex = Buffer.from(secret.toString('hex', 0, 1).toUpperCase());
    for (const [first, second] of [secret, hex]) {
      this.#firsts.add(first!);
      for (const next of [second!, ...SIGNS]) this.#pairs[(first! << 8) | next] = 1;
    }
    if (depth === 0) return;
    // The second byte may be written as an escape, before all is written as code.
    if (secret.length > 2 && /\W/.test(String.fromCharCode(secret[1]!))) {
      for (const sign of SIGNS) this.add(Buffer.from([secret[0]!, sign]), depth - 1);
    }
    for (const code of CODES) this.add(Buffer.from(secret.toString(code, 0, ENOUGH)), depth - 1);
  }

  /** Whether a secret may begin with two bytes that are no escape. */
  has(first: number, second: number): boolean {
    return this.#pairs[(first << 8) | second] === 1;
  }

  /** Whether a secret may begin with an escape that stands for a byte. */
  hasEscaped(byte: number): boolean {
    return this.#firsts.has(byte);
  }
}
