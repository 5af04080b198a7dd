import { bareCodes, bareText, bareView } from './bare';
import { Beginnings, DEEPEST } from './beginnings';
import { Needles } from './needles';
import { secretForms, secretParts } from './secret-forms';
import { decodings, plainView, withinEscapes, withoutSpace, type View } from './views';

/** Replaces a secret. */
export const HIDDEN = '(hidden)';

/** In bytes. Hiding shorter secrets would make texts unreadable, and they can be guessed anyway. */
const SHORTEST_SECRET = 3;
/** In bytes. Once white space and punctuation are ignored, shorter ones occur in any text by accident. */
const SHORTEST_SPREAD = 12;
/** In bytes. The same for secrets of several words. */
const SHORTEST_COLLAPSED = 6;
/** In bytes. Shorter ones are only hidden in decoded text if they stand alone. */
const SHORTEST_WITHIN_CODE = 6;
/** In characters. In codes, longer secrets of lines and members are found by these: each has some fifty codes. */
const LONGEST_CODED = 256;
/** How many characters a secret has, for each of its own, after three encodings such as `&#x61;` and `\u{61}`. */
const LONGEST_FORM = 6 ** 3;
/** How many bytes are looked at for each byte of a text, at least for any text, and on top for each decoding. */
const EFFORT = 64;
const LEAST_EFFORT = 1 << 22;
const EFFORT_PER_VIEW = 256;

/** Whether a secret is too short to hide. */
export function isTooShortToHide(secret: string): boolean {
  return Buffer.byteLength(secret.replace(/\s/g, '')) < SHORTEST_SECRET;
}

/** The largest number of bytes that one byte of a text can decode to. */
const LARGEST_GROWTH = 4;

/** Part of a text, in bytes. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Hides secrets in texts, however they are written there: with other white space, line by line, escaped for JSON, Go,
 * JavaScript, a shell, HTML or a URL, in base64 or hexadecimal, and encodings of encodings. Of a secret that is JSON, also its
 * members.
 *
 * Texts must be passed to it before they are cut, collapsed or combined with others.
 */
export class Redactor {
  readonly #secrets = new Set<string>();
  /** The secrets that have not been searched for yet: usually none. */
  #added: string[] = [];
  #longest = 0;
  readonly #needles = new Needles();
  /** For texts without their white space. */
  readonly #spread = new Needles();
  /** For texts of nothing but letters and digits. */
  readonly #bare = new Needles();
  /** Created with the first secret: many redactors have none. */
  #beginnings: Beginnings | undefined;

  readonly #publicWords: readonly string[];

  /**
   * @param publicWords words that appear in texts regardless of the secrets, and that people must be able to copy. A secret that is
   *   only a part of one, such as `policy`, is not hidden within it.
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
   * Returns the beginning of {@link hide}, for texts of any length: no part of a secret is left where the text is cut.
   *
   * @param length in characters, how much of it is wanted.
   */
  hideWithin(text: string, length: number): string {
    const enough = length + this.#longest * LONGEST_FORM;
    return this.hide(text.slice(0, enough)).slice(0, length);
  }

