import type {
  Assignment,
  Binary,
  BinaryOperator,
  Call,
  Case,
  Expression,
  File,
  For,
  FunctionLiteral,
  Identifier,
  If,
  Index,
  List as ListLiteral,
  MapLiteral,
  Quantifier,
  Rule,
  Slice,
  Statement,
  Unary,
} from '../ast/nodes';
import { SentinelError, type SentinelRuntimeError } from '../errors';
import { Namespace } from '../imports/namespace';
import { nearWord } from '../source/near-words';
import type { SourceText, Span } from '../source/source-text';
import { show } from '../values/show';
import { lookAt } from '../values/walks';
import {
  aType,
  Closure,
  keyOf,
  MapValue,
  NativeFault,
  NativeFunction,
  orUndefined,
  typeName,
  Undefined,
  type Callable,
  type Caller,
  type Key,
  type Value,
} from '../values/value';
import { indexValue, listIndex, selectValue, sliceValue } from './access';
import { LazyRule } from './lazy-rule';
import { applyOperator, type StrictOperator } from './operators';
import type { Run } from './run';
import { Scope } from './scope';

/** How a statement ends: `undefined` if the next one follows. */
type Completion = 'break' | 'continue' | { readonly returned: Value } | undefined;

/** A function that is written in Sentinel, with the scope that it was written in. */
class ScriptFunction extends Closure {
  readonly literal: FunctionLiteral;
  readonly scope: Scope;
  readonly evaluator: Evaluator;

  constructor(literal: FunctionLiteral, scope: Scope, evaluator: Evaluator) {
    super();
    this.literal = literal;
    this.scope = scope;
    this.evaluator = evaluator;
  }

  override get parameterCount(): number {
    return this.literal.parameters.length;
  }
}

/** Evaluates one text: a policy or a module. */
export class Evaluator {
  readonly run: Run;
  readonly #source: SourceText;
  readonly #isTraced: boolean;
  /** What is being called, for what calls need to know: the place. */
  #span: Span = { start: 0, end: 0 };
  readonly #caller: Caller;

