import type { RuleExpression } from '../ast/nodes';
import type { Span } from '../source/source-text';
import type { Value } from '../values/value';
import type { Scope } from './scope';

/** Evaluates the rules of one text. */
interface RuleEvaluation {
  /** Returns the value of a rule, which the trace shows. */
  evaluateRule(rule: LazyRule): Value;
  refersToItself(rule: LazyRule): Error;
}

/** A rule that was assigned to a variable: it is evaluated when it is first read, and only once. */
export class LazyRule {
  readonly name: string;
  readonly assignment: Span;
  readonly rule: RuleExpression;
  readonly scope: Scope;
  readonly #evaluation: RuleEvaluation;
  #value: Value | undefined;
  #isRunning = false;

  constructor(
    name: string,
    assignment: Span,
    rule: RuleExpression,
    scope: Scope,
    evaluation: RuleEvaluation,
  ) {
    this.name = name;
    this.assignment = assignment;
    this.rule = rule;
    this.scope = scope;
    this.#evaluation = evaluation;
  }

  value(): Value {
    if (this.#value !== undefined) return this.#value;
    if (this.#isRunning) throw this.#evaluation.refersToItself(this);
    this.#isRunning = true;
    this.#value = this.#evaluation.evaluateRule(this);
    this.#isRunning = false;
    return this.#value;
  }
}
