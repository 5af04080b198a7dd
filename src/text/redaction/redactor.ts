import { inBytes, textOf } from './escapes';
import { needlesOf } from './needle';
import { IS_WORD, Needles, type ByteRange } from './search';
import { secretParts } from './secret-parts';

/** Replaces a secret. */
export const HIDDEN = '(hidden)';

/**
 * The maximum number of characters in a text for each character of a secret: two encodings such as
 * `&#x000061;`, and margins.
 */
const LONGEST_FORM = 256;

/**
 * Hides secrets in texts, however they are written there: in other case, over several lines with
 * margins, with control characters in between, escaped, in base64 or hexadecimal, and in two of
 * these encodings. SECURITY.md lists the forms. The members of a secret that is JSON are hidden as
 * well.
 *
 * Texts must be passed to it before they are cut, collapsed or combined with others.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** The secrets that have not been searched for yet: usually none. */
  #added: string[] = [];
  #longest = 0;
  /** Created with the first secret: many redactors have none. */
  #needles: Needles | undefined;
  readonly #publicWords: readonly string[];

  /**
   * @param publicWords words that appear in texts regardless of the secrets, and that people must
   *   be able to copy. A secret that is a part of such a word, as `policy` may be, stays visible in
   *   the word.
   */
  constructor(secrets: Iterable<string> = [], publicWords: readonly string[] = []) {
    this.#publicWords = publicWords;
    for (const secret of secrets) this.add(secret);
  }

  add(secret: string): void {
    if (this.#secrets.has(secret)) return;
    this.#secrets.add(secret);
    this.#added.push(secret);
    this.#longest = Math.max(this.#longest, secret.length);
  }

  /**
   * Returns the first characters of {@link hide}, for texts of any length. No part of a secret is
   * left where the text is cut.
   *
   * @param length the maximum number of characters.
   */
  hideWithin(text: string, length: number): string {
    const enough = length + this.#longest * LONGEST_FORM;
    return this.hide(text.slice(0, enough)).slice(0, length);
  }

  /** Returns the text with {@link HIDDEN} in place of every secret. */
  hide(text: string): string {
    const bytes = inBytes(text);
    this.#prepare();
    if (!this.#needles) return text;
    const spans = this.#outsideOfWords(bytes, this.#needles.find(bytes));
    if (spans.length === 0) return text;

    const shown: string[] = [];
    let at = -1;
    for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
      if (start > at) shown.push(textOf(bytes.slice(Math.max(at, 0), start)), HIDDEN);
      at = Math.max(at, end);
    }
    return [...shown, textOf(bytes.slice(at))].join('');
  }

  #prepare(): void {
    for (const needle of this.#added.flatMap(secretParts).flatMap(needlesOf)) {
      (this.#needles ??= new Needles()).add(needle);
    }
    this.#added = [];
  }

  /**
   * Returns the spans that are not part of a longer public word. A span that is a whole word is
   * kept, because the word may be the secret itself.
   */
  #outsideOfWords(text: string, spans: readonly ByteRange[]): readonly ByteRange[] {
    const words = this.#publicWords.flatMap((word) => placesOf(text, inBytes(word)));
    const isPartOf = (span: ByteRange, word: ByteRange) =>
      span.start >= word.start && span.end <= word.end && span.end - span.start < word.end - word.start;
    return spans.filter((span) => !words.some((word) => isPartOf(span, word)));
  }
}

function placesOf(text: string, word: string): ByteRange[] {
  const places: ByteRange[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (!IS_WORD[text.charCodeAt(at - 1)] && !IS_WORD[text.charCodeAt(end)]) places.push({ start: at, end });
  }
  return places;
}
