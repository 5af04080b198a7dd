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

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  position(offset: number): Position {
    const line = this.line(offset);
    const start = this.#starts()[line - 1] ?? 0;
    const column = Array.from(this.text.slice(start, offset)).length + 1;
    return { file: this.name, offset, line, column };
  }

  /** Returns the number of the line that contains an offset, from 1. */
  line(offset: number): number {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
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
    const end = starts[line] ?? this.text.length;
    return this.text.slice(start, end).replace(/\r?\n$/, '');
  }

  #starts(): readonly number[] {
    if (this.#lineStarts) return this.#lineStarts;
    const starts = [0];
    for (let at = this.text.indexOf('\n'); at >= 0; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#lineStarts = starts;
    return starts;
  }
}
