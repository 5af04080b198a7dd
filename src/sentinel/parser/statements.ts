import type {
  Assignment,
  AssignmentOperator,
  StatementBlock,
  CaseStatement,
  CaseClause,
  Expression,
  For,
  If,
  Import,
  Param,
  Statement,
} from '../ast/nodes';
import { continuationHint, ExpressionParser } from './expressions';
import type { TokenStream } from './token-stream';

const ASSIGNMENT_OPERATORS: ReadonlySet<string> = new Set(['=', '+=', '-=', '*=', '/=', '%=']);

export class StatementParser {
  readonly #stream: TokenStream;
  readonly #expressions: ExpressionParser;

  constructor(stream: TokenStream) {
    this.#stream = stream;
    this.#expressions = new ExpressionParser(stream, () => this.#block());
  }

  /** Parses the imports, which come first. */
  imports(): readonly Import[] {
    const imports: Import[] = [];
    for (;;) {
      this.#skipSemicolons();
      if (!this.#stream.is('import')) return imports;
      imports.push(this.#import());
      this.#endStatement(false);
    }
  }

  /** Parses the parameters, which come after imports. */
  params(): readonly Param[] {
    const params: Param[] = [];
    for (;;) {
      this.#skipSemicolons();
      if (!this.#stream.is('param')) return params;
      params.push(this.#param());
      this.#endStatement(false);
    }
  }

  /** Parses the statements up to the end of the text. */
  rest(): readonly Statement[] {
    const statements = this.#statements(() => this.#stream.next.kind === 'end');
    return statements;
  }

  #import(): Import {
    const { start } = this.#stream.take();
    const path = this.#stream.next;
    if (path.kind !== 'string' || typeof path.value !== 'string') {
      const hint = path.kind === 'identifier' ? `write it in quotes: import "${path.text}"` : undefined;
      throw this.#stream.unexpected('the name of an import in quotes', hint);
    }
    this.#stream.take();
    const alias = this.#stream.takeIf('as') ? this.#expressions.name('a name after "as"') : undefined;
    return { kind: 'import', path: path.value, pathSpan: path, alias, start, end: this.#stream.previous.end };
  }

  #param(): Param {
    const { start } = this.#stream.take();
    const name = this.#expressions.name('the name of the parameter');
    let value: Expression | undefined;
    if (this.#stream.takeIf('default')) {
      value = this.#expressions.parse();
      this.#requireConstant(value);
    } else if (this.#stream.is('=')) {
      throw this.#stream.unexpected('"default" or the end of the line', 'write: param NAME default VALUE');
    }
    return { kind: 'param', name, value, start, end: this.#stream.previous.end };
  }

  #requireConstant(expression: Expression): void {
    switch (expression.kind) {
      case 'literal':
        return;
      case 'identifier':
        if (expression.name === 'true' || expression.name === 'false') return;
        break;
      case 'list':
        return expression.elements.forEach((element) => this.#requireConstant(element));
      case 'map':
        return expression.entries.forEach(({ key, value }) => {
          this.#requireConstant(key);
          this.#requireConstant(value);
        });
      case 'unary':
        if (expression.operator === 'not' || expression.operand.kind !== 'literal') break;
        if (typeof expression.operand.value !== 'string') return;
        break;
      default:
        break;
    }
    throw this.#stream.error(
      expression,
      'the default of a parameter must be a literal',
      'a number, a string, true, false, or a list or a map of these',
    );
  }

  #statements(isEnd: () => boolean): readonly Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      this.#skipSemicolons();
      if (isEnd()) return statements;
      statements.push(this.#stream.nested(() => this.#statement()));
      this.#endStatement(!isEnd());
    }
  }

  #skipSemicolons(): void {
    while (this.#stream.atSemicolon) this.#stream.take();
  }

  #endStatement(isRequired: boolean): void {
    if (this.#stream.atSemicolon) {
      this.#stream.take();
      return;
    }
    if (!isRequired && this.#stream.next.kind === 'end') return;
    if (!isRequired && (this.#stream.is('}') || this.#stream.is('when') || this.#stream.is('else'))) return;
    throw this.#stream.unexpected('the end of the statement', this.#statementHint());
  }

  #statementHint(): string | undefined {
    if (this.#stream.is(':') && this.#stream.is('=', 1)) return 'assign with "="';
    return undefined;
  }

  #statement(): Statement {
    const { kind, text, start, end } = this.#stream.next;
    if (kind === 'keyword') {
      switch (text) {
        case 'if':
          return this.#if();
        case 'for':
          return this.#for();
        case 'case':
          return this.#case();
        case 'return':
          return this.#return();
        case 'break':
        case 'continue':
          this.#stream.take();
          return { kind: 'branch', word: text, start, end };
        case 'func':
          if (this.#stream.peek(1).kind === 'identifier') return this.#functionDeclaration();
          break;
        case 'import':
          throw this.#stream.error(this.#stream.next, 'an import must come before parameters and statements');
        case 'param':
          throw this.#stream.error(this.#stream.next, 'a parameter must come before statements');
        case 'else':
          throw this.#stream.unexpected('a statement', 'write "else" on the line of the "}" before it');
      }
    }
    if (kind === 'operator') {
      if (text === '{') return this.#block();
      if (text === '}') throw this.#stream.error({ start, end }, '"}" closes nothing');
      const hint = continuationHint(this.#stream.next);
      if (hint !== undefined && text !== '-' && text !== '+')
        throw this.#stream.unexpected('a statement', hint);
    }
    return this.#expressionOrAssignment();
  }

  #expressionOrAssignment(): Statement {
    const expression = this.#expressions.parse();
    const operator = this.#stream.next;
    if (operator.kind !== 'operator' || !isAssignmentOperator(operator.text)) {
      return { kind: 'expression', expression, start: expression.start, end: expression.end };
    }
    const target = this.#target(expression);
    this.#stream.take();
    const value = this.#expressions.parse();
    const { start } = target;
    return {
      kind: 'assignment',
      target,
      operator: operator.text,
      value,
      start,
      end: value.end,
    } satisfies Assignment;
  }

  #target(expression: Expression): Assignment['target'] {
    if (expression.kind === 'identifier' || expression.kind === 'index') return expression;
    const hint =
      expression.kind === 'selector' ? `write the key in brackets: ["${expression.name.name}"]` : undefined;
    throw this.#stream.error(expression, 'only a variable, an element or a key can be assigned to', hint);
  }

  #if(): If {
    const branches: { start: number; condition: Expression; then: StatementBlock }[] = [];
    let last: StatementBlock | undefined;
    for (;;) {
      const { start } = this.#stream.take();
      const condition = this.#expressions.parse();
      branches.push({ start, condition, then: this.#block() });
      if (!this.#stream.takeIf('else')) break;
      if (this.#stream.is('if')) continue;
      last = this.#block();
      break;
    }
    if (branches.length > 200) {
      throw this.#stream.error(
        branches[200]?.condition ?? this.#stream.next,
        'more than 200 conditions follow one another',
        'use "case"',
      );
    }
    return this.#joinBranches(branches, last);
  }

  #joinBranches(
    branches: readonly { start: number; condition: Expression; then: StatementBlock }[],
    last: StatementBlock | undefined,
  ): If {
    let otherwise: If | StatementBlock | undefined = last;
    for (const { start, condition, then } of [...branches].reverse()) {
      otherwise = { kind: 'if', condition, then, otherwise, start, end: otherwise?.end ?? then.end };
    }
    if (otherwise?.kind !== 'if') throw this.#stream.unexpected('"if"');
    return otherwise;
  }

  #for(): For {
    const { start } = this.#stream.take();
    const collection = this.#expressions.parse();
    const names = this.#expressions.loopNames('"for"');
    const body = this.#block();
    return { kind: 'for', collection, names, body, start, end: body.end };
  }

  #case(): CaseStatement {
    const { start } = this.#stream.take();
    const subject = this.#stream.is('{') ? undefined : this.#expressions.parse();
    this.#stream.expect('{', 'to start the clauses of "case"');
    const clauses: CaseClause[] = [];
    for (;;) {
      this.#skipSemicolons();
      if (this.#stream.is('}')) break;
      clauses.push(this.#clause(clauses));
    }
    return { kind: 'case', subject, clauses, start, end: this.#stream.take().end };
  }

  #clause(earlier: readonly CaseClause[]): CaseClause {
    const { start } = this.#stream.next;
    let values: Expression[] | undefined;
    if (this.#stream.is('else') && earlier.some((clause) => !clause.values)) {
      throw this.#stream.error(this.#stream.next, '"case" has more than one "else"');
    }
    if (!this.#stream.takeIf('else')) {
      this.#stream.expect('when', 'or "else" to start a clause of "case"');
      values = [this.#expressions.parse()];
      while (this.#stream.takeIf(',')) values.push(this.#expressions.parse());
    }
    this.#stream.expect(':', values ? 'after the values of "when"' : 'after "else"');
    const statements = this.#statements(
      () => this.#stream.is('when') || this.#stream.is('else') || this.#stream.is('}'),
    );
    return { kind: 'clause', values, statements, start, end: this.#stream.previous.end };
  }

  #return(): Statement {
    const { start } = this.#stream.take();
    if (this.#stream.atSemicolon || this.#stream.is('}')) {
      throw this.#stream.unexpected('a value after "return"', 'write "return undefined" to return nothing');
    }
    const value = this.#expressions.parse();
    return { kind: 'return', value, start, end: value.end };
  }

  #functionDeclaration(): Statement {
    const { start } = this.#stream.take();
    const name = this.#expressions.name('the name of the function');
    const literal = this.#expressions.functionFrom(start);
    return { kind: 'function declaration', name, function: literal, start, end: literal.end };
  }

  #block(): StatementBlock {
    const { start } = this.#stream.expect('{', 'to start a block');
    const statements = this.#statements(() => {
      if (this.#stream.next.kind === 'end') {
        throw this.#stream.unexpected(`"}" to close "{" of line ${this.#stream.source.line(start)}`);
      }
      return this.#stream.is('}');
    });
    return { kind: 'block', statements, start, end: this.#stream.take().end };
  }
}

function isAssignmentOperator(text: string): text is AssignmentOperator {
  return ASSIGNMENT_OPERATORS.has(text);
}
