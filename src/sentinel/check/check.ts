import { children } from '../ast/children';
import { expressionsOf, statementsWithin } from '../ast/walk';
import type { Expression, File } from '../ast/nodes';
import { SentinelSyntaxError, type SentinelError } from '../errors';
import { UNIVERSE } from '../evaluate/builtins';
import { membersOf, STANDARD_IMPORT_NAMES } from '../imports/standard';
import { parse } from '../parser/parse';
import { nearWord } from '../source/near-words';
import type { SourceText } from '../source/source-text';
import { type Span } from '../source/source-text';
import { ANY_KEY, type Environment, type Shape } from './shape';
import { importName, staticFaults } from './static-faults';

/** What is to be said of a text. Errors keep it from running or being of use; warnings are of parts that can never hold. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  readonly hint: string | undefined;
  readonly source: SourceText;
  readonly span: Span;
}

/** Checks a text without running it. Findings are in the order of the text. */
export function check(text: string, name: string, environment: Environment): readonly Finding[] {
  try {
    return new Checker(parse(text, name), environment).findings();
  } catch (error) {
    if (error instanceof SentinelSyntaxError) return [asFinding(error)];
    throw error;
  }
}

/** `file:line:column: problem`, with the line and a caret. */
export function describeFinding({ severity, problem, hint, source, span }: Finding): string {
  const cure = hint === undefined ? '' : `; ${hint}`;
  return `${source.place(span.start)}: ${severity}: ${problem}${cure}\n\n${source.excerpt(span)}`;
}

function asFinding({ problem, hint, source, span }: SentinelError): Finding {
  return { severity: 'error', problem, hint, source, span };
}

class Checker {
  readonly #file: File;
  readonly #environment: Environment;
  readonly #findings: Finding[] = [];
  /** Names that the text gives a value somewhere. */
  readonly #assigned: ReadonlySet<string>;
  readonly #imports: ReadonlyMap<string, string>;

  constructor(file: File, environment: Environment) {
    this.#file = file;
    this.#environment = environment;
    this.#assigned = assignedNames(file);
    this.#imports = new Map(file.imports.map((each) => [importName(each), each.path]));
  }