  /** @param length of the text, in bytes. Secrets that cannot fit in it are prepared later: activation tokens take long. */
  #prepare(length: number): void {
    const left: string[] = [];
    for (const secret of this.#added) {
      if (shortestForm(secret) > length * LARGEST_GROWTH) left.push(secret);
      else this.#addForms(secret);
    }
    this.#added = left;
  }

  #addForms(secret: string): void {
    const parts = secretParts(secret);
    for (const part of parts) {
      const isFoundByParts =
        part.length > LONGEST_CODED && parts.some((other) => other !== part && part.includes(other));
      if (!isFoundByParts) for (const code of bareCodes(part)) this.#bare.add(code);
      for (const form of secretForms(part)) this.#addForm(form);
    }
  }

  #addForm(form: Buffer): void {
    const spread = withoutSpace(plainView(form)).bytes;
    if (spread.length < SHORTEST_SECRET) return;
    this.#needles.add(form);
    (this.#beginnings ??= Beginnings.create()).add(form);
    if (spread.length >= (spread.length < form.length ? SHORTEST_COLLAPSED : SHORTEST_SPREAD)) {
      this.#spread.add(spread);
    }
    const bare = bareText(form);
    if (bare.length >= SHORTEST_SPREAD) this.#bare.add(bare);
  }

  /** Returns the text with {@link HIDDEN} in place of every secret. */
  hide(text: string): string {
    const bytes = Buffer.from(text);
    this.#prepare(bytes.length);
    if (this.#needles.isEmpty) return text;
    const spans = this.#outsideOfWords(bytes, this.#find(bytes)).sort((a, b) => a.start - b.start);
    if (spans.length === 0) return text;

    const shown: string[] = [];
    let at = -1;
    for (const { start, end } of spans) {
      if (start > at) shown.push(bytes.toString('utf8', Math.max(at, 0), start), HIDDEN);
      at = Math.max(at, end);
    }
    return [...shown, bytes.toString('utf8', at)].join('');
  }

  /** A whole word may be the secret itself. */
  #outsideOfWords(text: Buffer, spans: readonly Span[]): Span[] {
    if (spans.length === 0) return [];
    const words = this.#publicWords.flatMap((word) => placesOf(text, word));
    const isPartOf = (span: Span, word: Span) =>
      span.start >= word.start && span.end <= word.end && lengthOf(span) < lengthOf(word);
    return spans.filter((span) => !words.some((word) => isPartOf(span, word)));
  }

  /** Looks at the text, then at what it stands for, the fewest encodings first. */
  #find(text: Buffer): Span[] {
    const spans: Span[] = [];
    let effort = LEAST_EFFORT + EFFORT * text.length;
    // Different ways lead to the same view.
    const seen = new Set<string>();
    const isNew = ({ bytes, starts, ends }: View): boolean => {
      const key = `${starts[0]} ${ends[ends.length - 1]} ${bytes.toString('latin1')}`;
      return !seen.has(key) && Boolean(seen.add(key));
    };
    const look = (from: readonly View[], onView: (view: View) => void = () => {}): void => {
      let views = from;
      for (let depth = 0; depth <= DEEPEST && views.length > 0; depth++) {
        const deeper: View[] = [];
        for (const view of views) {
          const spread = withoutSpace(view);
          const bare = bareView(view);
          spans.push(
            ...this.#findIn(view),
            ...spansOf(spread, this.#spread.find(spread.bytes)),
            ...spansOf(bare, this.#bare.find(bare.bytes)),
          );
          effort -= EFFORT_PER_VIEW + view.bytes.length + spread.bytes.length + bare.bytes.length;
          if (depth === DEEPEST || effort < 0) continue;
          onView(view);
          for (const decoded of decodings(view, spread, this.#needles.shortest)) {
            effort -= decoded.bytes.length;
            if (isNew(decoded)) deeper.push(decoded);
          }
        }
        views = deeper;
      }
    };

    const looked: View[] = [];
    look([plainView(text)], (view) => looked.push(view));
    for (const view of looked) {
      if (effort < 0) break;
      look(withinEscapes(view, this.#beginnings!, this.#longest * LONGEST_FORM).filter(isNew));
    }
    return spans;
  }

  #findIn(view: View): Span[] {
    const matches = this.#needles.find(view.bytes);
    if (!view.isCode) return spansOf(view, matches);
    return spansOf(
      view,
      matches.filter(
        ({ at, length }) => length >= SHORTEST_WITHIN_CODE || standsAlone(view.bytes, at, at + length),
      ),
    );
  }
}

function spansOf({ starts, ends }: View, matches: ReturnType<Needles['find']>): Span[] {
  return matches.map(({ at, length }) => ({ start: starts[at]!, end: ends[at + length - 1]! }));
}

function placesOf(text: Buffer, word: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const place = { start: at, end: at + Buffer.byteLength(word) };
    if (standsAlone(text, place.start, place.end)) places.push(place);
  }
  return places;
}

/** A lower bound, in bytes. 0 if unknown: the secret has several parts, or escapes that may be resolved. */
function shortestForm(secret: string): number {
  return /^[\w.+/-]+={0,2}$/.test(secret) ? secret.replace(/[^0-9A-Za-z]/g, '').length : 0;
}

function lengthOf({ start, end }: Span): number {
  return end - start;
}

function standsAlone(bytes: Buffer, start: number, end: number): boolean {
  return !isWord(bytes[start - 1]) && !isWord(bytes[end]);
}

/** A letter or digit. Any other character ends a run of encoded text. */
function isWord(byte: number | undefined): boolean {
  return byte !== undefined && /[0-9A-Za-z]/.test(String.fromCharCode(byte));
}
