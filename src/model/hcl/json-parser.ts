import type { HclItem, HclList, HclObject, HclValueNode } from './ast';
import { HclError, settle } from './errors';
import { Nesting, END, isDecimal, isDigit, isLetter, Reader } from './reader';
import { type HclToken, PUNCTUATION, type HclTokenKind } from './hcl-token';
import { Scanner } from './scanner';

/**
 * An error for a text that ends too early. Like the reference parser, this parser tolerates that in
 * most places.
 */
class EndOfText extends Error {}

/**
 * Parses the JSON form of HCL 1. Reports and tolerates the same faults as the reference parser,
 * which tolerates many faults.
 */
export class JsonParser {
  readonly #scanner: JsonScanner;
  #token: HclToken;
  readonly #nesting = new Nesting();

  constructor(text: string) {
    this.#scanner = new JsonScanner(text);
    this.#token = { kind: 'EOF', text: '', position: { line: 1, column: 1 }, json: true };
  }

  parse(): HclObject {
    const root = settle(
      () => this.#root(),
      () => this.#scanProblem(),
    );
    return { ...root, items: flattenItems(root.items) };
  }

  #scanProblem(): HclError | undefined {
    const { problem } = this.#scanner;
    if (!problem) return undefined;
    const { line, column } = problem.position;
    return new HclError(`${line}:${column}: ${problem.message}`, problem.position, problem.fault);
  }

  #root(): HclObject {
    const token = this.#scan();
    if (token.kind !== 'LBRACE') throw this.#unexpected(`Expected object, got unknown token: ${show(token)}`);
    return this.#object();
  }

  /**
   * Reads an object after its opening brace. A key without a value before the closing brace is
   * dropped.
   */
  #object(): HclObject {
    const items: HclItem[] = [];
    try {
      do items.push(this.#item());
      while (this.#scan().kind === 'COMMA');
    } catch (error) {
      if (!(error instanceof EndOfText) && this.#token.kind !== 'RBRACE') throw error;
    }
    return { type: 'object', items };
  }

  #item(): HclItem {
    const keys = this.#keys();
    const assignLine = this.#token.position.line;
    return { type: 'item', keys, assignLine, value: this.#nested(() => this.#value()) };
  }

  #keys(): readonly HclToken[] {
    const keys: HclToken[] = [];
    for (;;) {
      const token = this.#scan();
      switch (token.kind) {
        case 'EOF':
          throw new EndOfText();
        case 'STRING':
          keys.push(token);
          break;
        case 'COLON':
          if (keys.length === 0) throw this.#unexpected('expected: STRING got: COLON');
          return keys;
        case 'ILLEGAL':
          throw this.#unexpected('illegal');
        default:
          throw this.#unexpected(`expected: STRING got: ${token.kind}`);
      }
    }
  }

  #value(): HclValueNode {
    const token = this.#scan();
    switch (token.kind) {
      case 'NUMBER':
      case 'FLOAT':
      case 'BOOL':
      case 'NULL':
      case 'STRING':
        return literal(token);
      case 'LBRACE':
        return this.#object();
      case 'LBRACK':
        return this.#list();
      case 'EOF':
        throw new EndOfText();
      default:
        throw this.#unexpected(`Expected object value, got unknown token: ${show(token)}`);
    }
  }

  /** Reads a list after its opening bracket. Booleans and nested lists in it are skipped. */
  #list(): HclList {
    const elements: HclValueNode[] = [];
    for (;;) {
      const token = this.#scan();
      switch (token.kind) {
        case 'NUMBER':
        case 'FLOAT':
        case 'STRING':
          elements.push(literal(token));
          break;
        case 'LBRACE':
          elements.push(this.#nested(() => this.#object()));
          break;
        case 'COMMA':
        case 'BOOL':
        case 'LBRACK':
          break;
        case 'RBRACK':
          return { type: 'list', elements };
        default:
          throw this.#unexpected(`unexpected token while parsing list: ${token.kind}`);
      }
    }
  }

  #nested<T>(read: () => T): T {
    return this.#nesting.within(read, (message) => this.#unexpected(message));
  }

  /**
   * Returns an error with a position, but without it in the message: the server's messages about
   * JSON have none.
   */
  #unexpected(message: string): HclError {
    return new HclError(message, this.#token.position);
  }

  #scan(): HclToken {
    this.#token = this.#scanner.scan();
    return this.#token;
  }
}

function literal(token: HclToken): HclValueNode {
  return { type: 'literal', token: token.kind === 'NULL' ? { ...token, kind: 'STRING', text: '' } : token };
}

function show(token: HclToken): string {
  return `${token.position.line}:${token.position.column} ${token.kind} ${token.text}`;
}

/**
 * Turns objects into blocks. JSON has no notation for blocks with several keys, so an object that
 * contains only objects counts as such a block: `{"path": {"x": {…}}}` means `path "x" {…}`. A list
 * of objects is a repeated block.
 */
function flattenItems(items: readonly HclItem[]): readonly HclItem[] {
  return items.flatMap(flattenItem).map((item) => ({ ...item, value: flattenValue(item.value) }));
}

function flattenItem(item: HclItem): readonly HclItem[] {
  const { value } = item;
  if (
    value.type === 'object' &&
    value.items.length > 0 &&
    value.items.every(({ value: inner }) => inner.type === 'object')
  ) {
    return value.items.flatMap((inner) =>
      flattenItem({ ...item, keys: [...item.keys, ...inner.keys], value: inner.value }),
    );
  }
  if (value.type === 'list' && value.elements.length > 0 && value.elements.every(isObject)) {
    return value.elements.flatMap((element) => flattenItem({ ...item, value: element }));
  }
  return [item];
}

function flattenValue(value: HclValueNode): HclValueNode {
  switch (value.type) {
    case 'object':
      return { ...value, items: flattenItems(value.items) };
    case 'list':
      return { ...value, elements: value.elements.map(flattenValue) };
    case 'literal':
      return value;
  }
}

function isObject(value: HclValueNode): value is HclObject {
  return value.type === 'object';
}

/** Splits the JSON form of HCL 1 into tokens. */
class JsonScanner extends Scanner {
  constructor(text: string) {
    super(new Reader(text), true);
  }

  protected read(char: string): HclTokenKind {
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

  #illegal(message: string): HclTokenKind {
    this.complain(message);
    return 'ILLEGAL';
  }

  #word(): HclTokenKind {
    const start = this.reader.lastOffset();
    let char = this.next();
    while (isLetter(char) || isDigit(char) || char === '-') char = this.next();
    if (char !== END) this.reader.unread();
    const text = this.reader.slice(start, this.reader.offset());
    if (text === 'true' || text === 'false') return 'BOOL';
    return text === 'null' ? 'NULL' : this.#illegal('illegal char');
  }

  #number(first: string): HclTokenKind {
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
