import { children } from '../ast/children';
import { assignedNames, expressionsOf, statementsWithin, withoutBrackets } from '../ast/within';
import type { Expression, File } from '../ast/nodes';
import { SentinelSyntaxError, findingOf, type SentinelFinding, type FindingId } from '../source/errors';
import { UNIVERSE } from '../evaluate/builtins';
import { STANDARD_IMPORT_NAMES } from '../imports/names';
import { membersOf } from '../imports/standard';
import { offsetInString } from '../scanner/strings';
import { parse } from '../parser/parse';
import { nearWord } from '../source/near-words';
import type { Span } from '../source/source-text';
import { wrongCalls } from './argument-counts';
import { importName } from '../evaluate/static-faults';
import { Bindings } from './bindings';
import { constantConditions } from './conditions';
import { faultsOf } from './faults';
import { isUndefined } from './formulas';
import {
  mismatchOf,
  noCollectionOf,
  noConditionOf,
  noFieldsOf,
  wrongArguments,
  type Mismatch,
} from './mismatches';
import { patternFault } from './patterns';
import { ANY_KEY, isMapShape, WholeNumbers, Words, type PolicyEnvironment } from './shape';
import { Shapes } from './shapes';
import { unusedImports, unusedNames } from './unused';

/** The maximum number of unknown names for which similar names are suggested. */
const MOST_SUGGESTIONS = 100;

/** The maximum number of compared elements if a list is the value of a variable. */
const MOST_IN_VARIABLES = 50;

/** The built-in functions that return no value. */
const WITHOUT_RESULT: ReadonlySet<string> = new Set(['append', 'delete']);

/** Checks a text without running it. Findings are in the order of the text. */
export function check(
  text: string,
  name: string,
  environment: PolicyEnvironment,
): readonly SentinelFinding[] {
  try {
    return new Checker(parse(text, name), environment).findings();
  } catch (error) {
    if (error instanceof SentinelSyntaxError) return [findingOf(error)];
    throw error;
  }
}

/** The texts of findings about unused names. */
const UNUSED = {
  rule: {
    problem: 'used: it is not evaluated, and decides nothing',
    hint: 'name it in "main" or in a rule that "main" reads, or remove it',
  },
  function: { problem: 'called by anything that is evaluated', hint: 'call it, or remove it' },
  variable: { problem: 'read', hint: 'remove it' },
};

/** The operators that compare values for equality. */
const IS_EQUAL = new Set(['is', '==', 'is not', '!=', 'in', 'not in']);

class Checker {
  readonly #file: File;
  readonly #environment: PolicyEnvironment;
  readonly #findings: SentinelFinding[] = [];
  /** The names to which the text assigns a value. */
  readonly #assigned: ReadonlySet<string>;
  readonly #imports: ReadonlyMap<string, string>;
  readonly #bindings: Bindings;
  readonly #shapes: Shapes;
  /** The keys of reported findings and of checked comparisons, so that none is reported twice. */
  readonly #reported = new Set<string>();
  #suggestions = 0;

  constructor(file: File, environment: PolicyEnvironment) {
    this.#file = file;
    this.#environment = environment;
    this.#assigned = assignedNames(file);
    this.#imports = new Map(file.imports.map((each) => [importName(each), each.path]));
    this.#bindings = new Bindings(file);
    this.#shapes = new Shapes(file, this.#bindings, environment);
  }