  constructor(file: File, run: Run, isTraced: boolean) {
    this.#source = file.source;
    this.run = run;
    this.#isTraced = isTraced;
    this.#caller = {
      allocate: (size) => run.allocate(size, this.#source, this.#span),
      call: (callee, args, lenient) => this.#callWith(callee, args, this.#span, lenient),
      print: (text) => run.print(text, this.#source, this.#span),
      now: run.now,
    };
  }

  fail(span: Span, problem: string, hint?: string): SentinelRuntimeError {
    return this.run.fail(this.#source, span, problem, hint);
  }

  /*
   * Calls nest as the policy's do, and the stack is what bounds them: what takes part in a call of a function does so
   * with as few calls of its own as can be.
   */

  /** Runs statements; what they return, if they do. */
  execute(statements: readonly Statement[], scope: Scope): Completion {
    for (const statement of statements) {
      this.run.step(this.#source, statement);
      if (statement.kind === 'return') return { returned: this.evaluate(statement.value, scope) };
      if (statement.kind === 'branch') return statement.word;
      const inner = this.#statement(statement, scope);
      if (inner === undefined) continue;
      const completion = isStatements(inner) ? this.execute(inner, scope) : inner;
      if (completion !== undefined) return completion;
    }
    return undefined;
  }

  /** Runs a statement. Gives the statements in it that are chosen to run next, or how it ends. */
  #statement(
    statement: Exclude<Statement, { kind: 'return' | 'branch' }>,
    scope: Scope,
  ): Completion | readonly Statement[] {
    switch (statement.kind) {
      case 'assignment':
        this.#assign(statement, scope);
        return undefined;
      case 'expression':
        this.evaluate(statement.expression, scope);
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
      const condition = this.evaluate(statement.condition, scope);
      if (typeof condition !== 'boolean') {
        const problem = `if condition must result in a boolean, got ${typeName(condition)}`;
        throw this.fail(statement.condition, problem, this.#origin(condition));
      }
      if (condition) return statement.then.statements;
      if (statement.otherwise?.kind === 'block') return statement.otherwise.statements;
      statement = statement.otherwise;
    }
    return undefined;
  }

  #for(statement: For, scope: Scope): Completion {
    const collection = this.evaluate(statement.collection, scope);
    for (const [key, value] of this.#snapshot(collection, statement.collection)) {
      this.run.step(this.#source, statement);
      const inner = this.#loopScope(statement.names, key, value, collection, scope);
      const completion = this.execute(statement.body.statements, inner);
      if (completion === 'break') return undefined;
      if (typeof completion === 'object') return completion;
    }
    return undefined;
  }

  /** Keys and values as they are now, so that a loop's body may change what it walks through; it may end early. */
  #snapshot(collection: Value, span: Span): Iterable<readonly [Value, Value]> {
    this.run.work(sizeOf(collection) ?? 0, this.#source, span);
    return Array.isArray(collection) ? numbered([...collection]) : this.#elements(collection, span);
  }

  /** Keys and values. */
  #elements(collection: Value, span: Span): readonly (readonly [Value, Value])[] {
    if (Array.isArray(collection)) return collection.map((value, index) => [BigInt(index), value]);
    if (collection instanceof MapValue) {
      this.run.work(16 * collection.size, this.#source, span);
      return [...collection.entries];
    }
    throw this.fail(span, `unsupported type for looping: ${typeName(collection)}`, this.#origin(collection));
  }

  /** One name is a list's value or a map's key; two are index or key, and value. */
  #loopScope(
    names: readonly Identifier[],
    key: Value,
    value: Value,
    collection: Value,
    parent: Scope,
  ): Scope {
    const scope = new Scope(parent);
    const [first, second] = names;
    if (!first) return scope;
    if (second) {
      scope.declare(first.name, key);
      scope.declare(second.name, value);
    } else {
      scope.declare(first.name, Array.isArray(collection) ? value : key);
    }
    return scope;
  }

  #chosenClause(statement: Case, scope: Scope): readonly Statement[] | undefined {
    const subject = statement.subject ? this.evaluate(statement.subject, scope) : true;
    for (const { values, statements } of statement.clauses) {
      for (const each of values ?? []) {
        const value = this.evaluate(each, scope);
        if (this.#native(each, () => applyOperator('is', subject, value, this.#caller)) === true)
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
        scope.assign(target.name, this.#lazyRule(target.name, value, statement, scope));
        return;
      }
      scope.assign(target.name, this.evaluate(value, scope));
      return;
    }
    const before = this.#identifier(target, scope);
    scope.assign(target.name, this.#combine(statement, before, this.evaluate(value, scope)));
  }

  #assignElement(statement: Assignment, object: Expression, index: Expression, scope: Scope): void {
    const value = this.evaluate(statement.value, scope);
    const collection = this.evaluate(object, scope);
    const key = this.evaluate(index, scope);
    const combined = (before: () => Value): Value =>
      statement.operator === '=' ? value : this.#combine(statement, before(), value);
    if (Array.isArray(collection)) {
      const at = this.#native(index, () => listIndex(collection, key));
      if (at === undefined) throw this.fail(index, `the list has no element ${show(key)}`);
      collection[at] = combined(() => indexValue(collection, key));
      return;
    }
    if (collection instanceof MapValue) {
      const entry = keyOf(key);
      if (entry === undefined) throw this.fail(index, `${aType(key)} cannot be the key of a map`);
      const next = combined(() => indexValue(collection, key));
      this.run.allocate(1, this.#source, statement);
      collection.entries.set(entry, next);
      return;
    }
    throw this.fail(
      object,
      `only elements of lists and maps can be assigned to, received ${typeName(collection)}`,
    );
  }

  #combine({ operator, ...span }: Assignment, before: Value, value: Value): Value {
    const applied = operator.slice(0, 1);
    if (!isArithmeticSign(applied)) return value;
    this.#span = span;
    return this.#native(span, () => applyOperator(applied, before, value, this.#caller));
  }

  evaluate(outer: Expression, scope: Scope): Value {
    let expression = outer;
    while (expression.kind === 'group') expression = expression.expression;
    this.run.step(this.#source, expression);
    if (expression.kind === 'literal') return expression.value;
    if (expression.kind === 'identifier') return this.#identifier(expression, scope);
    this.run.enter(this.#source, expression);
    const value =
      expression.kind === 'binary'
        ? this.#binary(expression, scope)
        : expression.kind === 'call'
          ? this.#call(expression, scope)
          : this.#other(expression, scope);
    this.run.leave();
    return value instanceof Undefined && !value.source ? new Undefined(this.#source, expression) : value;
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
        return new ScriptFunction(expression, scope, this);
      case 'rule':
        return this.#rule(expression, scope, undefined);
      case 'quantifier':
        return this.#quantifier(expression, scope);
      case 'slice':
        return this.#slice(expression, scope);
    }
  }

  #list(expression: ListLiteral, scope: Scope): Value {
    this.run.allocate(expression.elements.length, this.#source, expression);
    const elements: Value[] = [];
    for (const element of expression.elements) elements.push(this.evaluate(element, scope));
    return elements;
  }

  #map(expression: MapLiteral, scope: Scope): Value {
    this.run.allocate(expression.entries.length, this.#source, expression);
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
    return this.#native(expression, () => indexValue(object, index));
  }

  #slice(expression: Slice, scope: Scope): Value {
    const object = this.evaluate(expression.object, scope);
    const from = expression.from && this.evaluate(expression.from, scope);
    const to = expression.to && this.evaluate(expression.to, scope);
    const part = this.#native(expression, () => sliceValue(object, from, to));
    if (typeof part === 'string' || Array.isArray(part))
      this.run.allocate(part.length, this.#source, expression);
    return part;
  }

  #key(expression: Expression, scope: Scope): Key {
    const value = this.evaluate(expression, scope);
    const key = keyOf(value);
    if (key !== undefined) return key;
    throw this.fail(expression, `${aType(value)} cannot be the key of a map`, this.#origin(value));
  }

  #identifier(identifier: Identifier, scope: Scope): Value {
    const binding = scope.find(identifier.name);
    if (binding === undefined) throw this.#unknown(identifier, scope);
    if (binding instanceof LazyRule) return binding.value();
    if (!(binding instanceof Namespace)) {
      return binding instanceof Undefined && !binding.source
        ? new Undefined(this.#source, identifier)
        : binding;
    }
    const whole = binding.whole();
    if (whole !== undefined) return whole;
    throw this.fail(
      identifier,
      `the import "${binding.name}" is not a value`,
      `read a member: ${identifier.name}.NAME`,
    );
  }

  #unknown(identifier: Identifier, scope: Scope): SentinelRuntimeError {
    const near = nearWord(identifier.name, scope.names());
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    return this.fail(identifier, `unknown identifier accessed: ${identifier.name}`, hint);
  }

  #selector(object: Expression, name: Identifier, scope: Scope): Value {
    if (object.kind === 'identifier') {
      const binding = scope.find(object.name);
      if (binding instanceof Namespace) {
        this.#span = name;
        const member = this.#native(name, () => binding.member(name.name));
        return member === undefined ? new Undefined(this.#source, name) : member;
      }
    }
    const value = this.evaluate(object, scope);
    return this.#native(name, () => selectValue(value, name.name));
  }

  #call(call: Call, scope: Scope): Value {
    const callee = this.evaluate(call.callee, scope);
    if (callee instanceof Undefined) return callee;
    const args: Value[] = [];
    for (const argument of call.arguments) args.push(this.evaluate(argument, scope));
    if (callee instanceof NativeFunction || callee instanceof ScriptFunction)
      return this.#callWith(callee, args, call);
    throw this.fail(call.callee, `${aType(callee)} cannot be called`);
  }

  #callWith(callee: Callable, args: readonly Value[], span: Span, lenient = false): Value {
    if (callee instanceof NativeFunction) return this.#callNative(callee, args, span);
    if (!(callee instanceof ScriptFunction)) throw this.fail(span, 'the function cannot be called');
    const { parameters } = callee.literal;
    if (args.length < parameters.length || (args.length > parameters.length && !lenient)) {
      throw this.fail(
        span,
        `the function has ${count(parameters.length, 'parameter')}, received ${count(args.length, 'argument')}`,
      );
    }
    this.run.enterCall(this.#source, span);
    const scope = new Scope(callee.scope);
    for (let index = 0; index < parameters.length; index++) {
      scope.declare(parameters[index]?.name ?? '', orUndefined(args[index]));
    }
    const completion = callee.evaluator.execute(callee.literal.body.statements, scope);
    this.run.leaveCall();
    return typeof completion === 'object' ? completion.returned : new Undefined(this.#source, span);
  }

  #callNative(callee: NativeFunction, args: readonly Value[], span: Span): Value {
    if (args.length < callee.fewest || args.length > callee.most) {
      const { fewest, most } = callee;
      const takes =
        fewest === most
          ? count(fewest, 'argument')
          : most === Infinity
            ? `${fewest} or more arguments`
            : `${fewest} to ${most} arguments`;
      throw this.fail(span, `${callee.name} takes ${takes}, received ${args.length}`);
    }
    const before = this.#span;
    this.#span = span;
    const value = this.#native(span, () => {
      for (const argument of args) if (typeof argument === 'string') lookAt(argument.length);
      return callee.run(args, this.#caller);
    });
    this.#span = before;
    return value;
  }

  /** Runs what is not written in Sentinel, and gives its faults their place. */
  #native<T>(span: Span, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof SentinelError || !(error instanceof NativeFault)) throw error;
      throw this.fail(span, error.message);
    }
  }

  /** Long chains of operators nest on the left: walked through without nesting calls. */
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
      this.run.step(this.#source, link);
      const decided = decidedByLeft(link.operator, value);
      value = decided === undefined ? this.#apply(link, value, this.evaluate(link.right, scope)) : decided;
      if (value instanceof Undefined && !value.source) value = new Undefined(this.#source, link);
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
      this.#span = binary.operatorSpan;
      const value = applyOperator(operator, left, right, this.#caller);
      return binary.negated && typeof value === 'boolean' ? !value : value;
    } catch (error) {
      if (!(error instanceof NativeFault)) throw error;
      throw this.fail(binary.operatorSpan, error.message);
    }
  }

  #unary(expression: Unary, scope: Scope): Value {
    const value = this.evaluate(expression.operand, scope);
    if (value instanceof Undefined) return value;
    if (expression.operator === 'not')
      return typeof value === 'boolean' ? !value : new Undefined(this.#source, expression);
    if (typeof value === 'bigint') return expression.operator === '-' ? BigInt.asIntN(64, -value) : value;
    if (typeof value === 'number') return expression.operator === '-' ? -value : value;
    throw this.fail(expression, `"${expression.operator}" cannot be applied to ${typeName(value)}`);
  }

  #test(value: Value, { test, negated, ...span }: Extract<Expression, { kind: 'test' }>): Value {
    if (test === 'defined') return value instanceof Undefined === negated;
    if (value instanceof Undefined) return value;
    const size = sizeOf(value);
    if (size === undefined) {
      throw this.fail(span, `"is empty" requires a list, a map or a string, received ${typeName(value)}`);
    }
    return (size === 0) !== negated;
  }

  #lazyRule(name: string, rule: Rule, assignment: Span, scope: Scope): LazyRule {
    return new LazyRule(name, assignment, {
      evaluate: (lazy) => this.#rule(rule, scope, lazy),
      refersToItself: () => this.fail(rule, `the rule "${name}" refers to itself`),
    });
  }

