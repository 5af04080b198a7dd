import { SentinelSyntaxError } from '../../source/errors';
import type { SourceText, Span } from '../../source/source-text';
import { decimalInt } from '../../values/convert';
import { keyOf, MapValue, type Key, type Value } from '../../values/value';

/*
 * The part of HCL that test files are written in: blocks, attributes and literals. It has its own
 * reader because it has to distinguish integers from other numbers, and because this folder may not
 * import `src/model/`, which reads the HCL of ACL policies.
 */

export interface ConfigBody {
  readonly attributes: ReadonlyMap<string, ConfigAttribute>;
  readonly blocks: readonly ConfigBlock[];
}

export interface ConfigAttribute {
  readonly value: Value;
  readonly span: Span;
}

export interface ConfigBlock {
  readonly type: string;
  readonly labels: readonly string[];
  readonly body: ConfigBody;
  readonly span: Span;
}

const DEEPEST = 200;

export function parseHcl(source: SourceText): ConfigBody {
  return new HclReader(source).file();
}

const BLANK = /[ \t\r]+|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\//y;
const BLANK_LINES = /[ \t\r\n]+|#[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\//y;
const NAME = /[\p{L}_][\p{L}\p{Nd}_-]*/uy;
const NUMBER = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEREDOC = /<<(-?)([\p{L}_][\p{L}\p{Nd}_]*)\r?\n/uy;

class HclReader {
  readonly #source: SourceText;
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#text = source.text;
    if (this.#text.startsWith('\uFEFF')) this.#at = 1;
  }