  findings(): readonly Finding[] {
    this.#findings.push(...staticFaults(this.#file).map(asFinding));
    this.#checkImports();
    this.#checkParams();
    this.#checkMain();
    for (const expression of expressionsOf(this.#file)) this.#check(expression);
    return this.#findings.sort((a, b) => a.span.start - b.span.start);
  }

  #find(severity: 'error' | 'warning', span: Span, problem: string, hint?: string): void {
    this.#findings.push({ severity, problem, hint, source: this.#file.source, span });
  }

  #checkImports(): void {
    const { imports, optionalImports = {} } = this.#environment;
    for (const { path, pathSpan } of this.#file.imports) {
      if (Object.hasOwn(optionalImports, path)) {
        this.#find(
          'warning',
          pathSpan,
          `the import "${path}" is not enabled everywhere`,
          optionalImports[path],
        );
        continue;
      }
      if (imports.includes(path)) continue;
      const near = nearWord(path, imports);
      const isStandard = STANDARD_IMPORT_NAMES.includes(path);
      const hint = near === undefined ? undefined : `did you mean "${near}"?`;
      this.#find(
        'error',
        pathSpan,
        `the import "${path}" is not ${isStandard ? 'enabled' : 'available'}`,
        hint,
      );
    }
  }

  #checkParams(): void {
    if (this.#environment.hasParameters) return;
    for (const { name, value } of this.#file.params) {
      if (value) continue;
      this.#find('error', name, `the parameter "${name.name}" can never have a value`, 'give it a default');
    }
  }

  #checkMain(): void {
    const isSet = [...statementsWithin(this.#file.statements)].some(
      (statement) =>
        (statement.kind === 'assignment' &&
          statement.target.kind === 'identifier' &&
          statement.target.name === 'main') ||
        (statement.kind === 'function declaration' && statement.name.name === 'main'),
    );
    if (isSet) return;
    const near = nearWord('main', this.#assigned);
    const hint = near === undefined ? 'add: main = rule { … }' : `did you mean "main" instead of "${near}"?`;
    this.#find('error', { start: 0, end: 0 }, 'the policy has no "main"', hint);
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
    const known = [...this.#assigned, ...Object.keys(this.#environment.globals), ...Object.keys(UNIVERSE)];
    const isImport = STANDARD_IMPORT_NAMES.includes(name) && this.#environment.imports.includes(name);
    const near = nearWord(name, [...known, ...this.#imports.keys()]);
    const hint = isImport
      ? `add: import "${name}"`
      : near === undefined
        ? undefined
        : `did you mean "${near}"?`;
    this.#find('warning', span, `"${name}" is never assigned: reading it is an error`, hint);
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
      return this.#find(
        'warning',
        name,
        `the import "${path}" has no "${name.name}": it is always undefined`,
        hint,
      );
    }
    this.#checkKey(object, name.name, name);
  }

  /** A variable may hide an import. */
  #isImport(name: string): boolean {
    return this.#imports.has(name) && !this.#assigned.has(name);
  }

  #checkKey(object: Expression, key: string, span: Span): void {
    const shape = this.#shapeOf(object);
    if (typeof shape !== 'object' || Object.hasOwn(shape, ANY_KEY) || Object.hasOwn(shape, key)) return;
    const near = nearWord(key, Object.keys(shape));
    const path = pathOf(object) ?? 'the value';
    const hint = near === undefined ? `it has ${Object.keys(shape).join(', ')}` : `did you mean "${near}"?`;
    this.#find('warning', span, `"${path}" has no "${key}": it is always undefined`, hint);
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

  /** `strings.has_prefix(value, "text")` is a comparison, too. */
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
    this.#find('warning', inner, problem, 'swap the arguments');
  }

  #checkText(value: Expression, operator: string, text: string, span: Span): void {
    const inner = stripElse(value);
    const path = pathOf(inner);
    if (path === undefined || this.#shapeOf(inner) === undefined) return;
    const doubt = this.#environment.comparedText?.(path, operator, text);
    if (doubt) this.#find('warning', span, doubt.problem, doubt.hint);
  }
}

function entryOf(shape: Shape | undefined, key: string): Shape | undefined {
  if (typeof shape !== 'object') return undefined;
  if (Object.hasOwn(shape, key)) return shape[key];
  return Object.hasOwn(shape, ANY_KEY) ? shape[ANY_KEY] : undefined;
}

/** `x` of `x else y`, without brackets. */
function stripElse(expression: Expression): Expression {
  if (expression.kind === 'group') return stripElse(expression.expression);
  return expression.kind === 'binary' && expression.operator === 'else'
    ? stripElse(expression.left)
    : expression;
}

/** `request.connection.remote_addr`, as it is written. */
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

/** The literal texts that a value is compared with. */
function textsOf(expression: Expression): readonly { readonly value: string; readonly span: Span }[] {
  if (expression.kind === 'literal' && typeof expression.value === 'string') {
    return [{ value: expression.value, span: expression }];
  }
  return expression.kind === 'list' ? children(expression).flatMap(textsOf) : [];
}

/** Names that are assigned, declared or bound anywhere. */
function assignedNames(file: File): ReadonlySet<string> {
  const names = new Set(file.params.map(({ name }) => name.name));
  for (const statement of statementsWithin(file.statements)) {
    if (statement.kind === 'assignment' && statement.target.kind === 'identifier')
      names.add(statement.target.name);
    if (statement.kind === 'function declaration') {
      names.add(statement.name.name);
      statement.function.parameters.forEach(({ name }) => names.add(name));
    }
    if (statement.kind === 'for') statement.names.forEach(({ name }) => names.add(name));
  }
  for (const expression of expressionsOf(file)) {
    if (expression.kind === 'quantifier') expression.names.forEach(({ name }) => names.add(name));
    if (expression.kind === 'function') expression.parameters.forEach(({ name }) => names.add(name));
  }
  return names;
}
