import type { HclItem, HclList, HclObject, HclValue } from './ast';
import { HclError, settle } from './errors';
import { flattenItems } from './flatten';
import { JsonScanner } from './json-scanner';
import { Nesting } from './reader';
import type { Token } from './token';

/** The text ends too early. Like the reference parser, this one tolerates it in most places. */
class EndOfText extends Error {}

/**
 * Parses the JSON form of HCL 1. Reports and tolerates the same faults as the reference parser,
 * which tolerates many.
 */
export class JsonParser {
  readonly #scanner: JsonScanner;
  #token: Token;
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

  #keys(): readonly Token[] {
    const keys: Token[] = [];
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

  #value(): HclValue {
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
    const elements: HclValue[] = [];
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

  /** In this form, messages contain no position, but the error has one for other uses. */
  #unexpected(message: string): HclError {
    return new HclError(message, this.#token.position);
  }

  #scan(): Token {
    this.#token = this.#scanner.scan();
    return this.#token;
  }
}

function literal(token: Token): HclValue {
  return { type: 'literal', token: token.kind === 'NULL' ? { ...token, kind: 'STRING', text: '' } : token };
}

function show(token: Token): string {
  return `${token.position.line}:${token.position.column} ${token.kind} ${token.text}`;
}
