import { END, isDecimal, isDigit, isLetter, Reader } from './reader';
import { Scanner } from './scanner';
import { PUNCTUATION, type TokenKind } from './token';

/** Splits the JSON form of HCL 1 into tokens. */
export class JsonScanner extends Scanner {
  constructor(text: string) {
    super(new Reader(text), true);
  }

  protected read(char: string): TokenKind {
    if (isLetter(char)) return this.#word();
    if (isDecimal(char)) return this.#number(char);
    switch (char) {
      case '"':
        return this.string();
      case '.':
        return this.period();
      case ':':
        return 'COLON';
      case '-':
        return isDecimal(this.reader.peek()) ? this.#number(this.next()) : this.#illegal('illegal char');
      default:
        return PUNCTUATION[char] ?? this.#illegal(`illegal char: ${char}`);
    }
  }

  #illegal(message: string): TokenKind {
    this.complain(message);
    return 'ILLEGAL';
  }

  #word(): TokenKind {
    const start = this.reader.lastOffset();
    let char = this.next();
    while (isLetter(char) || isDigit(char) || char === '-') char = this.next();
    if (char !== END) this.reader.unread();
    const text = this.reader.slice(start, this.reader.offset());
    if (text === 'true' || text === 'false') return 'BOOL';
    return text === 'null' ? 'NULL' : this.#illegal('illegal char');
  }

  #number(first: string): TokenKind {
    const start = this.reader.offset();
    this.mantissa(first);
    const following = this.next();
    const kind = this.fraction(following);
    if (kind === 'NUMBER' && first === '0' && (this.reader.offset() !== start || following === END)) {
      this.complain('numbers cannot start with 0');
    }
    return kind;
  }
}
