import { children } from '../ast/children';
import type { StatementBlock, CaseStatement, Expression, File, Statement } from '../ast/nodes';
import type { SentinelToken } from '../scanner/tokens';
import type { SourceText } from '../source/source-text';

/** A part of a text whose lines are indented once more. */
interface Region {
  readonly start: number;
  readonly end: number;
}

/**
 * The indentation of the lines of a text: one for each bracket, block and broken expression around
 * them.
 */
export class Indents {
  readonly #source: SourceText;
  readonly #tokens: readonly SentinelToken[];
  readonly #changes = new Map<number, number>();
  #starts: readonly number[] = [];
  #depths: readonly number[] = [];

  /** @param tokens without semicolons. */
  constructor(file: File, tokens: readonly SentinelToken[]) {
    this.#source = file.source;
    this.#tokens = tokens;
    for (const param of file.params) if (param.value) this.#expression(param.value);
    this.#statements(file.statements);
    this.#settle();
  }

  at(offset: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#depths[low - 1] ?? 0;
  }

  #add({ start, end }: Region): void {
    if (start >= end) return;
    this.#changes.set(start, (this.#changes.get(start) ?? 0) + 1);
    this.#changes.set(end, (this.#changes.get(end) ?? 0) - 1);
  }

  #settle(): void {
    const changes = [...this.#changes].sort(([a], [b]) => a - b);
    let depth = 0;
    this.#starts = changes.map(([offset]) => offset);
    this.#depths = changes.map(([, change]) => (depth += change));
  }

  #statements(statements: readonly Statement[]): void {
    for (const statement of statements) this.#statement(statement);
  }

  #statement(statement: Statement): void {
    switch (statement.kind) {
      case 'assignment':
        this.#expression(statement.target);
        this.#continued(statement.value);
        return;
      case 'expression':
        return this.#expression(statement.expression);
      case 'return':
        return this.#expression(statement.value);
      case 'if':
        this.#expression(statement.condition);
        this.#block(statement.then);
        if (statement.otherwise?.kind === 'if') this.#statement(statement.otherwise);
        else if (statement.otherwise) this.#block(statement.otherwise);
        return;
      case 'for':
        this.#expression(statement.collection);
        return this.#block(statement.body);
      case 'case':
        if (statement.subject) this.#expression(statement.subject);
        this.#clauses(statement);
        for (const clause of statement.clauses) {
          clause.values?.forEach((value) => this.#expression(value));
          const [first] = clause.statements;
          if (first) this.#add({ start: this.#afterPrevious(first.start), end: clause.end });
          this.#statements(clause.statements);
        }
        return;
      case 'block':
        return this.#block(statement);
      case 'function declaration':
        this.#parameters(
          statement.function.parameters.map(({ start }) => start),
          statement.function.body.start,
        );
        return this.#block(statement.function.body);
      case 'branch':
        return;
    }
  }

  #block({ start, end, statements }: StatementBlock): void {
    this.#add({ start: start + 1, end: end - 1 });
    this.#statements(statements);
  }

  #clauses({ clauses, end }: CaseStatement): void {
    const [first] = clauses;
    if (first) this.#add({ start: this.#afterPrevious(first.start), end: end - 1 });
  }

  /** Indents a value that starts on the line after its introduction. */
  #continued(value: Expression): void {
    const start = this.#afterPrevious(value.start);
    if (this.#source.line(start - 1) !== this.#source.line(value.start)) this.#add({ start, end: value.end });
    this.#expression(value);
  }

  #expression(expression: Expression, isRuleBody = false): void {
    switch (expression.kind) {
      case 'binary':
        return this.#binary(expression, isRuleBody);
      case 'list':
        this.#elements(
          expression.elements.map(({ start }) => start),
          expression.start,
          expression.end,
        );
        break;
      case 'map':
        this.#elements(
          expression.entries.map(({ key }) => key.start),
          expression.start,
          expression.end,
        );
        for (const { value } of expression.entries) this.#continuedEntry(value);
        break;
      case 'call':
        this.#elements(
          expression.arguments.map(({ start }) => start),
          expression.callee.end,
          expression.end,
        );
        break;
      case 'function':
        this.#parameters(
          expression.parameters.map(({ start }) => start),
          expression.body.start,
        );
        return this.#block(expression.body);
      case 'rule':
        if (expression.when) this.#expression(expression.when);
        this.#add({ start: this.#afterPrevious(expression.body.start), end: expression.end - 1 });
        return this.#expression(expression.body, true);
      case 'quantifier':
        this.#add({ start: this.#afterPrevious(expression.body.start), end: expression.end - 1 });
        break;
      case 'group':
        this.#elements([expression.expression.start], expression.start, expression.end);
        break;
      case 'selector':
        this.#selectors(expression);
        break;
      default:
        break;
    }
    for (const part of children(expression)) this.#expression(part);
  }

  /**
   * Indents the operands from the first one that starts a line. In a rule they are not indented
   * again, because the lines of the body already are.
   */
  #binary(root: Extract<Expression, { kind: 'binary' }>, isRuleBody: boolean): void {
    const operands: Expression[] = [];
    const waiting: Expression[] = [root];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (next.kind === 'binary') waiting.push(next.right, next.left);
      else operands.push(next);
    }
    const broken = operands.slice(1).find(({ start }) => this.#startsLine(start));
    if (broken && !isRuleBody) this.#add({ start: this.#afterPrevious(broken.start), end: root.end });
    for (const operand of operands) this.#expression(operand);
  }

  /** Indents the elements from the first one that starts a line. */
  #elements(starts: readonly number[], opener: number, end: number): void {
    const broken = starts.find((start) => this.#startsLine(start));
    if (broken !== undefined) this.#add({ start: this.#afterPrevious(broken), end: end - 1 });
    else if (starts.length === 0) this.#add({ start: opener + 1, end: end - 1 });
  }

  #parameters(starts: readonly number[], end: number): void {
    const broken = starts.find((start) => this.#startsLine(start));
    if (broken !== undefined)
      this.#add({ start: this.#afterPrevious(broken), end: this.#afterPrevious(end) - 1 });
  }

  #continuedEntry(value: Expression): void {
    if (this.#startsLine(value.start)) this.#add({ start: this.#afterPrevious(value.start), end: value.end });
  }

  /** Indents names after a dot that are on lines of their own. */
  #selectors(selector: Extract<Expression, { kind: 'selector' }>): void {
    if (this.#startsLine(selector.name.start)) {
      this.#add({ start: this.#afterPrevious(selector.name.start), end: selector.name.end });
    }
  }

  #startsLine(offset: number): boolean {
    return this.#source.line(this.#afterPrevious(offset) - 1) !== this.#source.line(offset);
  }

  /** Returns the offset after the previous token. */
  #afterPrevious(offset: number): number {
    let low = 0;
    let high = this.#tokens.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tokens[middle]?.end ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#tokens[low - 1]?.end ?? 0;
  }
}
