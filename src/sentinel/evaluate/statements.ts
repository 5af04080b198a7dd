import type { Assignment, CaseStatement, Expression, For, If, Statement } from '../ast/nodes';
import { show } from '../values/show';
import { aType, keyOf, MapValue, typeName, type Value } from '../values/value';
import { indexValue, listIndex } from './access';
import { ScriptFunction, type FunctionCalls, type Completion, type Executor } from './calls';
import type { Expressions } from './expressions';
import { loopScope, snapshotOf } from './loops';
import { applyOperator } from './operators';
import { LazyRule, Scope } from './scope';
import type { TextRun } from './text-run';

/** Runs the statements of one text. */
export class Statements implements Executor {
  readonly #text: TextRun;
  readonly #calls: FunctionCalls;
  readonly #expressions: Expressions;

  constructor(text: TextRun, calls: FunctionCalls, expressions: Expressions) {
    this.#text = text;
    this.#calls = calls;
    this.#expressions = expressions;
  }

  /** Runs statements, and returns their result if one of them returns. */
  execute(statements: readonly Statement[], scope: Scope): Completion {
    for (const statement of statements) {
      this.#text.run.step(this.#text.source, statement);
      if (statement.kind === 'return')
        return { returned: this.#expressions.evaluate(statement.value, scope) };
      if (statement.kind === 'branch') return statement.word;
      const inner = this.#statement(statement, scope);
      if (inner === undefined) continue;
      const completion = isStatements(inner) ? this.execute(inner, scope) : inner;
      if (completion !== undefined) return completion;
    }
    return undefined;
  }

  /** Runs a statement. Returns the nested statements to run next, or the way the statement ends. */
  #statement(
    statement: Exclude<Statement, { kind: 'return' | 'branch' }>,
    scope: Scope,
  ): Completion | readonly Statement[] {
    switch (statement.kind) {
      case 'assignment':
        this.#assign(statement, scope);
        return undefined;
      case 'expression':
        this.#expressions.evaluate(statement.expression, scope);
        return undefined;
      case 'if':
        return this.#chosenBranch(statement, scope);
      case 'case':
        return this.#chosenClause(statement, scope);
      case 'for':
        return this.#for(statement, scope);
      case 'block':
        return this.execute(statement.statements, new Scope(scope));
      case 'function declaration':
        scope.declare(statement.name.name, new ScriptFunction(statement.function, scope, this));
        return undefined;
    }
  }

  #chosenBranch(first: If, scope: Scope): readonly Statement[] | undefined {
    for (let statement: If | undefined = first; statement;) {
      const condition = this.#expressions.evaluate(statement.condition, scope);
      if (typeof condition !== 'boolean') {
        const problem = `if condition must result in a boolean, got ${typeName(condition)}`;
        throw this.#text.fail(statement.condition, problem, this.#text.origin(condition));
      }
      if (condition) return statement.then.statements;
      if (statement.otherwise?.kind === 'block') return statement.otherwise.statements;
      statement = statement.otherwise;
    }
    return undefined;
  }

  #for(statement: For, scope: Scope): Completion {
    const collection = this.#expressions.evaluate(statement.collection, scope);
    for (const element of snapshotOf(collection, statement.collection, this.#text)) {
      this.#text.run.step(this.#text.source, statement);
      const inner = loopScope(statement.names, element, collection, scope);
      const completion = this.execute(statement.body.statements, inner);
      if (completion === 'break') return undefined;
      if (typeof completion === 'object') return completion;
    }
    return undefined;
  }

  #chosenClause(statement: CaseStatement, scope: Scope): readonly Statement[] | undefined {
    const subject = statement.subject ? this.#expressions.evaluate(statement.subject, scope) : true;
    for (const { values, statements } of statement.clauses) {
      for (const each of values ?? []) {
        const value = this.#expressions.evaluate(each, scope);
        if (this.#text.native(each, () => applyOperator('is', subject, value, this.#calls.caller)) === true)
          return statements;
      }
    }
    return statement.clauses.find(({ values }) => !values)?.statements;
  }

  #assign(statement: Assignment, scope: Scope): void {
    const { target, operator, value } = statement;
    if (target.kind === 'index') return this.#assignElement(statement, target.object, target.index, scope);
    if (operator === '=') {
      if (value.kind === 'rule') {
        scope.assign(target.name, new LazyRule(target.name, value, statement, scope, this.#expressions));
        return;
      }
      scope.assign(target.name, this.#expressions.evaluate(value, scope));
      return;
    }
    const before = this.#expressions.identifier(target, scope);
    scope.assign(target.name, this.#combine(statement, before, this.#expressions.evaluate(value, scope)));
  }

  #assignElement(statement: Assignment, object: Expression, index: Expression, scope: Scope): void {
    const value = this.#expressions.evaluate(statement.value, scope);
    const collection = this.#expressions.evaluate(object, scope);
    const key = this.#expressions.evaluate(index, scope);
    const combined = (before: () => Value): Value =>
      statement.operator === '=' ? value : this.#combine(statement, before(), value);
    if (Array.isArray(collection)) {
      const at = this.#text.native(index, () => listIndex(collection, key));
      if (at === undefined) throw this.#text.fail(index, `the list has no element ${show(key)}`);
      collection[at] = combined(() => indexValue(collection, key));
      return;
    }
    if (collection instanceof MapValue) {
      const entry = keyOf(key);
      if (entry === undefined) throw this.#text.fail(index, `${aType(key)} cannot be the key of a map`);
      const next = combined(() => indexValue(collection, key));
      this.#text.allocate(1, statement);
      collection.entries.set(entry, next);
      return;
    }
    throw this.#text.fail(
      object,
      `only elements of lists and maps can be assigned to, received ${typeName(collection)}`,
    );
  }

  #combine({ operator, ...span }: Assignment, before: Value, value: Value): Value {
    const applied = operator.slice(0, 1);
    if (!isArithmeticSign(applied)) return value;
    this.#text.span = span;
    return this.#text.native(span, () => applyOperator(applied, before, value, this.#calls.caller));
  }
}

function isStatements(inner: Completion | readonly Statement[]): inner is readonly Statement[] {
  return Array.isArray(inner);
}

function isArithmeticSign(sign: string): sign is '+' | '-' | '*' | '/' | '%' {
  return sign === '+' || sign === '-' || sign === '*' || sign === '/' || sign === '%';
}
