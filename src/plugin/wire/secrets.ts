const MASK = '***';
/** Shorter ones would blot out half of every text, and can be guessed anyway. */
const SHORTEST_SECRET = 3;

/** The secrets met so far, to keep them out of what is logged and shown. */
export class Secrets {
  readonly #known = new Set<string>();
  /** Longest first: a secret may be a part of another one. */
  #sorted: readonly string[] | undefined;

  add(secret: string): void {
    if (secret.length < SHORTEST_SECRET || this.#known.has(secret)) return;
    this.#known.add(secret);
    // Errors quote requests: there, line breaks and quotation marks of a secret are escaped.
    this.#known.add(JSON.stringify(secret).slice(1, -1));
    this.#sorted = undefined;
  }

  mask(text: string): string {
    this.#sorted ??= [...this.#known].sort((a, b) => b.length - a.length);
    return this.#sorted.reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
  }
}
