import { SentinelSyntaxError } from '../source/errors';
import type { SourceText } from '../source/source-text';
import { scanQuoted, scanRaw } from './strings';
import {
  endsStatement,
  KEYWORDS,
  OPERATORS,
  type Comment,
  type SentinelToken,
  type SentinelTokenKind,
} from './tokens';
import { LARGEST_INT, parseInteger } from '../values/convert';

interface ScannedNumber {
  readonly kind: 'int' | 'float';
  readonly value: bigint | number;
  readonly end: number;
}

const HEXADECIMAL = /0[xX][0-9a-fA-F]*/y;
const FLOAT = /(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const DECIMAL = /[0-9]+/y;

interface Scanned {
  readonly tokens: readonly SentinelToken[];
  readonly comments: readonly Comment[];
}

/**
 * Splits a text into tokens; the end of a line becomes a semicolon after a token that can end a
 * statement.
 */
export function scan(source: SourceText): Scanned {
  return new Scanner(source).scan();
}

const WORD = /[\p{L}_][\p{L}\p{Nd}_]*/uy;

class Scanner {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #tokens: SentinelToken[] = [];
  readonly #comments: Comment[] = [];
  #at = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#text = source.text;
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
  }

  scan(): Scanned {
    while (this.#at < this.#text.length) this.#next();
    this.#endLine(this.#text.length);
    this.#push('end', this.#text.length, this.#text.length);
    return { tokens: this.#tokens, comments: this.#comments };
  }

  #next(): void {
    const start = this.#at;
    const character = this.#text.charAt(start);
    switch (character) {
      case ' ':
      case '\t':
      case '\r':
        this.#at++;
        return;
      case '\n':
        this.#endLine(start);
        this.#at++;
        return;
      case '#':
        return this.#lineComment();
      case ';':
        this.#at++;
        return this.#push('semicolon', start, this.#at);
      case '"': {
        const { value, end } = scanQuoted(this.#source, start);
        this.#at = end;
        return this.#push('string', start, end, value);
      }
      case '`': {
        const { value, end } = scanRaw(this.#source, start);
        this.#at = end;
        return this.#push('string', start, end, value);
      }
    }
    if (character === '/' && this.#text[start + 1] === '/') return this.#lineComment();
    if (character === '/' && this.#text[start + 1] === '*') return this.#blockComment();
    if (isDigit(character) || (character === '.' && isDigit(this.#text.charAt(start + 1)))) {
      const { kind, value, end } = scanNumber(this.#source, start);
      this.#at = end;
      return this.#push(kind, start, end, value);
    }
    WORD.lastIndex = start;
    const word = WORD.exec(this.#text)?.[0];
    if (word !== undefined) return this.#word(word);
    this.#operator();
  }

  /** Reads a word. After a dot, a reserved word is an ordinary name. */
  #word(word: string): void {
    const start = this.#at;
    this.#at += word.length;
    const selected = this.#tokens.at(-1)?.text === '.';
    this.#push(KEYWORDS.has(word) && !selected ? 'keyword' : 'identifier', start, this.#at);
  }

  #operator(): void {
    const start = this.#at;
    const operator = OPERATORS.find((each) => this.#text.startsWith(each, start));
    if (operator === undefined) {
      const character = String.fromCodePoint(this.#text.codePointAt(start) ?? 0);
      const end = start + character.length;
      throw new SentinelSyntaxError(
        this.#source,
        { start, end },
        `unexpected character ${JSON.stringify(character)}`,
        UNKNOWN_CHARACTERS[character],
      );
    }
    this.#at += operator.length;
    this.#push('operator', start, this.#at);
  }

  #lineComment(): void {
    const start = this.#at;
    const newline = this.#text.indexOf('\n', start);
    this.#at = newline < 0 ? this.#text.length : newline;
    this.#comments.push({ text: this.#text.slice(start, this.#at).trimEnd(), start, end: this.#at });
  }

  /** Reads a comment. If it contains a line break, it ends the line as a line break does. */
  #blockComment(): void {
    const start = this.#at;
    const end = this.#text.indexOf('*/', start + 2);
    if (end < 0) {
      const span = { start, end: start + 2 };
      throw new SentinelSyntaxError(this.#source, span, 'the comment is never closed', 'add "*/"');
    }
    this.#at = end + 2;
    const text = this.#text.slice(start, this.#at);
    if (text.includes('\n')) this.#endLine(start);
    this.#comments.push({ text, start, end: this.#at });
  }

  #endLine(offset: number): void {
    const last = this.#tokens.at(-1);
    if (last && endsStatement(last)) {
      this.#tokens.push({ kind: 'semicolon', text: '\n', start: offset, end: offset });
    }
  }

  #push(kind: SentinelTokenKind, start: number, end: number, value?: bigint | number | string): void {
    const text = this.#text.slice(start, end);
    this.#tokens.push(value === undefined ? { kind, text, start, end } : { kind, text, start, end, value });
  }
}

const UNKNOWN_CHARACTERS: Readonly<Record<string, string>> = {
  "'": 'strings are written in double quotes',
  '&': 'write "and"',
  '|': 'write "or"',
  '“': 'strings are written in plain double quotes: "',
  '”': 'strings are written in plain double quotes: "',
};

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function scanNumber(source: SourceText, start: number): ScannedNumber {
  const hexadecimal = match(HEXADECIMAL, source.text, start);
  if (hexadecimal !== undefined) return int(source, start, hexadecimal);
  const float = match(FLOAT, source.text, start);
  if (float !== undefined) {
    const [value, end] = [Number(float), start + float.length];
    if (Number.isFinite(value)) return { kind: 'float', value, end };
    const problem = `${float} is too large: the largest float is ${Number.MAX_VALUE}`;
    throw new SentinelSyntaxError(source, { start, end }, problem);
  }
  return int(source, start, match(DECIMAL, source.text, start) ?? '');
}

function int(source: SourceText, start: number, text: string): ScannedNumber {
  const span = { start, end: start + text.length };
  const parsed = parseInteger(text);
  if (parsed === 'malformed') {
    const digits = /^0[xX]/.test(text) ? 'hexadecimal digits must follow "0x"' : 'octal digits are 0 to 7';
    const hint = /^0[0-9]/.test(text) ? 'a number that starts with 0 is octal' : undefined;
    throw new SentinelSyntaxError(source, span, `${text} is not a valid integer: ${digits}`, hint);
  }
  if (parsed === 'too large') {
    const problem = `${text} is too large: integers have 64 bits, the largest is ${LARGEST_INT}`;
    throw new SentinelSyntaxError(source, span, problem);
  }
  return { kind: 'int', value: parsed, end: span.end };
}

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}