  /** A rule's value. If `traced`, it is named in the trace, unless its condition skips it. */
  #rule(rule: Rule, scope: Scope, traced: LazyRule | undefined): Value {
    if (rule.when) {
      const condition = asTruth(this.evaluate(rule.when, scope));
      if (condition === false) return true;
      if (condition !== true) return this.#trace(traced, new Undefined(this.#source, rule.when));
    }
    const value = this.evaluate(rule.body, scope);
    if (value instanceof NativeFunction || value instanceof Closure) {
      throw this.fail(rule.body, `a rule cannot result in ${aType(value)}`);
    }
    return this.#trace(traced, value);
  }

  #trace(traced: LazyRule | undefined, value: Value): Value {
    if (traced && this.#isTraced) {
      const { name, assignment } = traced;
      this.run.rules.set(name, { name, source: this.#source, span: assignment, value });
    }
    return value;
  }

  #quantifier(expression: Quantifier, scope: Scope): Value {
    const collection = this.evaluate(expression.collection, scope);
    const elements = this.#elements(collection, expression.collection);
    this.run.allocate(elements.length, this.#source, expression);
    const bodyOf = ([key, value]: readonly [Value, Value]): Value =>
      this.evaluate(expression.body, this.#loopScope(expression.names, key, value, collection, scope));
    switch (expression.word) {
      case 'map':
        return elements.map(bodyOf);
      case 'filter': {
        const kept: (readonly [Value, Value])[] = [];
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

  #origin(value: Value): string | undefined {
    if (!(value instanceof Undefined) || value.place === undefined) return undefined;
    return `the value became undefined at ${value.place}`;
  }
}

function* numbered(list: readonly Value[]): Generator<readonly [Value, Value]> {
  let index = 0n;
  for (const value of list) yield [index++, value];
}

/** `or` or `and` over elements: `decisive` ends it. */
function chain<T>(elements: readonly T[], bodyOf: (element: T) => Value, decisive: boolean): Value {
  let undecided: Value | undefined;
  for (const element of elements) {
    const truth = asTruth(bodyOf(element));
    if (truth === decisive) {
      if (decisive || undecided === undefined) return decisive;
    } else if (typeof truth !== 'boolean') {
      undecided ??= truth;
    }
  }
  return undecided ?? !decisive;
}

function isStatements(inner: Completion | readonly Statement[]): inner is readonly Statement[] {
  return Array.isArray(inner);
}

/** The result of an operator that does not read its right side; `undefined` if it does. */
function decidedByLeft(operator: BinaryOperator, left: Value): Value | undefined {
  switch (operator) {
    case 'else':
      return left instanceof Undefined ? undefined : left;
    case 'and':
      return left === false ? false : undefined;
    case 'or':
      return left === true ? true : undefined;
    default:
      return undefined;
  }
}

/** An undefined left side stays undefined, but for `or true`. */
function applyLogic(
  operator: 'and' | 'or' | 'xor',
  left: boolean | Undefined,
  right: boolean | Undefined,
): boolean | Undefined {
  if (operator === 'or' && right === true) return true;
  if (typeof left !== 'boolean') return left;
  if (typeof right !== 'boolean') return right;
  return operator === 'xor' ? left !== right : right;
}

/** A value in the place of a boolean: what is no boolean is undefined. */
function asTruth(value: Value): boolean | Undefined {
  return typeof value === 'boolean' || value instanceof Undefined ? value : new Undefined();
}

function sizeOf(value: Value): number | undefined {
  if (typeof value === 'string' || Array.isArray(value)) return value.length;
  return value instanceof MapValue ? value.size : undefined;
}

function isArithmeticSign(sign: string): sign is '+' | '-' | '*' | '/' | '%' {
  return sign === '+' || sign === '-' || sign === '*' || sign === '/' || sign === '%';
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
