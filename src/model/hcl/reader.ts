import { latePattern } from '../../text';
import type { TextPosition } from '../definition/field';
import type { HclError } from './errors';

/** The value that `next` and `peek` return at the end of the text. */
export const END = '';

const letter = latePattern(String.raw`\p{L}`, 'u');
const digit = latePattern(String.raw`\p{Nd}`, 'u');

/** Reads a text by characters, and counts lines and columns as HCL 1 reports them. */
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

  /**
   * Reads all characters that a pattern matches.
   *
   * @param pattern a sticky pattern. It must match neither line breaks nor characters of two code
   * units.
   */
  skip(pattern: RegExp): void {
    pattern.lastIndex = this.#index;
    if (!pattern.test(this.#text)) return;
    this.#column += pattern.lastIndex - this.#index;
    this.#index = pattern.lastIndex;
  }

  /** Reverts the last `next` that did not return the end. */
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

  /** Returns the position of the last character that was read. */
  position(): TextPosition {
    if (this.#column > 0) return { line: this.#line, column: this.#column };
    if (this.#lastLineLength > 0) return { line: this.#line - 1, column: this.#lastLineLength };
    return { line: 1, column: 1 };
  }

  /** Returns the offset after the last character that was read. */
  offset(): number {
    return this.#index;
  }

  /** Returns the offset of the last character that was read. */
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
    (char >= '\x80' && letter().test(char))
  );
}

export function isDigit(char: string): boolean {
  return isDecimal(char) || (char >= '\x80' && digit().test(char));
}

export function isDecimal(char: string): boolean {
  return char >= '0' && char <= '9' && char.length === 1;
}

export function isWhitespace(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

/** Returns the value of a digit in any base up to 16, or 16 if it is not a digit. */
export function digitValue(char: string): number {
  return /^[0-9A-Fa-f]$/.test(char) ? parseInt(char, 16) : 16;
}

/**
 * The deepest nesting that is read, because deeper nesting could exhaust the stack. Real policies
 * have only a few levels.
 */
const DEEPEST = 500;

/** Limits how deeply values may be nested. */
export class Nesting {
  #depth = 0;

  /** Reads a nested value. */
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
