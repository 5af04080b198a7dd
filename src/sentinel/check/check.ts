import { children } from '../ast/children';
import { assignedNames, expressionsOf, statementsWithin } from '../ast/within';
import type { Expression, File } from '../ast/nodes';
import { SentinelSyntaxError, findingOf, type Finding } from '../source/errors';
import { UNIVERSE } from '../evaluate/builtins';
import { STANDARD_IMPORT_NAMES } from '../imports/names';
import { membersOf } from '../imports/standard';
import { parse } from '../parser/parse';
import { nearWord } from '../source/near-words';
import type { Span } from '../source/source-text';
import { wrongCalls } from './argument-counts';
import { ANY_KEY, type Environment, type Shape } from './shape';
import { importName } from '../evaluate/static-faults';
import { faultsOf } from './faults';

/** The unknown names for which a similar one is looked for. */
const MOST_SUGGESTIONS = 100;

/** The built-in functions that return no value. */
const WITHOUT_RESULT: ReadonlySet<string> = new Set(['append', 'delete']);

/** Checks a text without running it. Findings are in the order of the text. */
export function check(text: string, name: string, environment: Environment): readonly Finding[] {
  try {
    return new Checker(parse(text, name), environment).findings();
  } catch (error) {
    if (error instanceof SentinelSyntaxError) return [findingOf(error)];
    throw error;
  }
}

class Checker {
  readonly #file: File;
  readonly #environment: Environment;
  readonly #findings: Finding[] = [];
  /** The names to which the text assigns a value. */
  readonly #assigned: ReadonlySet<string>;
  readonly #imports: ReadonlyMap<string, string>;
  #suggestions = 0;

  constructor(file: File, environment: Environment) {
    this.#file = file;
    this.#environment = environment;
    this.#assigned = assignedNames(file);
    this.#imports = new Map(file.imports.map((each) => [importName(each), each.path]));
  }

