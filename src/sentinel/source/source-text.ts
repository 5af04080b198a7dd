/** A part of a text: the offsets of its first character and after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A place in a text. Lines and columns start at 1; a column is a character, tabs included. */
export interface Position {
  readonly file: string;
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

const LONGEST_LEAD = 120;
const LONGEST_TRAIL = 80;

/** A text with its file name, which positions start with. */
export class SourceText {
  readonly name: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;
  #pairEnds: readonly number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  position(offset: number): Position {
    const line = this.line(offset);
    const start = this.#starts()[line - 1] ?? 0;
    // A character of two units begins before the offset and ends there or before.
    const pairs = this.#pairs();
    const column =
      offset - start - (countBelow(pairs, offset, itself) - countBelow(pairs, start, itself)) + 1;
    return { file: this.name, offset, line, column };
  }

  /** Returns the number of the line that contains an offset, counted from 1. */
  line(offset: number): number {
    return Math.max(1, countBelow(this.#starts(), offset + 1, itself));
  }

  /** Returns `file:line:column` for an offset. */
  place(offset: number): string {
    const { line, column } = this.position(offset);
    return `${this.name}:${line}:${column}`;
  }

  /**
   * Returns the line in which a part starts, with its number in front and carets below the part.
   * Long lines are cut.
   */
  excerpt({ start, end }: Span): string {
    const line = this.line(start);
    const lineStart = this.#starts()[line - 1] ?? 0;
    const text = this.lineText(line);
    const cutBefore = Math.max(0, start - lineStart - LONGEST_LEAD);
    const cutAfter = Math.min(text.length, start - lineStart + LONGEST_TRAIL);
    const lead = (cutBefore > 0 ? '…' : '') + text.slice(cutBefore, start - lineStart);
    const trail = text.slice(start - lineStart, cutAfter) + (cutAfter < text.length ? '…' : '');
    const indent = Array.from(lead, (character) => (character === '\t' ? '\t' : ' ')).join('');
    const within = this.text.slice(start, Math.min(end, lineStart + cutAfter));
    const carets = '^'.repeat(Math.max(1, Array.from(within).length));
    const margin = ' '.repeat(String(line).length);
    return `${line} | ${lead}${trail}\n${margin} | ${indent}${carets}`;
  }

  lineText(line: number): string {
    const starts = this.#starts();
    const start = starts[line - 1] ?? this.text.length;
    let end = starts[line] ?? this.text.length;
    if (this.text.charAt(end - 1) === '\n') end -= this.text.charAt(end - 2) === '\r' ? 2 : 1;
    return this.text.slice(start, Math.max(start, end));
  }

  /** Returns the offsets of the second units of characters that have two. */
  #pairs(): readonly number[] {
    this.#pairEnds ??= Array.from(
      this.text.matchAll(/[\ud800-\udbff](?=[\udc00-\udfff])/g),
      ({ index }) => index + 1,
    );
    return this.#pairEnds;
  }

  #starts(): readonly number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }
}

/** Returns how many items are before a place, in a list that is sorted by place. */
export function countBelow<T>(items: readonly T[], limit: number, placeOf: (item: T) => number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (placeOf(items[middle]!) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

const itself = (place: number) => place;