  file(): ConfigBody {
    const body = this.#body();
    if (this.#at < this.#text.length) throw this.#unexpected('an attribute or a block');
    return body;
  }

  #body(): ConfigBody {
    const attributes = new Map<string, ConfigAttribute>();
    const blocks: ConfigBlock[] = [];
    for (;;) {
      this.#skip(BLANK_LINES);
      const start = this.#at;
      const name = this.#take(NAME);
      if (name === undefined) return { attributes, blocks };
      this.#skip(BLANK);
      if (this.#peek() === '=') {
        if (attributes.has(name)) throw this.#error(start, `the attribute "${name}" is already set`);
        this.#at++;
        this.#skip(BLANK);
        const value = this.#value();
        attributes.set(name, { value, span: { start, end: this.#at } });
        this.#endLine();
      } else {
        blocks.push(this.#block(name, start));
      }
    }
  }

  #block(type: string, start: number): ConfigBlock {
    const labels: string[] = [];
    for (;;) {
      this.#skip(BLANK);
      const next = this.#peek();
      if (next === '{') break;
      const label = next === '"' ? this.#string() : this.#take(NAME);
      if (label === undefined) throw this.#unexpected('"=", a label or "{"');
      labels.push(label);
    }
    const span = { start, end: this.#at };
    this.#at++;
    this.#enter();
    const body = this.#body();
    this.#depth--;
    if (this.#peek() !== '}') throw this.#unexpected(`"}" to close "{" of line ${this.#source.line(start)}`);
    this.#at++;
    this.#endLine();
    return { type, labels, body, span };
  }

  #endLine(): void {
    this.#skip(BLANK);
    const next = this.#peek();
    if (next === '' || next === '\n' || next === '}') return;
    throw this.#unexpected('the end of the line');
  }

  #value(): Value {
    const start = this.#at;
    switch (this.#peek()) {
      case '"':
        return this.#string();
      case '[':
        return this.#nested(() => this.#list());
      case '{':
        return this.#nested(() => this.#object());
      case '(': {
        this.#at++;
        this.#skip(BLANK_LINES);
        const value = this.#nested(() => this.#value());
        this.#skip(BLANK_LINES);
        if (this.#peek() !== ')') throw this.#unexpected('")"');
        this.#at++;
        return value;
      }
      case '<':
        return this.#heredoc();
    }
    const number = this.#take(NUMBER);
    if (number !== undefined) return numberOf(number);
    const word = this.#take(NAME);
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    this.#at = start;
    const hint = word === undefined ? undefined : 'only literals can be used here: write texts in quotes';
    throw this.#unexpected('a value', hint);
  }

  #list(): Value[] {
    const elements: Value[] = [];
    const start = this.#at++;
    for (;;) {
      this.#skip(BLANK_LINES);
      if (this.#peek() === ']') break;
      elements.push(this.#value());
      this.#skip(BLANK_LINES);
      if (this.#peek() === ',') this.#at++;
      else if (this.#peek() !== ']') {
        throw this.#unexpected(`"," or "]" for the "[" of line ${this.#source.line(start)}`);
      }
    }
    this.#at++;
    return elements;
  }

  #object(): MapValue {
    const entries: [Key, Value][] = [];
    const start = this.#at++;
    for (;;) {
      this.#skip(BLANK_LINES);
      if (this.#peek() === '}') break;
      const key = this.#objectKey();
      this.#skip(BLANK);
      if (this.#peek() !== '=' && this.#peek() !== ':') throw this.#unexpected('"=" after the key');
      this.#at++;
      this.#skip(BLANK_LINES);
      entries.push([key, this.#value()]);
      this.#skip(BLANK);
      const next = this.#peek();
      if (next === ',') this.#at++;
      else if (next !== '\n' && next !== '}') {
        throw this.#unexpected(
          `",", the end of the line or "}" for the "{" of line ${this.#source.line(start)}`,
        );
      }
    }
    this.#at++;
    return new MapValue(entries);
  }

  #objectKey(): Key {
    const next = this.#peek();
    if (next === '"') return this.#string();
    const number = this.#take(NUMBER);
    if (number !== undefined) return keyOf(numberOf(number)) ?? number;
    if (next === '(') {
      const value = keyOf(this.#value());
      if (value !== undefined) return value;
    }
    const name = this.#take(NAME);
    if (name !== undefined) return name;
    throw this.#unexpected('a key');
  }

  #string(): string {
    const start = this.#at++;
    let value = '';
    for (;;) {
      const character = this.#peek();
      if (character === '"') {
        this.#at++;
        return value;
      }
      if (character === '' || character === '\n') throw this.#error(start, 'the string is never closed');
      if (character === '\\') value += this.#escape();
      else if (this.#isTemplate()) {
        throw this.#error(
          this.#at,
          'templates cannot be used in test files',
          'write "$${" for the text "${"',
        );
      } else if (this.#text.startsWith('$${', this.#at) || this.#text.startsWith('%%{', this.#at)) {
        value += this.#text.slice(this.#at + 1, this.#at + 3);
        this.#at += 3;
      } else {
        value += character;
        this.#at++;
      }
    }
  }

  #isTemplate(): boolean {
    return this.#text.startsWith('${', this.#at) || this.#text.startsWith('%{', this.#at);
  }

  #escape(): string {
    const letter = this.#text.charAt(this.#at + 1);
    const simple: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };
    const plain = simple[letter];
    if (plain !== undefined) {
      this.#at += 2;
      return plain;
    }
    const digits = letter === 'u' ? 4 : letter === 'U' ? 8 : 0;
    const code = this.#text.slice(this.#at + 2, this.#at + 2 + digits);
    const point = parseInt(code, 16);
    if (digits === 0 || !/^[0-9a-fA-F]+$/.test(code) || code.length !== digits || point > 0x10ffff) {
      throw this.#error(this.#at, `unknown escape "\\${letter}"`);
    }
    this.#at += 2 + digits;
    return String.fromCodePoint(point);
  }

  #heredoc(): string {
    const start = this.#at;
    HEREDOC.lastIndex = start;
    const found = HEREDOC.exec(this.#text);
    if (!found) throw this.#unexpected('a value');
    const [opening, dash, marker = ''] = found;
    const from = start + opening.length;
    const closing = this.#lineOf(marker, from);
    if (!closing)
      throw this.#error(start, `the text is never closed`, `write "${marker}" on a line of its own`);
    this.#at = closing.end;
    const text = this.#text.slice(from, closing.start);
    return dash === '-' ? unindent(text) : text;
  }

  /** Returns the first line that consists of a word, without the end of the line. */
  #lineOf(word: string, from: number): { readonly start: number; readonly end: number } | undefined {
    for (let start = from; start < this.#text.length;) {
      const lineEnd = this.#text.indexOf('\n', start);
      const next = lineEnd < 0 ? this.#text.length : lineEnd;
      const end = this.#text[next - 1] === '\r' ? next - 1 : next;
      if (this.#text.slice(start, end).trim() === word) return { start, end };
      start = next + 1;
    }
    return undefined;
  }

  #nested<T>(read: () => T): T {
    this.#enter();
    const result = read();
    this.#depth--;
    return result;
  }

  #enter(): void {
    if (++this.#depth > DEEPEST)
      throw this.#error(this.#at, `the text nests more than ${DEEPEST} levels deep`);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  /**
   * Skips one match after the other. One pattern for all of them would, if it failed, try all ways
   * to divide the text into matches.
   */
  #skip(pattern: RegExp): void {
    while (this.#take(pattern) !== undefined);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #unexpected(expected: string, hint?: string): SentinelSyntaxError {
    const next = this.#peek();
    const found =
      next === '' ? 'the end of the text' : next === '\n' ? 'the end of the line' : JSON.stringify(next);
    return this.#error(this.#at, `expected ${expected}, found ${found}`, hint);
  }

  #error(at: number, problem: string, hint?: string): SentinelSyntaxError {
    return new SentinelSyntaxError(this.#source, { start: at, end: at + 1 }, problem, hint);
  }
}

/** Returns a number. A number without a fraction becomes an int. */
function numberOf(text: string): bigint | number {
  const int = decimalInt(text);
  if (int !== undefined) return int;
  const number = Number(text);
  return Number.isInteger(number) && Math.abs(number) < 2 ** 63 ? BigInt(number) : number;
}

function unindent(text: string): string {
  const lines = text.split('\n');
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => /^[ \t]*/.exec(line)?.[0].length ?? 0);
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(Number.isFinite(least) ? least : 0)).join('\n');
}