  findings(): readonly Finding[] {
    for (const fault of faultsOf(this.#file, this.#environment)) this.#findings.push(fault);
    this.#checkOptionalImports();
    for (const expression of expressionsOf(this.#file)) this.#check(expression);
    for (const { span, problem } of wrongCalls(this.#file)) this.#warn(span, problem);
    this.#checkUsedResults();
    return this.#findings.sort((a, b) => a.span.start - b.span.start);
  }

  #warn(span: Span, problem: string, hint?: string): void {
    this.#findings.push({ severity: 'warning', problem, hint, source: this.#file.source, span });
  }

  #checkOptionalImports(): void {
    const { optionalImports = {} } = this.#environment;
    for (const { path, pathSpan } of this.#file.imports) {
      if (!Object.hasOwn(optionalImports, path)) continue;
      this.#warn(pathSpan, `the import "${path}" is not enabled everywhere`, optionalImports[path]);
    }
  }

  /** Reports calls whose result is used although it is always undefined. */
  #checkUsedResults(): void {
    const unused = new Set<Expression>();
    for (const statement of statementsWithin(this.#file.statements)) {
      if (statement.kind === 'expression') unused.add(withoutBrackets(statement.expression));
    }
    for (const expression of expressionsOf(this.#file)) {
      if (expression.kind !== 'call' || expression.callee.kind !== 'identifier') continue;
      const { name } = expression.callee;
      if (!WITHOUT_RESULT.has(name) || this.#assigned.has(name) || unused.has(expression)) continue;
      const problem = `${name} changes its argument: its result is always undefined`;
      this.#warn(expression, problem, `write ${name}(…) as a statement`);
    }
  }

  #check(expression: Expression): void {
    switch (expression.kind) {
      case 'identifier':
        return this.#checkName(expression.name, expression);
      case 'selector':
        return this.#checkSelector(expression);
      case 'index':
        if (expression.index.kind === 'literal' && typeof expression.index.value === 'string') {
          this.#checkKey(expression.object, expression.index.value, expression.index);
        }
        return;
      case 'binary':
        return this.#checkComparison(expression.left, expression.written, expression.right);
      case 'call':
        return this.#checkCall(expression);
      default:
        return;
    }
  }

  #checkName(name: string, span: Span): void {
    if (this.#isKnown(name)) return;
    const isImport =
      STANDARD_IMPORT_NAMES.some((each) => each === name) && this.#environment.imports.includes(name);
    const near = this.#suggestions++ < MOST_SUGGESTIONS ? nearWord(name, this.#names()) : undefined;
    const hint = isImport
      ? `add: import "${name}"`
      : near === undefined
        ? undefined
        : `did you mean "${near}"?`;
    this.#warn(span, `"${name}" is never assigned: reading it is an error`, hint);
  }

  *#names(): Generator<string> {
    yield* this.#assigned;
    yield* Object.keys(this.#environment.globals);
    yield* Object.keys(UNIVERSE);
    yield* this.#imports.keys();
  }

  #isKnown(name: string): boolean {
    return (
      this.#assigned.has(name) ||
      this.#imports.has(name) ||
      Object.hasOwn(this.#environment.globals, name) ||
      Object.hasOwn(UNIVERSE, name)
    );
  }

  #checkSelector({ object, name }: Extract<Expression, { kind: 'selector' }>): void {
    if (object.kind === 'identifier' && this.#isImport(object.name)) {
      const path = this.#imports.get(object.name) ?? '';
      const members = membersOf(path);
      if (!members || members.includes(name.name)) return;
      const near = nearWord(name.name, members);
      const hint = near === undefined ? `it has ${members.join(', ')}` : `did you mean "${near}"?`;
      return this.#warn(name, `the import "${path}" has no "${name.name}": it is always undefined`, hint);
    }
    this.#checkKey(object, name.name, name);
  }

  /** Whether a name is an import that no variable hides. */
  #isImport(name: string): boolean {
    return this.#imports.has(name) && !this.#assigned.has(name);
  }

  #checkKey(object: Expression, key: string, span: Span): void {
    const shape = this.#shapeOf(object);
    if (typeof shape !== 'object' || Object.hasOwn(shape, ANY_KEY) || Object.hasOwn(shape, key)) return;
    const near = nearWord(key, Object.keys(shape));
    const path = pathOf(object) ?? 'the value';
    const hint = near === undefined ? `it has ${Object.keys(shape).join(', ')}` : `did you mean "${near}"?`;
    this.#warn(span, `"${path}" has no "${key}": it is always undefined`, hint);
  }

  #shapeOf(expression: Expression): Shape | undefined {
    switch (expression.kind) {
      case 'group':
        return this.#shapeOf(expression.expression);
      case 'identifier':
        if (this.#assigned.has(expression.name)) return undefined;
        return Object.hasOwn(this.#environment.globals, expression.name)
          ? this.#environment.globals[expression.name]
          : undefined;
      case 'selector':
        return entryOf(this.#shapeOf(expression.object), expression.name.name);
      case 'index': {
        const { index } = expression;
        const key = index.kind === 'literal' && typeof index.value === 'string' ? index.value : ANY_KEY;
        return entryOf(this.#shapeOf(expression.object), key);
      }
      default:
        return undefined;
    }
  }

  #checkComparison(left: Expression, operator: string, right: Expression): void {
    for (const [value, literal] of [
      [left, right],
      [right, left],
    ] as const) {
      for (const text of textsOf(literal)) this.#checkText(value, operator, text.value, text.span);
    }
  }

  /** Checks a call such as `strings.has_prefix(value, "text")`, which is also a comparison. */
  #checkCall({ callee, arguments: parameters }: Extract<Expression, { kind: 'call' }>): void {
    if (callee.kind !== 'selector' || callee.object.kind !== 'identifier') return;
    const path = this.#imports.get(callee.object.name);
    const [first, second] = parameters;
    if (!first || !second) return;
    if (path === 'strings' && callee.name.name === 'has_prefix') {
      for (const text of textsOf(second)) this.#checkText(first, 'has_prefix', text.value, text.span);
    }
    if (path === 'sockaddr' && callee.name.name === 'is_contained') this.#checkContained(first, second);
  }

  #checkContained(outer: Expression, inner: Expression): void {
    const [block] = textsOf(inner);
    const shape = this.#shapeOf(stripElse(outer));
    if (shape !== 'text' || block === undefined || !/\/(?!32$|128$)[0-9]+$/.test(block.value)) return;
    const problem = 'sockaddr.is_contained takes the network first: an address never contains a network';
    this.#warn(inner, problem, 'swap the arguments');
  }

  #checkText(value: Expression, operator: string, text: string, span: Span): void {
    const inner = stripElse(value);
    const path = pathOf(inner);
    if (path === undefined || this.#shapeOf(inner) === undefined) return;
    const doubt = this.#environment.comparedText?.(path, operator, text);
    if (doubt) this.#warn(span, doubt.problem, doubt.hint);
  }
}

function entryOf(shape: Shape | undefined, key: string): Shape | undefined {
  if (typeof shape !== 'object') return undefined;
  if (Object.hasOwn(shape, key)) return shape[key];
  return Object.hasOwn(shape, ANY_KEY) ? shape[ANY_KEY] : undefined;
}

/** Returns `x` for `x else y`, without brackets. */
function stripElse(expression: Expression): Expression {
  const inner = withoutBrackets(expression);
  return inner.kind === 'binary' && inner.operator === 'else' ? stripElse(inner.left) : inner;
}

function withoutBrackets(expression: Expression): Expression {
  return expression.kind === 'group' ? withoutBrackets(expression.expression) : expression;
}

/** Returns the path of an expression as written: `request.connection.remote_addr`. */
function pathOf(expression: Expression): string | undefined {
  switch (expression.kind) {
    case 'identifier':
      return expression.name;
    case 'group':
      return pathOf(expression.expression);
    case 'selector': {
      const object = pathOf(expression.object);
      return object === undefined ? undefined : `${object}.${expression.name.name}`;
    }
    default:
      return undefined;
  }
}

/** Returns the literal texts that a value is compared with. */
function textsOf(expression: Expression): readonly { readonly value: string; readonly span: Span }[] {
  if (expression.kind === 'literal' && typeof expression.value === 'string') {
    return [{ value: expression.value, span: expression }];
  }
  return expression.kind === 'list' ? children(expression).flatMap(textsOf) : [];
}
