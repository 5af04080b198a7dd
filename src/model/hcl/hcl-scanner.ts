import { digitValue, END, isDecimal, isDigit, isLetter, Reader } from './reader';
import { Scanner } from './scanner';
import { PUNCTUATION, type HclTokenKind } from './hcl-token';

/** A code point that HCL 1 uses internally, so texts must not contain it. */
const RESERVED = '\ue123';

/** Frequent characters of identifiers, which are read together. Further characters are allowed. */
const NAME = /[\w.-]+/y;

/** Splits native HCL 1 into tokens. */
export class HclScanner extends Scanner {
  constructor(text: string) {
    super(new Reader(text), false);
  }

  protected override next(): string {
    const char = this.reader.next();
    if (char === '\0') {
      this.complain('unexpected null character (0x00)');
      return END;
    }
    if (char === RESERVED) {
      this.complain('unicode code point U+E123 reserved for internal use');
      return '\ufffd';
    }
    return char;
  }

  protected read(char: string): HclTokenKind {
    if (isLetter(char)) return this.#identifier();
    if (isDecimal(char)) return this.#number(char);
    switch (char) {
      case '"':
        return this.string();
      case '#':
      case '/':
        this.#comment(char);
        return 'COMMENT';
      case '.':
        return this.period();
      case '<':
        this.#heredoc();
        return 'HEREDOC';
      case '=':
        return 'ASSIGN';
      case '+':
        return 'ADD';
      case '-':
        return isDecimal(this.reader.peek()) ? this.#number(this.next()) : 'SUB';
      default:
        return PUNCTUATION[char] ?? this.#illegal();
    }
  }

  #illegal(): HclTokenKind {
    this.complain('illegal char', 'illegal-character');
    return 'ILLEGAL';
  }

  #identifier(): HclTokenKind {
    const start = this.reader.lastOffset();
    this.reader.skip(NAME);
    let char = this.next();
    while (isLetter(char) || isDigit(char) || char === '-' || char === '.') char = this.next();
    if (char !== END) this.reader.unread();
    const text = this.reader.slice(start, this.reader.offset());
    return text === 'true' || text === 'false' ? 'BOOL' : 'IDENT';
  }

  #number(first: string): HclTokenKind {
    if (first !== '0') {
      this.mantissa(first);
      return this.fraction(this.next());
    }
    const char = this.next();
    return char === 'x' || char === 'X' ? this.#hexadecimal() : this.#octal(char);
  }

  #hexadecimal(): HclTokenKind {
    let char = this.next();
    if (digitValue(char) > 15) this.complain('illegal hexadecimal number');
    while (digitValue(char) <= 15) char = this.next();
    if (char !== END) this.reader.unread();
    return 'NUMBER';
  }

  /**
   * Reads a number after its leading zero: the digits of an octal number, or of a float such as
   * `09.5`.
   */
  #octal(first: string): HclTokenKind {
    let char = first;
    let illegal = false;
    while (isDecimal(char)) {
      char = this.next();
      illegal ||= char === '8' || char === '9';
    }
    // The problem is reported at the position of the next character, so this happens before
    // `unread`.
    if (illegal && char !== '.' && char !== 'e' && char !== 'E') this.complain('illegal octal number');
    return this.fraction(char);
  }

  #comment(first: string): void {
    if (first === '#' || this.reader.peek() !== '*') {
      if (first === '/' && this.reader.peek() !== '/') {
        this.complain("expected '/' for comment", 'slash-outside-quotes');
        return;
      }
      let char = this.next();
      while (char !== '\n' && char !== END) char = this.next();
      if (char !== END) this.reader.unread();
      return;
    }

    this.next();
    let char = this.next();
    for (;;) {
      if (char === END) {
        this.complain('comment not terminated', 'comment-not-terminated');
        return;
      }
      const previous = char;
      char = this.next();
      if (previous === '*' && char === '/') return;
    }
  }

  #heredoc(): void {
    if (this.next() !== '<') {
      this.complain("heredoc expected second '<', didn't see it");
      return;
    }
    const start = this.reader.offset();
    let char = this.next();
    if (char === '-') char = this.next();
    while (isLetter(char) || isDigit(char)) char = this.next();
    if (char === END) {
      this.complain('heredoc not terminated');
      return;
    }
    if (char === '\r' && this.reader.peek() === '\n') char = this.next();
    if (char !== '\n') {
      this.complain('invalid characters in heredoc anchor');
      return;
    }
    const anchor = this.reader.slice(start, this.reader.lastOffset());
    if (anchor === '' || anchor === '-') {
      this.complain('zero-length heredoc anchor');
      return;
    }
    this.#heredocLines(anchor);
  }

  #heredocLines(anchor: string): void {
    const terminator = anchor.replace(/^-/, '');
    let lineStart = this.reader.offset();
    for (;;) {
      const char = this.next();
      if (char === END) {
        this.complain('heredoc not terminated');
        return;
      }
      if (char !== '\n') continue;
      const line = this.reader.slice(lineStart, this.reader.lastOffset());
      // The length includes the dash of `<<-EOF`: an anchor without indentation does not end such a
      // heredoc.
      if (line.length >= anchor.length && isTerminator(line, terminator)) return;
      lineStart = this.reader.offset();
    }
  }
}

/**
 * Whether a line is the anchor that ends a heredoc. Space before it and line ends after it are
 * ignored.
 */
function isTerminator(line: string, anchor: string): boolean {
  let end = line.length;
  while (line[end - 1] === '\r') end--;
  return line.slice(0, end).endsWith(anchor) && /^[\t\n\v\f\r ]*$/.test(line.slice(0, end - anchor.length));
}
