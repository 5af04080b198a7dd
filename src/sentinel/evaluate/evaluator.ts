import type { Expression, File, Statement } from '../ast/nodes';
import type { Value } from '../values/value';
import { Calls } from './calls';
import { Expressions } from './expressions';
import type { Run } from './run';
import type { Scope } from './scope';
import { Statements } from './statements';
import { TextRun } from './text-run';

/*
 * Calls in a policy nest calls in this folder, and the stack limits their depth. So the evaluation
 * of a function call uses as few calls of its own as possible.
 */

/** Evaluates one text: a policy or a module. */
export class Evaluator {
  readonly #expressions: Expressions;
  readonly #statements: Statements;

  constructor(file: File, run: Run, isTraced: boolean) {
    const text = new TextRun(file.source, run, isTraced);
    const calls = new Calls(text);
    this.#expressions = new Expressions(text, calls, () => this.#statements);
    this.#statements = new Statements(text, calls, this.#expressions);
  }

  /** Runs the statements of the file. */
  execute(statements: readonly Statement[], scope: Scope): void {
    this.#statements.execute(statements, scope);
  }

  evaluate(expression: Expression, scope: Scope): Value {
    return this.#expressions.evaluate(expression, scope);
  }
}
