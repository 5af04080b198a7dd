import type { TextPosition } from '../definition/field';
import type { HclError } from './errors';

/** What `next` and `peek` give at the end of the text. */
export const END = '';

const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;

/** Walks over a text by characters, counting lines and columns the way HCL 1 reports them. */
export class Reader {
  #index = 0;
  #line = 1;
  #column = 0;
  #lastLineLength = 0;
  #width = 0;
  #indexBefore = 0;
  #lineBefore = 1;
  #columnBefore = 0;

  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  next(): string {
    const char = this.peek();
    this.#width = char.length;
    if (char === END) {
      this.#column++;
      return END;
    }
    this.#indexBefore = this.#index;
    this.#lineBefore = this.#line;
    this.#columnBefore = this.#column;
    this.#index += char.length;
    this.#column++;
    if (char === '\n') {
      this.#line++;
      this.#lastLineLength = this.#column;
      this.#column = 0;
    }
    return char;
  }

  /** Takes back the last `next` that was not the end. */
  unread(): void {
    this.#index = this.#indexBefore;
    this.#line = this.#lineBefore;
    this.#column = this.#columnBefore;
  }

  peek(): string {
    const unit = this.#text[this.#index];
    if (unit === undefined) return END;
    return unit < '\ud800' || unit > '\udfff'
      ? unit
      : String.fromCodePoint(this.#text.codePointAt(this.#index) ?? 0);
  }

  /** Where the character read last stands. */
  position(): TextPosition {
    if (this.#column > 0) return { line: this.#line, column: this.#column };
    if (this.#lastLineLength > 0) return { line: this.#line - 1, column: this.#lastLineLength };
    return { line: 1, column: 1 };
  }

  /** Offset behind the character read last. */
  offset(): number {
    return this.#index;
  }

  /** Offset of the character read last. */
  lastOffset(): number {
    return this.#index - this.#width;
  }

  slice(start: number, end: number): string {
    return this.#text.slice(start, end);
  }
}

export function isLetter(char: string): boolean {
  return (
    (char >= 'a' && char <= 'z') ||
    (char >= 'A' && char <= 'Z') ||
    char === '_' ||
    (char >= '\x80' && LETTER.test(char))
  );
}

export function isDigit(char: string): boolean {
  return isDecimal(char) || (char >= '\x80' && DIGIT.test(char));
}

export function isDecimal(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}

export function isWhitespace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

/** The value of a digit in any base up to 16; 16 for what is none. */
export function digitValue(char: string): number {
  return /^[0-9A-Fa-f]$/.test(char) ? parseInt(char, 16) : 16;
}

/** Deeper texts would exhaust the stack. No policy comes near. */
const DEEPEST = 500;

/** Counts how deep a parser is inside of values. */
export class Nesting {
  #depth = 0;

  /** Reads something inside of what is being read. */
  within<T>(read: () => T, refuse: (message: string) => HclError): T {
    if (this.#depth >= DEEPEST) throw refuse(`nested more than ${DEEPEST} levels deep`);
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
