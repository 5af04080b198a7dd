import type { Rule } from '../ast/nodes';
import type { Span } from '../source/source-text';
import type { Value } from '../values/value';
import type { Evaluator } from './evaluator';
import type { Scope } from './scope';

/** A rule that was assigned to a variable: evaluated when it is first read, and never again. */
export class LazyRule {
  readonly name: string;
  readonly rule: Rule;
  readonly assignment: Span;
  readonly #evaluator: Evaluator;
  readonly #scope: Scope;
  #value: Value | undefined;
  #isRunning = false;

  constructor(name: string, rule: Rule, assignment: Span, evaluator: Evaluator, scope: Scope) {
    this.name = name;
    this.rule = rule;
    this.assignment = assignment;
    this.#evaluator = evaluator;
    this.#scope = scope;
  }

  value(): Value {
    if (this.#value !== undefined) return this.#value;
    if (this.#isRunning) throw this.#evaluator.fail(this.rule, `the rule "${this.name}" refers to itself`);
    this.#isRunning = true;
    this.#value = this.#evaluator.evaluateRule(this.rule, this.#scope, this);
    this.#isRunning = false;
    return this.#value;
  }
}