  findings(): readonly SentinelFinding[] {
    for (const fault of faultsOf(this.#file, this.#environment)) this.#findings.push(fault);
    this.#checkOptionalImports();
    for (const expression of expressionsOf(this.#file)) this.#check(expression);
    this.#checkStatements();
    for (const { id, span, problem } of wrongCalls(this.#file)) this.#warn(id, span, problem);
    this.#checkUsedResults();
    this.#checkUnused();
    for (const { id, span, problem, hint } of constantConditions(this.#file, this.#bindings, this.#shapes)) {
      this.#warn(id, span, problem, hint);
    }
    return this.#findings.sort((a, b) => a.span.start - b.span.start);
  }

  #warn(id: FindingId, span: Span, problem: string, hint?: string): void {
    const key = `${id} ${span.start}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#findings.push({ id, severity: 'warning', problem, hint, source: this.#file.source, span });
  }

  #checkOptionalImports(): void {
    const { optionalImports = {} } = this.#environment;
    for (const { path, pathSpan } of this.#file.imports) {
      if (!Object.hasOwn(optionalImports, path)) continue;
      this.#warn(
        'optional-import',
        pathSpan,
        `the import "${path}" is not enabled everywhere`,
        optionalImports[path],
      );
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
      this.#warn('unused-result', expression, problem, `write ${name}(…) as a statement`);
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
        return this.#checkBinary(expression);
      case 'unary':
        return this.#report(
          expression.operator === 'not' ? noConditionOf(expression.operand, this.#shapes) : undefined,
        );
      case 'quantifier':
        this.#report(noCollectionOf(expression.collection, this.#shapes));
        return expression.word === 'map'
          ? undefined
          : this.#report(noConditionOf(expression.body, this.#shapes));
      case 'rule':
        return this.#report(expression.when && noConditionOf(expression.when, this.#shapes));
      case 'call':
        for (const each of wrongArguments(expression, this.#shapes)) this.#report(each);
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
    this.#warn('unknown-name', span, `"${name}" is never assigned: reading it is an error`, hint);
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
    const path = this.#shapes.importOf(object);
    const members = path === undefined ? undefined : membersOf(path);
    if (path === undefined || !members) return this.#checkKey(object, name.name, name);
    if (members.includes(name.name)) return;
    const near = nearWord(name.name, members);
    const hint = near === undefined ? `it has ${members.join(', ')}` : `did you mean "${near}"?`;
    const problem = `the import "${path}" has no "${name.name}": it is always undefined`;
    this.#warn('unknown-field', name, problem, hint);
  }

  #checkKey(object: Expression, key: string, span: Span): void {
    const shape = this.#shapes.of(object);
    if (!isMapShape(shape)) return this.#report(noFieldsOf(shape, key, span));
    if (Object.hasOwn(shape, ANY_KEY) || Object.hasOwn(shape, key)) return;
    const near = nearWord(key, Object.keys(shape));
    const path = pathOf(object) ?? 'the value';
    const hint = near === undefined ? `it has ${Object.keys(shape).join(', ')}` : `did you mean "${near}"?`;
    const problem = `${path} has no "${key}": it is always undefined`;
    this.#warn('unknown-field', span, problem, hint);
  }

  #checkStatements(): void {
    for (const statement of statementsWithin(this.#file.statements)) {
      if (statement.kind === 'if') this.#report(noConditionOf(statement.condition, this.#shapes));
      if (statement.kind === 'for') this.#report(noCollectionOf(statement.collection, this.#shapes));
    }
  }

  #checkUnused(): void {
    const known = [...this.#environment.imports, ...Object.keys(this.#environment.optionalImports ?? {})];
    for (const each of unusedImports(this.#file)) {
      if (!known.includes(each.path)) continue;
      const problem = `the import "${each.path}" is never used`;
      this.#warn('unused-import', each.pathSpan, problem, 'remove it');
    }
    for (const { kind, name } of unusedNames(this.#file)) {
      const { problem, hint } = UNUSED[kind];
      this.#warn(`unused-${kind}`, name, `the ${kind} "${name.name}" is never ${problem}`, hint);
    }
  }

  #report(mismatch: Mismatch | undefined): void {
    if (mismatch) this.#warn(mismatch.id, mismatch.span, mismatch.problem, mismatch.hint);
  }

  #checkBinary(expression: Extract<Expression, { kind: 'binary' }>): void {
    const { left, operator, negated, right, written } = expression;
    this.#report(mismatchOf(expression, this.#shapes));
    if (operator === 'and' || operator === 'or' || operator === 'xor') {
      for (const each of [left, right]) this.#report(noConditionOf(each, this.#shapes));
    }
    if (operator === 'matches') this.#checkPattern(right);
    if (operator === 'is') this.#checkUndefined(left, right, negated);
    for (const [value, constant] of [
      [left, right],
      [right, left],
    ] as const) {
      if (this.#isRepeated(value, constant)) continue;
      for (const literal of this.#literalsOf(constant)) this.#checkValue(value, written, literal);
    }
  }

  /** Whether a comparison of this value with this variable was checked before. */
  #isRepeated(value: Expression, written: Expression): boolean {
    const variable = withoutBrackets(written);
    const path = variable.kind === 'identifier' ? pathOf(stripElse(value)) : undefined;
    if (variable.kind !== 'identifier' || path === undefined) return false;
    const key = `${variable.name} ${path}`;
    return this.#reported.has(key) || !this.#reported.add(key);
  }

  #checkUndefined(left: Expression, right: Expression, negated: boolean): void {
    const operand = [left, right].find((each) => isUndefined(each, this.#bindings));
    if (!operand) return;
    const problem = 'a comparison with undefined is undefined, and never true';
    this.#warn('compared-with-undefined', operand, problem, `write "is ${negated ? '' : 'not '}defined"`);
  }

  /**
   * Checks a regular expression, which may be the default of an "else", or the value of a variable.
   */
  #checkPattern(pattern: Expression): void {
    for (const { value, span } of this.#literalsOf(pattern)) {
      if (typeof value !== 'string') continue;
      const fault = patternFault(value);
      if (!fault) continue;
      const { index, part, problem, cure } = fault;
      const start = offsetInString(this.#file.source, span.start, index);
      const end = Math.max(start + 1, offsetInString(this.#file.source, span.start, index + part.length));
      const received = `the regular expression has ${problem}, "${part}"`;
      const result = `${received}, which RE2 does not allow: the comparison is always an error`;
      this.#warn('invalid-pattern', { start, end }, result, cure);
    }
  }

  /** Checks a comparison of a value with a literal. */
  #checkValue(
    value: Expression,
    operator: string,
    { value: constant, span, isElement }: PlacedLiteral,
  ): void {
    if (typeof constant === 'string') this.#checkText(value, operator, constant, span);
    const shape = this.#shapes.of(stripElse(value));
    if (!IS_EQUAL.has(operator) || (operator.endsWith('in') && !isElement)) return;
    if (shape instanceof Words && typeof constant === 'string' && !shape.words.includes(constant)) {
      const near = nearWord(constant, shape.words);
      const allowed = `allowed are ${shape.words.join(', ')}`;
      const hint = near === undefined ? allowed : `did you mean "${near}"? ${allowed}`;
      const problem = `"${constant}" is not ${shape.noun}: the comparison is never true`;
      this.#warn('impossible-value', span, problem, hint);
    }
    if (shape instanceof WholeNumbers && typeof constant === 'bigint') {
      const { least, greatest } = shape;
      if (constant >= least && (greatest === undefined || constant <= greatest)) return;
      const problem = `${pathOf(stripElse(value)) ?? 'the value'} is never ${constant}`;
      const hint =
        greatest === undefined ? `it is ${least} or more` : `it is a number from ${least} to ${greatest}`;
      this.#warn('impossible-value', span, problem, hint);
    }
  }

  /**
   * Returns the literals of an expression: itself, the elements of a list, or a variable's value.
   */
  #literalsOf(written: Expression): readonly PlacedLiteral[] {
    const expression = withoutBrackets(written);
    if (expression.kind === 'binary' && expression.operator === 'else')
      return this.#literalsOf(expression.right);
    if (expression.kind !== 'identifier') return literalsOf(expression);
    const binding = this.#bindings.of(expression);
    if (binding?.kind === 'value') return literalsOf(binding.value).slice(0, MOST_IN_VARIABLES);
    if (binding?.kind !== 'element' || binding.part === 'key') return [];
    return this.#literalsOf(binding.collection).filter(({ isElement }) => isElement);
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
    const shape = this.#shapes.of(stripElse(outer));
    if (shape !== 'text' || block === undefined || !/\/(?!32$|128$)[0-9]+$/.test(block.value)) return;
    const problem = 'sockaddr.is_contained takes the network first: an address never contains a network';
    this.#warn('swapped-arguments', inner, problem, 'swap the arguments');
  }

  #checkText(value: Expression, operator: string, text: string, span: Span): void {
    const inner = stripElse(value);
    const path = pathOf(inner);
    if (path === undefined || this.#shapes.of(inner) === 'any') return;
    const doubt = this.#environment.comparedText?.(path, operator, text);
    if (doubt) this.#warn('impossible-value', span, doubt.problem, doubt.hint);
  }
}

/** Returns `x` for `x else y`, without brackets. */
function stripElse(expression: Expression): Expression {
  const inner = withoutBrackets(expression);
  return inner.kind === 'binary' && inner.operator === 'else' ? stripElse(inner.left) : inner;
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
    case 'index': {
      const { index } = expression;
      const object = pathOf(expression.object);
      const isText = index.kind === 'literal' && typeof index.value === 'string';
      return object === undefined || !isText ? undefined : `${object}[${JSON.stringify(index.value)}]`;
    }
    default:
      return undefined;
  }
}

/** A literal value, with its place. */
interface PlacedLiteral {
  readonly value: bigint | number | string;
  readonly span: Span;
  /** Whether it is an element of a list. */
  readonly isElement: boolean;
}

/** Returns a literal, or the literals in a list. */
function literalsOf(expression: Expression, isElement = false): readonly PlacedLiteral[] {
  if (expression.kind === 'literal') return [{ value: expression.value, span: expression, isElement }];
  return expression.kind === 'list' ? children(expression).flatMap((each) => literalsOf(each, true)) : [];
}

/** Returns the literal texts that a value is compared with. */
function textsOf(expression: Expression): readonly { readonly value: string; readonly span: Span }[] {
  return literalsOf(expression).flatMap(({ value, span }) =>
    typeof value === 'string' ? [{ value, span }] : [],
  );
}
