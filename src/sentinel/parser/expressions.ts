import type {
  Binary,
  BinaryOperator,
  StatementBlock,
  CallExpression,
  Expression,
  FunctionLiteral,
  Identifier,
  ListLiteral,
  MapEntry,
  MapLiteral,
  Quantifier,
  QuantifierWord,
  RuleExpression,
  Test,
  Unary,
} from '../ast/nodes';
import { KEYWORDS, type SentinelToken } from '../scanner/tokens';
import type { TokenStream } from './token-stream';

/** A binary operator, with its spelling. */
interface Operator {
  readonly operator: BinaryOperator;
  readonly negated: boolean;
  readonly written: string;
  readonly level: number;
  readonly tokens: number;
}

/** The precedence of operators, lowest first. */
const LEVELS: Readonly<Record<BinaryOperator, number>> = {
  or: 1,
  xor: 1,
  and: 2,
  is: 3,
  '<': 3,
  '<=': 3,
  '>': 3,
  '>=': 3,
  contains: 3,
  in: 3,
  matches: 3,
  else: 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};

const SET_OPERATORS: ReadonlySet<string> = new Set(['contains', 'in', 'matches']);
/** The maximum number of operators before an operand, which would otherwise nest too deeply. */
const MOST_PREFIXES = 100;
const MOST_SUFFIXES = 1000;

const QUANTIFIERS: ReadonlySet<string> = new Set(['all', 'any', 'filter', 'map']);

export class ExpressionParser {
  readonly #stream: TokenStream;
  readonly #parseBlock: () => StatementBlock;

  constructor(stream: TokenStream, parseBlock: () => StatementBlock) {
    this.#stream = stream;
    this.#parseBlock = parseBlock;
  }

  parse(): Expression {
    return this.#stream.nested(() => this.#binary(1));
  }

  #binary(lowest: number): Expression {
    let left = this.#unary();
    for (;;) {
      const operator = this.#operator();
      if (!operator || operator.level < lowest) return left;
      const start = this.#stream.next.start;
      for (let count = 0; count < operator.tokens; count++) this.#stream.take();
      const operatorSpan = { start, end: this.#stream.previous.end };
      const right = this.#binary(operator.level + 1);
      left = {
        kind: 'binary',
        operator: operator.operator,
        negated: operator.negated,
        written: operator.written,
        operatorSpan,
        left,
        right,
        start: left.start,
        end: right.end,
      } satisfies Binary;
    }
  }

