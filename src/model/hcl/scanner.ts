import type { HclFault } from './errors';
import type { TextPosition } from '../definition/field';
import { type Reader, digitValue, END, isDecimal, isWhitespace } from './reader';
import type { HclToken, HclTokenKind } from './hcl-token';

/** A problem in the text. Scanning continues after a problem, and the last problem is reported. */
interface ScanProblem {
  readonly position: TextPosition;
  readonly message: string;
  readonly fault: HclFault | undefined;
}

/**
 * Matches characters without a special meaning in a string. Nearly all characters are of this kind,
 * and reading them together is faster.
 */
const PLAIN = /[\w/.*+:, -]+/y;

const SIMPLE_ESCAPES = 'abfnrtv\\"';
const CODE_POINT_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/**
 * The common part of the scanners of both forms: white space, numbers, strings and their escapes.
 */
export abstract class Scanner {
  /** The last problem. */
  problem: ScanProblem | undefined;

  readonly #json: boolean;

  constructor(
    protected readonly reader: Reader,
    json: boolean,
  ) {
    this.#json = json;
  }

  /** Reads the token that starts with `char`, which is neither white space nor the end. */
  protected abstract read(char: string): HclTokenKind;

  scan(): HclToken {
    let char = this.next();
    while (isWhitespace(char)) char = this.next();

    const position = this.reader.position();
    const start = this.reader.lastOffset();
    const kind = char === END ? 'EOF' : this.read(char);
    return { kind, text: this.reader.slice(start, this.reader.offset()), position, json: this.#json };
  }

  /** Returns the next character. A null character counts as the end. */
  protected next(): string {
    const char = this.reader.next();
    return char === '\0' ? END : char;
  }

  protected complain(message: string, fault?: HclFault): void {
    this.problem = { position: this.reader.position(), message, fault };
  }

  /**
   * Reads decimal digits from `char` on. Returns the first character that is not a digit, without
   * consuming it.
   */
  protected mantissa(char: string): string {
    let current = char;
    let consumed = false;
    while (isDecimal(current)) {
      current = this.next();
      consumed = true;
    }
    if (consumed && current !== END) this.reader.unread();
    return current;
  }

  /**
   * Reads the rest of a decimal number after its integer part.
   *
   * @param char the first character of the rest.
   */
  protected fraction(char: string): 'FLOAT' | 'NUMBER' {
    if (isExponent(char)) {
      this.exponent();
      return 'FLOAT';
    }
    if (char === '.') {
      if (isExponent(this.mantissa(this.reader.peek()))) {
        this.next();
        this.exponent();
      }
      return 'FLOAT';
    }
    if (char !== END) this.reader.unread();
    return 'NUMBER';
  }

  protected exponent(): void {
    const sign = this.next();
    this.mantissa(sign === '-' || sign === '+' ? this.next() : sign);
  }

  /**
   * Reads a fraction without an integer part: `.5`. As in the reference parser, an exponent ends
   * after its letter.
   */
  protected period(): HclTokenKind {
    if (!isDecimal(this.reader.peek())) return 'PERIOD';
    if (isExponent(this.mantissa(this.reader.peek()))) this.next();
    return 'FLOAT';
  }

  /**
   * Reads a quoted string after its opening quote. Within `${…}` of native HCL, quotes and newlines
   * do not end it.
   */
  protected string(): HclTokenKind {
    let braces = 0;
    for (;;) {
      this.reader.skip(PLAIN);
      const char = this.next();
      const shielded = braces > 0 && !this.#json;
      if (char === END || (char === '\n' && !shielded)) {
        this.complain('literal not terminated', 'quotes-not-closed');
        return 'STRING';
      }
      if (char === '"' && !shielded) return 'STRING';
      if (braces === 0 && char === '$' && this.reader.peek() === '{') {
        braces++;
        this.next();
      } else if (braces > 0 && char === '{') {
        braces++;
      }
      if (braces > 0 && char === '}') braces--;
      if (char === '\\') this.#escape();
    }
  }

  #escape(): void {
    const char = this.next();
    const digits = CODE_POINT_DIGITS[char];
    if (digits !== undefined) {
      this.#escapedDigits(this.next(), 16, digits);
    } else if (digitValue(char) < 8) {
      this.#escapedDigits(char, 8, 3);
    } else if (char === END || !SIMPLE_ESCAPES.includes(char)) {
      this.complain('illegal char escape');
    }
  }

  #escapedDigits(char: string, base: number, count: number): void {
    let current = char;
    let missing = count;
    while (missing > 0 && digitValue(current) < base) {
      current = this.next();
      if (current === END) break;
      missing--;
    }
    if (missing > 0) this.complain('illegal char escape');
    if (this.#json || (missing !== count && current !== END)) this.reader.unread();
  }
}

function isExponent(char: string): boolean {
  return char === 'e' || char === 'E';
}
