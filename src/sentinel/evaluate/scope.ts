import type { RuleExpression } from '../ast/nodes';
import type { ImportNamespace } from '../imports/import-namespace';
import type { Span } from '../source/source-text';
import type { Value } from '../values/value';

/** The value of a name: a value, a rule that is not evaluated yet, or an import. */
export type Binding = Value | LazyRule | ImportNamespace;

/** A scope: its names with their values, and the enclosing scope. */
export class Scope {
  readonly #parent: Scope | undefined;
  readonly #bindings = new Map<string, Binding>();
  /**
   * Whether an assignment to a name of this scope creates a new variable in the scope of the
   * assignment.
   */
  readonly #isFixed: boolean;

  constructor(parent?: Scope, isFixed = false) {
    this.#parent = parent;
    this.#isFixed = isFixed;
  }

  find(name: string): Binding | undefined {
    for (let scope: Scope | undefined = this.#self(); scope; scope = scope.#parent) {
      const binding = scope.#bindings.get(name);
      if (binding !== undefined) return binding;
    }
    return undefined;
  }

  /** Sets the nearest variable of a name, or creates one in this scope. */
  assign(name: string, binding: Binding): void {
    for (let scope: Scope | undefined = this.#self(); scope; scope = scope.#parent) {
      if (scope.#isFixed || !scope.#bindings.has(name)) continue;
      scope.#bindings.set(name, binding);
      return;
    }
    this.#bindings.set(name, binding);
  }

  declare(name: string, binding: Binding): void {
    this.#bindings.set(name, binding);
  }

  /** Returns a variable of this scope, not of an enclosing one. */
  own(name: string): Binding | undefined {
    return this.#bindings.get(name);
  }

  ownNames(): Iterable<string> {
    return this.#bindings.keys();
  }

  *names(): Generator<string> {
    for (let scope: Scope | undefined = this.#self(); scope; scope = scope.#parent)
      yield* scope.#bindings.keys();
  }

  #self(): Scope {
    return this;
  }
}

/** Evaluates the rules of one text. */
interface RuleEvaluation {
  /** Returns the value of a rule that was assigned to a variable. */
  evaluateRule(rule: LazyRule): Value;
  refersToItself(rule: LazyRule): Error;
}

/** A rule that was assigned to a variable: it is evaluated when it is first read, and only once. */
export class LazyRule {
  readonly name: string;
  readonly rule: RuleExpression;
  /** The position of the assignment. */
  readonly span: Span;
  readonly scope: Scope;
  readonly #evaluation: RuleEvaluation;
  #value: Value | undefined;
  #isRunning = false;

  constructor(name: string, rule: RuleExpression, span: Span, scope: Scope, evaluation: RuleEvaluation) {
    this.name = name;
    this.rule = rule;
    this.span = span;
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
