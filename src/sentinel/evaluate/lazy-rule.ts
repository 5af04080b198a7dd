import type { Span } from '../source/source-text';
import type { Value } from '../values/value';

/** The evaluation of the rule behind a {@link LazyRule}. */
interface RuleEvaluation {
  evaluate(rule: LazyRule): Value;
  refersToItself(rule: LazyRule): Error;
}

/** A rule that was assigned to a variable: it is evaluated when it is first read, and only once. */
export class LazyRule {
  readonly name: string;
  readonly assignment: Span;
  readonly #evaluation: RuleEvaluation;
  #value: Value | undefined;
  #isRunning = false;

  constructor(name: string, assignment: Span, evaluation: RuleEvaluation) {
    this.name = name;
    this.assignment = assignment;
    this.#evaluation = evaluation;
  }

  value(): Value {
    if (this.#value !== undefined) return this.#value;
    if (this.#isRunning) throw this.#evaluation.refersToItself(this);
    this.#isRunning = true;
    this.#value = this.#evaluation.evaluate(this);
    this.#isRunning = false;
    return this.#value;
  }
}
