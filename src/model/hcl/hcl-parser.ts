import type { HclItem, HclList, HclObject, HclValueNode } from './ast';
import { HclError, settle, type HclFault } from './errors';
import { HclScanner } from './hcl-scanner';
import { Nesting } from './reader';
import { goQuote } from './quote';
import type { HclToken } from './hcl-token';

/** Parses native HCL 1. Reports and tolerates the same faults as the reference parser. */
export class HclParser {
  /** The error for the first argument that is set twice in its block. */
  duplicate: HclError | undefined;

  readonly #refuseDuplicates: boolean;
  readonly #scanner: HclScanner;
  #token: HclToken;
  #held = false;
  readonly #nesting = new Nesting();

  /** @param refuseDuplicates whether an argument that is set twice in a block is an error. */
  constructor(text: string, refuseDuplicates: boolean) {
    this.#refuseDuplicates = refuseDuplicates;
    this.#scanner = new HclScanner(text.replaceAll('\r\n', '\n'));
    this.#token = { kind: 'EOF', text: '', position: { line: 1, column: 1 }, json: false };
  }

  parse(): HclObject {
    const items = settle(
      () => this.#items(false),
      () => {
        const { problem } = this.#scanner;
        return problem && HclError.at(problem.position, problem.message, problem.fault);
      },
    );
    return { type: 'object', items };
  }

  #items(inBraces: boolean): readonly HclItem[] {
    const items: HclItem[] = [];
    const seen = new Set<string>();
    for (;;) {
      if (inBraces && this.#peek().kind === 'RBRACE') return items;
      const item = this.#item();
      if (!item) return items;
      if (item.assignLine > 0) this.#noteDuplicates(item.keys, seen);
      items.push(item);
      if (this.#scan().kind !== 'COMMA') this.#unscan();
    }
  }

  #noteDuplicates(keys: readonly HclToken[], seen: Set<string>): void {
    for (const { text, position } of keys) {
      if (seen.has(text)) {
        this.duplicate ??= new HclError(
          `The argument ${goQuote(text)} at ${position.line}:${position.column} was already set. ` +
            'Each argument can only be defined once',
          position,
        );
        if (this.#refuseDuplicates) throw this.duplicate;
      }
      seen.add(text);
    }
  }

  /** Returns one item, or `undefined` at the end of the text. */
  #item(): HclItem | undefined {
    const keys = this.#keys();
    if (!keys) return undefined;
    switch (this.#token.kind) {
      case 'ASSIGN': {
        const assignLine = this.#token.position.line;
        const value = this.#value();
        return value && this.#finishItem({ type: 'item', keys, assignLine, value });
      }
      case 'LBRACE':
        return this.#finishItem({ type: 'item', keys, assignLine: 0, value: this.#object() });
      default:
        throw HclError.at(
          this.#token.position,
          `key '${keys.map((key) => key.text).join(' ')}' expected start of object ('{') or assignment ('=')`,
          'assignment-missing',
        );
    }
  }

