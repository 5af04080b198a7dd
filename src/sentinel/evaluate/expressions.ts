import type {
  Binary,
  CallExpression,
  Expression,
  Identifier,
  Index,
  ListLiteral,
  MapLiteral,
  Quantifier,
  RuleExpression,
  Slice,
  Unary,
} from '../ast/nodes';
import type { SentinelRuntimeError } from '../source/errors';
import { ImportNamespace } from '../imports/import-namespace';
import { nearWord } from '../source/near-words';
import {
  aType,
  Closure,
  keyOf,
  MapValue,
  NativeFault,
  NativeFunction,
  typeName,
  Undefined,
  type Key,
  type Value,
} from '../values/value';
import { indexValue, selectValue, sliceValue } from './access';
import { ScriptFunction, type FunctionCalls, type Executor } from './calls';
import { applyLogic, asTruth, chain, decidedByLeft } from './logic';
import { elementsOf, loopScope, sizeOf, type Element } from './loops';
import { applyOperator, type StrictOperator } from './operators';
import { type Binding, LazyRule, type Scope } from './scope';
import type { TextRun } from './text-run';

/** Evaluates the expressions of one text. */
export class Expressions {
  readonly #text: TextRun;
  readonly #calls: FunctionCalls;
  /** Runs the bodies of functions, which evaluate expressions in turn. */
  readonly #executor: () => Executor;

  constructor(text: TextRun, calls: FunctionCalls, executor: () => Executor) {
    this.#text = text;
    this.#calls = calls;
    this.#executor = executor;
  }