  /** Returns the next token if it is an operator. */
  #operator(): Operator | undefined {
    const { next } = this.#stream;
    if (next.kind !== 'operator' && next.kind !== 'keyword') return undefined;
    const { text } = next;
    if (text === '==' || text === '!=') {
      return { operator: 'is', negated: text === '!=', written: text, level: LEVELS.is, tokens: 1 };
    }
    if (text === 'is') {
      const negated = this.#stream.is('not', 1);
      const written = negated ? 'is not' : 'is';
      return { operator: 'is', negated, written, level: LEVELS.is, tokens: negated ? 2 : 1 };
    }
    if (text === 'not') {
      const { kind, text: word } = this.#stream.peek(1);
      if (kind !== 'keyword' || !isSetOperator(word)) return undefined;
      return { operator: word, negated: true, written: `not ${word}`, level: LEVELS[word], tokens: 2 };
    }
    if (!isBinaryOperator(text)) return undefined;
    return { operator: text, negated: false, written: text, level: LEVELS[text], tokens: 1 };
  }

  /** Parses the operators before an operand one after another, so that many do not nest. */
  #unary(): Expression {
    const operators: SentinelToken[] = [];
    while (this.#isUnaryOperator()) operators.push(this.#stream.take());
    if (operators.length > MOST_PREFIXES) {
      const problem = `more than ${MOST_PREFIXES} operators stand before one operand`;
      throw this.#stream.error(operators[MOST_PREFIXES] ?? this.#stream.next, problem);
    }
    let operand = this.#postfix();
    for (const { text, start } of operators.reverse()) {
      const operator = text === '+' || text === '-' ? text : 'not';
      operand = { kind: 'unary', operator, written: text, operand, start, end: operand.end } satisfies Unary;
    }
    return operand;
  }

  #isUnaryOperator(): boolean {
    const { kind, text } = this.#stream.next;
    if (kind === 'keyword') return text === 'not';
    return kind === 'operator' && (text === '+' || text === '-' || text === '!');
  }

  #postfix(): Expression {
    let expression = this.#operand();
    for (let count = 0; ; count++) {
      const suffixed = this.#suffix(expression);
      if (!suffixed) return expression;
      if (count > MOST_SUFFIXES)
        throw this.#stream.error(
          suffixed,
          `more than ${MOST_SUFFIXES} selectors, indexes or calls follow one another`,
        );
      expression = suffixed;
    }
  }

  #suffix(object: Expression): Expression | undefined {
    const { start } = object;
    const { next } = this.#stream;
    if (next.kind === 'keyword') return next.text === 'is' ? this.#test(object) : undefined;
    if (next.kind !== 'operator') return undefined;
    if (next.text === '.') {
      this.#stream.take();
      const name = this.#stream.next;
      if (name.kind !== 'identifier') throw this.#stream.unexpected('a name after "."', selectorHint(name));
      this.#stream.take();
      const identifier = identifierOf(name);
      return { kind: 'selector', object, name: identifier, start, end: name.end };
    }
    if (next.text === '[') return this.#stream.nested(() => this.#indexOrSlice(object));
    if (next.text === '(') return this.#stream.nested(() => this.#call(object));
    return undefined;
  }

  #test(operand: Expression): Test | undefined {
    const negated = this.#stream.is('not', 1);
    const word = this.#stream.peek(negated ? 2 : 1);
    const isEmpty = word.kind === 'keyword' && word.text === 'empty';
    const isDefined = word.kind === 'identifier' && word.text === 'defined';
    if (!isEmpty && !isDefined) return undefined;
    for (let count = 0; count < (negated ? 3 : 2); count++) this.#stream.take();
    const test = isEmpty ? 'empty' : 'defined';
    return { kind: 'test', operand, test, negated, start: operand.start, end: word.end };
  }

  #indexOrSlice(object: Expression): Expression {
    const { start } = object;
    this.#stream.take();
    if (this.#stream.is(']')) throw this.#stream.unexpected('an index or a slice');
    const from = this.#stream.is(':') ? undefined : this.parse();
    if (!this.#stream.takeIf(':')) {
      this.#stream.skipLineEndBefore(']');
      const { end } = this.#stream.expect(']', 'after the index');
      if (!from) throw this.#stream.unexpected('an index');
      return { kind: 'index', object, index: from, start, end };
    }
    const to = this.#stream.is(']') ? undefined : this.parse();
    this.#stream.skipLineEndBefore(']');
    const { end } = this.#stream.expect(']', 'after the slice');
    return { kind: 'slice', object, from, to, start, end };
  }

  #call(callee: Expression): CallExpression {
    this.#stream.take();
    const parameters = this.#sequence(')', 'an argument', () => this.parse());
    const { end } = this.#stream.expect(')', 'after the arguments');
    return { kind: 'call', callee, arguments: parameters, start: callee.start, end };
  }

  /** Parses elements between commas up to a bracket, which is not consumed. */
  #sequence<T>(closer: string, element: string, parse: () => T): readonly T[] {
    const elements: T[] = [];
    while (!this.#stream.is(closer)) {
      if (this.#stream.is(',')) throw this.#stream.unexpected(`${element} or "${closer}"`);
      elements.push(parse());
      this.#stream.skipLineEndBefore(closer);
      if (this.#stream.takeIf(',')) continue;
      if (!this.#stream.is(closer))
        throw this.#stream.unexpected(`"," or "${closer}" after ${element}`, this.#commaHint());
    }
    return elements;
  }

  #commaHint(): string | undefined {
    const { kind, text } = this.#stream.next;
    return kind === 'semicolon' && text === '\n' ? 'end the line with ","' : undefined;
  }

  #operand(): Expression {
    const token = this.#stream.next;
    switch (token.kind) {
      case 'int':
      case 'float':
      case 'string':
        this.#stream.take();
        return { kind: 'literal', value: token.value ?? '', start: token.start, end: token.end };
      case 'identifier':
        this.#stream.take();
        return identifierOf(token);
      case 'operator':
        if (token.text === '(') return this.#stream.nested(() => this.#group());
        if (token.text === '[') return this.#stream.nested(() => this.#list());
        if (token.text === '{') return this.#stream.nested(() => this.#map());
        break;
      case 'keyword':
        if (token.text === 'func') return this.#function();
        if (token.text === 'rule') return this.#stream.nested(() => this.#rule());
        if (isQuantifier(token.text)) return this.#stream.nested(() => this.#quantifier());
        break;
      case 'semicolon':
      case 'end':
    }
    throw this.#stream.unexpected('an expression', operandHint(token));
  }

  #group(): Expression {
    const { start } = this.#stream.take();
    const expression = this.parse();
    this.#stream.skipLineEndBefore(')');
    const { end } = this.#stream.expect(')', `to close "(" of line ${this.#stream.source.line(start)}`);
    return { kind: 'group', expression, start, end };
  }

  #list(): ListLiteral {
    const { start } = this.#stream.take();
    const elements = this.#sequence(']', 'an element', () => this.parse());
    const { end } = this.#stream.take();
    return { kind: 'list', elements, start, end };
  }

  #map(): MapLiteral {
    const { start } = this.#stream.take();
    const entries = this.#sequence('}', 'an entry', () => this.#entry());
    const { end } = this.#stream.take();
    return { kind: 'map', entries, start, end };
  }

  #entry(): MapEntry {
    const key = this.parse();
    this.#stream.expect(':', 'after the key');
    return { key, value: this.parse() };
  }

  /** Parses `func`, as a value or, if the keyword has been consumed, in a declaration. */
  #function(): FunctionLiteral {
    const { start } = this.#stream.take();
    return this.functionFrom(start);
  }

  functionFrom(start: number): FunctionLiteral {
    return this.#stream.nested(() => {
      this.#stream.expect('(', 'after "func"');
      const parameters = this.#sequence(')', 'a parameter', () => this.name('the name of a parameter'));
      this.#stream.take();
      const body = this.#parseBlock();
      return { kind: 'function', parameters, body, start, end: body.end };
    });
  }

  #rule(): RuleExpression {
    const { start } = this.#stream.take();
    let when: Expression | undefined;
    if (this.#stream.takeIf('when')) {
      if (this.#stream.is('{')) throw this.#stream.unexpected('a condition after "when"');
      when = this.parse();
    }
    const { body, end } = this.#bodyExpression('the rule');
    return { kind: 'rule', when, body, start, end };
  }

  #quantifier(): Quantifier {
    const { start, text } = this.#stream.take();
    const word = isQuantifier(text) ? text : 'all';
    const collection = this.parse();
    const names = this.loopNames(`"${word}"`);
    const { body, end } = this.#bodyExpression(`"${word}"`);
    return { kind: 'quantifier', word, collection, names, body, start, end };
  }

  /** Parses `as NAME` or `as NAME, NAME`. */
  loopNames(of: string): readonly Identifier[] {
    this.#stream.expect('as', `and a name for the elements of ${of}`);
    const names = [this.name('a name after "as"')];
    if (this.#stream.takeIf(',')) names.push(this.name('a second name after ","'));
    return names;
  }

  /** Parses one expression in braces. */
  #bodyExpression(of: string): { body: Expression; end: number } {
    this.#stream.expect('{', `to start the body of ${of}`);
    if (this.#stream.is('}')) throw this.#stream.unexpected(`an expression in the body of ${of}`);
    const body = this.parse();
    if (this.#stream.atSemicolon) this.#stream.take();
    if (!this.#stream.is('}')) {
      const hint = this.#stream.is('=')
        ? 'the body is one expression; to compare, write "is" or "=="'
        : undefined;
      throw this.#stream.unexpected(
        `"}" to end the body of ${of}`,
        hint ?? continuationHint(this.#stream.next),
      );
    }
    return { body, end: this.#stream.take().end };
  }

  name(expected: string): Identifier {
    const token = this.#stream.next;
    if (token.kind !== 'identifier') {
      const hint = token.kind === 'keyword' ? `"${token.text}" is reserved: choose another name` : undefined;
      throw this.#stream.unexpected(expected, hint);
    }
    this.#stream.take();
    return identifierOf(token);
  }
}

function identifierOf({ text, start, end }: SentinelToken): Identifier {
  return { kind: 'identifier', name: text, start, end };
}

/**
 * Returns the hint for an operator at the start of a line, which belongs at the end of the line
 * above.
 */
export function continuationHint({ kind, text }: SentinelToken): string | undefined {
  if (kind !== 'operator' && kind !== 'keyword') return undefined;
  if (!isBinaryOperator(text) && text !== '.' && text !== '==' && text !== '!=' && text !== 'is')
    return undefined;
  return `an expression continues on the next line only after an operator: end the line above with "${text}"`;
}

function operandHint({ kind, text }: SentinelToken): string | undefined {
  if (kind === 'keyword' && KEYWORDS.has(text) && !isBinaryOperator(text)) {
    return `"${text}" is reserved: it cannot be used as a name`;
  }
  if (kind === 'semicolon' && text === '\n') return undefined;
  return continuationHint({ kind, text, start: 0, end: 0 });
}

function selectorHint({ kind }: SentinelToken): string | undefined {
  return kind === 'string' ? 'write the key in brackets: x["key"]' : undefined;
}

function isBinaryOperator(text: string): text is BinaryOperator {
  return Object.hasOwn(LEVELS, text);
}

function isSetOperator(text: string): text is 'contains' | 'in' | 'matches' {
  return SET_OPERATORS.has(text);
}

function isQuantifier(text: string): text is QuantifierWord {
  return QUANTIFIERS.has(text);
}