  /**
   * Scans one more token, because the reference parser looks for a comment there: problems in it
   * are reported as well.
   */
  #finishItem(item: HclItem): HclItem {
    this.#peek();
    return item;
  }

  /** Returns the keys before `=` or `{`, or `undefined` if the text ends before the first key. */
  #keys(): readonly HclToken[] | undefined {
    const keys: HclToken[] = [];
    for (;;) {
      const token = this.#scan();
      switch (token.kind) {
        case 'EOF':
          return keys.length > 0 ? keys : undefined;
        case 'ASSIGN':
          if (keys.length > 1)
            throw HclError.at(
              token.position,
              'nested object expected: LBRACE got: ASSIGN',
              'assignment-after-label',
            );
          if (keys.length === 0) throw HclError.at(token.position, 'no object keys found!', 'name-missing');
          return keys;
        case 'LBRACE':
          if (keys.length === 0)
            throw HclError.at(token.position, 'expected: IDENT | STRING got: LBRACE', 'name-missing');
          return keys;
        case 'IDENT':
        case 'STRING':
          keys.push(token);
          break;
        case 'ILLEGAL':
          throw HclError.at(token.position, 'illegal character');
        case 'RBRACE':
          if (keys.length > 0) return keys;
          throw this.#unexpectedInKeys(token);
        default:
          throw this.#unexpectedInKeys(token);
      }
    }
  }

  #unexpectedInKeys(token: HclToken): HclError {
    const faults: Partial<Record<HclToken['kind'], HclFault>> = {
      LBRACK: 'list-without-assignment',
      RBRACE: 'brace-not-opened',
    };
    const message = `expected: IDENT | STRING | ASSIGN | LBRACE got: ${token.kind}`;
    return HclError.at(token.position, message, faults[token.kind] ?? 'name-expected');
  }

  /** Returns the value after `=`, or `undefined` at the end of the text. */
  #value(): HclValueNode | undefined {
    const token = this.#scan();
    switch (token.kind) {
      case 'NUMBER':
      case 'FLOAT':
      case 'BOOL':
      case 'STRING':
      case 'HEREDOC':
        return { type: 'literal', token };
      case 'LBRACE':
        return this.#object();
      case 'LBRACK':
        return this.#list();
      case 'EOF':
        return undefined;
      default: {
        const { line, column } = token.position;
        throw HclError.at(
          token.position,
          `Unknown token: ${line}:${column} ${token.kind} ${token.text}`,
          token.kind === 'IDENT' ? 'value-without-quotes' : 'value-missing',
        );
      }
    }
  }

  /** Reads an object after its opening brace. */
  #object(): HclObject {
    const position = this.#token.position;
    const items = this.#nested(() => this.#items(true));
    const end = this.#scan();
    if (end.kind !== 'RBRACE') {
      const fault = end.kind === 'EOF' ? 'block-not-closed' : undefined;
      throw HclError.at(end.position, `object expected closing RBRACE got: ${end.kind}`, fault);
    }
    return { type: 'object', position, items };
  }

  /** Reads a list after its opening bracket. */
  #list(): HclList {
    const position = this.#token.position;
    const elements: HclValueNode[] = [];
    let needsComma = false;
    for (;;) {
      const token = this.#scan();
      if (needsComma && token.kind !== 'COMMA' && token.kind !== 'RBRACK') {
        const isValue = token.kind === 'STRING' || token.kind === 'NUMBER' || token.kind === 'IDENT';
        throw HclError.at(
          token.position,
          `error parsing list, expected comma or list end, got: ${token.kind}`,
          isValue ? 'comma-missing' : 'list-not-closed',
        );
      }
      switch (token.kind) {
        case 'BOOL':
        case 'NUMBER':
        case 'FLOAT':
        case 'STRING':
        case 'HEREDOC':
          elements.push({ type: 'literal', token });
          needsComma = true;
          break;
        case 'COMMA':
          this.#peek();
          needsComma = false;
          break;
        case 'LBRACE':
          elements.push(this.#element(token, 'object', () => this.#object()));
          needsComma = true;
          break;
        case 'LBRACK':
          // A nested list needs no comma after it.
          elements.push(this.#element(token, 'list', () => this.#list()));
          break;
        case 'RBRACK':
          return { type: 'list', position, elements };
        default:
          throw HclError.at(
            token.position,
            `unexpected token while parsing list: ${token.kind}`,
            token.kind === 'IDENT' ? 'word-without-quotes' : undefined,
          );
      }
    }
  }

  #element(start: HclToken, what: 'object' | 'list', read: () => HclValueNode): HclValueNode {
    try {
      return this.#nested(read);
    } catch (error) {
      if (!(error instanceof HclError)) throw error;
      const message = `error while trying to parse ${what} within list: ${error.message}`;
      throw HclError.at(start.position, message, error.fault);
    }
  }

  #nested<T>(read: () => T): T {
    return this.#nesting.within(read, (message) => HclError.at(this.#token.position, message));
  }

  #scan(): HclToken {
    if (this.#held) {
      this.#held = false;
      return this.#token;
    }
    do this.#token = this.#scanner.scan();
    while (this.#token.kind === 'COMMENT');
    return this.#token;
  }

  #unscan(): void {
    this.#held = true;
  }

  #peek(): HclToken {
    const token = this.#scan();
    this.#unscan();
    return token;
  }
}