  evaluate(outer: Expression, scope: Scope): Value {
    let expression = outer;
    while (expression.kind === 'group') expression = expression.expression;
    const { run, source } = this.#text;
    run.step(source, expression);
    let value: Value;
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'identifier':
        return this.identifier(expression, scope);
      case 'binary':
        run.enter(source, expression);
        value = this.#binary(expression, scope);
        break;
      case 'call':
        run.enter(source, expression);
        value = this.#call(expression, scope);
        break;
      default:
        run.enter(source, expression);
        value = this.#other(expression, scope);
    }
    run.leave();
    return value instanceof Undefined && !value.source ? new Undefined(source, expression) : value;
  }

  #other(
    expression: Exclude<Expression, { kind: 'literal' | 'identifier' | 'group' | 'binary' | 'call' }>,
    scope: Scope,
  ): Value {
    switch (expression.kind) {
      case 'selector':
        return this.#selector(expression.object, expression.name, scope);
      case 'index':
        return this.#index(expression, scope);
      case 'unary':
        return this.#unary(expression, scope);
      case 'test':
        return this.#test(this.evaluate(expression.operand, scope), expression);
      case 'list':
        return this.#list(expression, scope);
      case 'map':
        return this.#map(expression, scope);
      case 'function':
        return new ScriptFunction(expression, scope, this.#executor());
      case 'rule':
        return this.#rule(expression, scope, undefined);
      case 'quantifier':
        return this.#quantifier(expression, scope);
      case 'slice':
        return this.#slice(expression, scope);
    }
  }

  #list(expression: ListLiteral, scope: Scope): Value {
    this.#text.allocate(expression.elements.length, expression);
    const elements: Value[] = [];
    for (const element of expression.elements) elements.push(this.evaluate(element, scope));
    return elements;
  }

  #map(expression: MapLiteral, scope: Scope): Value {
    this.#text.allocate(expression.entries.length, expression);
    const map = new MapValue();
    for (const { key, value } of expression.entries) {
      const entry = this.#key(key, scope);
      map.entries.set(entry, this.evaluate(value, scope));
    }
    return map;
  }

  #index(expression: Index, scope: Scope): Value {
    const object = this.evaluate(expression.object, scope);
    const index = this.evaluate(expression.index, scope);
    return this.#text.native(expression, () => indexValue(object, index));
  }

  #slice(expression: Slice, scope: Scope): Value {
    const object = this.evaluate(expression.object, scope);
    const from = expression.from && this.evaluate(expression.from, scope);
    const to = expression.to && this.evaluate(expression.to, scope);
    const part = this.#text.native(expression, () => sliceValue(object, from, to));
    if (typeof part === 'string' || Array.isArray(part)) this.#text.allocate(part.length, expression);
    return part;
  }

  #key(expression: Expression, scope: Scope): Key {
    const value = this.evaluate(expression, scope);
    const key = keyOf(value);
    if (key !== undefined) return key;
    throw this.#text.fail(expression, `${aType(value)} cannot be the key of a map`, this.#text.origin(value));
  }

  identifier(identifier: Identifier, scope: Scope): Value {
    return this.#valueOf(scope.find(identifier.name), identifier, scope);
  }

  #valueOf(binding: Binding | undefined, identifier: Identifier, scope: Scope): Value {
    if (binding === undefined) throw this.#unknown(identifier, scope);
    if (binding instanceof LazyRule) return binding.value();
    if (!(binding instanceof ImportNamespace)) {
      return binding instanceof Undefined && !binding.source
        ? new Undefined(this.#text.source, identifier)
        : binding;
    }
    const whole = binding.whole();
    if (whole !== undefined) return whole;
    throw this.#text.fail(
      identifier,
      `the import "${binding.name}" is not a value`,
      `read a member: ${identifier.name}.NAME`,
    );
  }

  #unknown(identifier: Identifier, scope: Scope): SentinelRuntimeError {
    const near = nearWord(identifier.name, scope.names());
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    return this.#text.fail(identifier, `unknown identifier accessed: ${identifier.name}`, hint);
  }

  #selector(object: Expression, name: Identifier, scope: Scope): Value {
    let value: Value;
    if (object.kind === 'identifier') {
      const binding = scope.find(object.name);
      if (binding instanceof ImportNamespace) {
        this.#text.span = name;
        const member = this.#text.native(name, () => binding.member(name.name));
        return member === undefined ? new Undefined(this.#text.source, name) : member;
      }
      this.#text.run.step(this.#text.source, object);
      value = this.#valueOf(binding, object, scope);
    } else {
      value = this.evaluate(object, scope);
    }
    const selected = selectValue(value, name.name);
    if (selected !== undefined) return selected;
    throw this.#text.fail(name, `${aType(value)} has no keys: ".${name.name}" cannot be read`);
  }

  #call(call: CallExpression, scope: Scope): Value {
    const callee = this.evaluate(call.callee, scope);
    if (callee instanceof Undefined) return callee;
    const args: Value[] = [];
    for (const argument of call.arguments) args.push(this.evaluate(argument, scope));
    if (callee instanceof NativeFunction || callee instanceof ScriptFunction)
      return this.#calls.callWith(callee, args, call);
    throw this.#text.fail(call.callee, `${aType(callee)} cannot be called`);
  }

  /**
   * Evaluates a binary operator. Long chains of operators nest on the left, so they are walked
   * through without nested calls.
   */
  #binary(expression: Binary, scope: Scope): Value {
    const chain: Binary[] = [expression];
    let first = expression.left;
    while (first.kind === 'binary') {
      chain.push(first);
      first = first.left;
    }
    let value = this.evaluate(first, scope);
    for (let at = chain.length - 1; at >= 0; at--) {
      const link = chain[at];
      if (!link) continue;
      this.#text.run.step(this.#text.source, link);
      const decided = decidedByLeft(link.operator, value);
      value = decided === undefined ? this.#apply(link, value, this.evaluate(link.right, scope)) : decided;
      if (value instanceof Undefined && !value.source) value = new Undefined(this.#text.source, link);
    }
    return value;
  }

  #apply(binary: Binary, left: Value, right: Value): Value {
    const { operator } = binary;
    switch (operator) {
      case 'else':
        return right;
      case 'and':
      case 'or':
      case 'xor':
        return applyLogic(operator, asTruth(left), asTruth(right));
      default:
        return this.#strict(operator, binary, left, right);
    }
  }

  #strict(operator: StrictOperator, binary: Binary, left: Value, right: Value): Value {
    try {
      this.#text.span = binary.operatorSpan;
      const value = applyOperator(operator, left, right, this.#calls.caller);
      return binary.negated && typeof value === 'boolean' ? !value : value;
    } catch (error) {
      if (!(error instanceof NativeFault)) throw error;
      throw this.#text.fail(binary.operatorSpan, error.message);
    }
  }

  #unary(expression: Unary, scope: Scope): Value {
    const value = this.evaluate(expression.operand, scope);
    if (value instanceof Undefined) return value;
    if (expression.operator === 'not')
      return typeof value === 'boolean' ? !value : new Undefined(this.#text.source, expression);
    if (typeof value === 'bigint') return expression.operator === '-' ? BigInt.asIntN(64, -value) : value;
    if (typeof value === 'number') return expression.operator === '-' ? -value : value;
    throw this.#text.fail(expression, `"${expression.operator}" cannot be applied to ${typeName(value)}`);
  }

  #test(value: Value, { test, negated, ...span }: Extract<Expression, { kind: 'test' }>): Value {
    if (test === 'defined') return value instanceof Undefined === negated;
    if (value instanceof Undefined) return value;
    const size = sizeOf(value);
    if (size === undefined) {
      throw this.#text.fail(
        span,
        `"is empty" requires a list, a map or a string, received ${typeName(value)}`,
      );
    }
    return (size === 0) !== negated;
  }

  evaluateRule(lazy: LazyRule): Value {
    return this.#rule(lazy.rule, lazy.scope, lazy);
  }

  refersToItself({ name, rule }: LazyRule): SentinelRuntimeError {
    return this.#text.fail(rule, `the rule "${name}" refers to itself`);
  }

  /**
   * Returns the value of a rule. If `traced`, the rule appears in the trace unless its condition
   * skips it.
   */
  #rule(rule: RuleExpression, scope: Scope, traced: LazyRule | undefined): Value {
    if (rule.when) {
      const condition = asTruth(this.evaluate(rule.when, scope));
      if (condition === false) return true;
      if (condition !== true) return this.#trace(traced, new Undefined(this.#text.source, rule.when));
    }
    const value = this.evaluate(rule.body, scope);
    if (value instanceof NativeFunction || value instanceof Closure) {
      throw this.#text.fail(rule.body, `a rule cannot result in ${aType(value)}`);
    }
    return this.#trace(traced, value);
  }

  #trace(traced: LazyRule | undefined, value: Value): Value {
    if (traced && this.#text.isTraced) this.#text.run.evaluated.push(traced);
    return value;
  }

  #quantifier(expression: Quantifier, scope: Scope): Value {
    const collection = this.evaluate(expression.collection, scope);
    const elements = elementsOf(collection, expression.collection, this.#text);
    this.#text.allocate(elements.length, expression);
    const bodyOf = (element: Element): Value =>
      this.evaluate(expression.body, loopScope(expression.names, element, collection, scope));
    switch (expression.word) {
      case 'map':
        return elements.map(bodyOf);
      case 'filter': {
        const kept: Element[] = [];
        for (const element of elements) {
          const truth = asTruth(bodyOf(element));
          if (typeof truth !== 'boolean') return truth;
          if (truth) kept.push(element);
        }
        if (Array.isArray(collection)) return kept.map(([, value]) => value);
        return new MapValue(kept.map(([key, value]): [Key, Value] => [keyOf(key) ?? '', value]));
      }
      case 'any':
        return chain(elements, bodyOf, true);
      case 'all':
        return chain(elements, bodyOf, false);
    }
  }
}
