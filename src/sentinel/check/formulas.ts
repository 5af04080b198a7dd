import type { Binary, Expression, File, Quantifier } from '../ast/nodes';
import { within, withoutBrackets } from '../ast/within';
import { UNIVERSE } from '../evaluate/builtins';
import { memberOf } from '../imports/standard';
import { applyOperator, type StrictOperator } from '../evaluate/operators';
import { isNumber } from '../values/compare';
import { NativeFault, Undefined, type Value } from '../values/value';
import type { Span } from '../source/source-text';
import type { Bindings } from './bindings';
import { mismatchOf } from './mismatches';
import type { Shapes } from './shapes';
import { typeOfShape, WholeNumbers, Words, type Shape } from './shape';

/** A condition, divided into the parts that decide whether it can be true. */
export type Formula =
  | { readonly kind: 'constant'; readonly value: boolean; readonly isWritten: boolean; readonly span: Span }
  | {
      readonly kind: 'all' | 'any';
      readonly parts: readonly Formula[];
      readonly span: Span;
      /** The number of atoms in the formula. */
      readonly size: number;
      /** Whether the formula is the body of a rule that the condition names. */
      readonly isNamed?: boolean;
    }
  | Atom;

/** A value that a policy writes as a literal. */
type Constant = bigint | number | string | boolean | null | Constant[];

/** A condition about one value: a comparison with a constant, or the value itself. */
export interface Atom {
  readonly kind: 'atom';
  /** The value as it is written. Atoms with the same text are about the same value. */
  readonly subject: string;
  readonly shape: Shape | undefined;
  readonly operator: StrictOperator | 'has_prefix';
  readonly constant: Constant;
  /** Whether the atom is true if the comparison is false. */
  readonly negated: boolean;
  readonly span: Span;
  /** Whether the value stays the same until the policy ends. */
  readonly isStable: boolean;
  readonly isNamed?: boolean;
}

/**
 * The maximum number of atoms of a rule whose name is replaced by its body in a condition. A larger
 * rule stays one atom.
 */
const MOST_NAMED = 32;
/** The maximum depth of rules that name further rules in their bodies. */
const DEEPEST_RULES = 20;
/** The maximum length of a value in characters. Longer values are not compared with others. */
const LONGEST_SUBJECT = 200;
const MOST_ELEMENTS = 50;

const FLIPPED: Readonly<Record<string, StrictOperator>> = {
  is: 'is',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  in: 'contains',
  contains: 'in',
};

/** Turns the conditions of a text into formulas. */
export class Formulas {
  readonly #file: File;
  readonly #bindings: Bindings;
  readonly #shapes: Shapes;
  readonly #named = new Map<Expression, Formula | undefined>();
  #others = 0;

  constructor(file: File, bindings: Bindings, shapes: Shapes) {
    this.#file = file;
    this.#bindings = bindings;
    this.#shapes = shapes;
  }

  /** Returns a condition, or its opposite, as a formula. */
  of(written: Expression, isPositive = true, depth = 0): Formula {
    const expression = withoutBrackets(written);
    switch (expression.kind) {
      case 'unary':
        if (expression.operator === 'not') {
          return placedAt(this.of(expression.operand, !isPositive, depth), expression);
        }
        return this.#opaque(expression, isPositive);
      case 'binary':
        if (expression.operator === 'and' || expression.operator === 'or') {
          return this.#chain(expression, isPositive, depth);
        }
        return this.#comparison(expression, isPositive) ?? this.#opaque(expression, isPositive);
      case 'identifier': {
        const { name } = expression;
        const isConstant = (name === 'true' || name === 'false') && !this.#bindings.of(expression);
        if (isConstant) {
          return {
            kind: 'constant',
            value: (name === 'true') === isPositive,
            isWritten: true,
            span: expression,
          };
        }
        return this.#rule(expression, isPositive, depth) ?? this.#opaque(expression, isPositive);
      }
      case 'quantifier':
        return emptyFormula(expression, isPositive) ?? this.#opaque(expression, isPositive);
      case 'call':
        return this.#prefix(expression, isPositive) ?? this.#opaque(expression, isPositive);
      default:
        return this.#opaque(expression, isPositive);
    }
  }

  /**
   * Returns the formula of a chain of one operator. Long chains nest deeply on their left side, so
   * a loop walks through them.
   */
  #chain(first: Binary, isPositive: boolean, depth: number): Formula {
    const { operator } = first;
    const parts: Formula[] = [];
    let rest: Expression = first;
    while (rest.kind === 'binary' && rest.operator === operator) {
      parts.push(this.of(rest.right, isPositive, depth));
      rest = withoutBrackets(rest.left);
    }
    parts.push(this.of(rest, isPositive, depth));
    const kind = (operator === 'and') === isPositive ? 'all' : 'any';
    return {
      kind,
      parts: parts.reverse(),
      span: first,
      size: parts.reduce((sum, each) => sum + sizeOf(each), 0),
    };
  }

  /** Returns the formula of a rule's body, if the rule is assigned once and has no `when`. */
  #rule(
    identifier: Expression & { kind: 'identifier' },
    isPositive: boolean,
    depth: number,
  ): Formula | undefined {
    const binding = this.#bindings.of(identifier);
    if (binding?.kind !== 'value' || binding.value.kind !== 'rule' || depth > DEEPEST_RULES) return undefined;
    const { when, body } = binding.value;
    if (when) return undefined;
    if (!this.#named.has(body)) {
      this.#named.set(body, undefined);
      this.#named.set(body, this.of(body, true, depth + 1));
    }
    const formula = this.#named.get(body);
    if (!formula || formula.kind === 'constant' || sizeOf(formula) > MOST_NAMED || !isStable(formula))
      return undefined;
    return renamed(isPositive ? formula : negated(formula), identifier);
  }

  #comparison(expression: Binary, isPositive: boolean): Formula | undefined {
    const { operator, left, right, negated: isNot } = expression;
    if (!isComparison(operator) || mismatchOf(expression, this.#shapes)) return undefined;
    const holdsIfFalse = isNot === isPositive;
    const [first, second] = [this.#constantOf(left), this.#constantOf(right)];
    if (first && second) {
      if (first.isNamed || second.isNamed) return undefined;
      return constantFormula(operator, first.value, second.value, holdsIfFalse, expression);
    }
    if (!first && !second) return this.#sameOperands(expression, holdsIfFalse);
    const [subject, constant] = first ? [right, first] : [left, second!];
    const own = first ? FLIPPED[operator] : operator;
    if (own === undefined) return undefined;
    return this.#atom(subject, own, constant.value, holdsIfFalse, expression);
  }

  /** Returns the result of a comparison of a value with itself. */
  #sameOperands({ operator, left, right, ...span }: Binary, holdsIfFalse: boolean): Formula | undefined {
    const [one, other] = [this.#subject(left), this.#subject(right)];
    if (one.text === undefined || one.text !== other.text) return undefined;
    const value = operator === 'is' || operator === '<=' || operator === '>=';
    if (!value && operator !== '<' && operator !== '>') return undefined;
    return { kind: 'constant', value: value !== holdsIfFalse, isWritten: false, span };
  }

  /** Returns the formula of `strings.has_prefix(value, "text")`, which is a comparison as well. */
  #prefix(call: Expression & { kind: 'call' }, isPositive: boolean): Formula | undefined {
    const { callee, arguments: given } = call;
    if (callee.kind !== 'selector' || callee.name.name !== 'has_prefix') return undefined;
    if (this.#shapes.importOf(callee.object) !== 'strings' || given.length !== 2) return undefined;
    const constant = this.#constantOf(given[1]!);
    if (typeof constant?.value !== 'string') return undefined;
    return this.#atom(given[0]!, 'has_prefix', constant.value, !isPositive, call);
  }

  #atom(
    subject: Expression,
    operator: Atom['operator'],
    constant: Constant,
    isNegated: boolean,
    span: Span,
  ): Formula {
    const { text, isStable } = this.#subject(subject);
    const shape = this.#shapes.of(subject);
    const own = text ?? this.#nextSubject();
    const { start, end } = span;
    return {
      kind: 'atom',
      subject: own,
      shape,
      operator,
      constant,
      negated: isNegated,
      span: { start, end },
      isStable,
    };
  }

  /** Returns the formula of a value that is a condition without a comparison. */
  #opaque(expression: Expression, isPositive: boolean): Formula {
    const { text, isStable } = this.#subject(expression);
    return {
      ...{ kind: 'atom', subject: text ?? this.#nextSubject(), shape: 'bool', operator: 'is' },
      ...{ constant: true, negated: !isPositive, span: expression, isStable },
    };
  }

  #nextSubject(): string {
    return ` ${this.#others++}`;
  }

  /**
   * Returns the text of a value; `undefined` if the same text may mean another value elsewhere in
   * the condition.
   */
  #subject(written: Expression): { readonly text: string | undefined; readonly isStable: boolean } {
    const expression = withoutBrackets(written);
    const { start, end } = expression;
    if (end - start > LONGEST_SUBJECT) return { text: undefined, isStable: false };
    let isFixed = true;
    for (const each of within(expression)) {
      if (each.kind === 'function') return { text: undefined, isStable: false };
      if (each.kind === 'call' && !this.#isNative(each.callee)) return { text: undefined, isStable: false };
      if (each.kind !== 'identifier') continue;
      const binding = this.#bindings.of(each);
      if (binding && (binding.kind !== 'value' || this.#bindings.isChanged(each.name))) isFixed = false;
    }
    return { text: this.#file.source.text.slice(start, end).replace(/\s+/g, ' '), isStable: isFixed };
  }

  /** Whether a function gives the same result whenever it gets the same values. */
  #isNative(callee: Expression): boolean {
    if (callee.kind === 'selector') return this.#shapes.importOf(callee.object) !== undefined;
    return callee.kind === 'identifier' && !this.#bindings.of(callee) && Object.hasOwn(UNIVERSE, callee.name);
  }

  /** Returns the value of a constant that is written here, or is the value of a variable. */
  #constantOf(
    written: Expression,
    isNamed = false,
  ): { readonly value: Constant; readonly isNamed: boolean } | undefined {
    const expression = withoutBrackets(written);
    if (expression.kind === 'identifier' && !isNamed) {
      const binding = this.#bindings.of(expression);
      if (!binding) {
        const value = Object.hasOwn(UNIVERSE, expression.name) ? UNIVERSE[expression.name] : undefined;
        return typeof value === 'boolean' || value === null ? { value, isNamed } : undefined;
      }
      if (binding.kind !== 'value' || this.#bindings.isChanged(expression.name)) return undefined;
      return this.#constantOf(binding.value, true);
    }
    const value = this.#memberValue(expression) ?? literalValue(expression);
    return value === undefined ? undefined : { value, isNamed };
  }

  /** Returns the value of a number in an import, such as the nanoseconds of `time.hour`. */
  #memberValue(expression: Expression): bigint | undefined {
    if (expression.kind !== 'selector') return undefined;
    const path = this.#shapes.importOf(expression.object);
    const value = path === undefined ? undefined : memberOf(path, expression.name.name);
    return typeof value === 'bigint' ? value : undefined;
  }
}

/** Returns the result of a quantifier over an empty list; `undefined` for any other quantifier. */
function emptyFormula(quantifier: Quantifier, isPositive: boolean): Formula | undefined {
  const { word, collection } = quantifier;
  const list = withoutBrackets(collection);
  if ((word !== 'any' && word !== 'all') || list.kind !== 'list' || list.elements.length > 0)
    return undefined;
  return { kind: 'constant', value: (word === 'all') === isPositive, isWritten: false, span: quantifier };
}

function literalValue(written: Expression): Constant | undefined {
  const expression = withoutBrackets(written);
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'unary' && expression.operator === '-') {
    const value = expression.operand.kind === 'literal' ? expression.operand.value : undefined;
    return typeof value === 'bigint' || typeof value === 'number' ? -value : undefined;
  }
  if (expression.kind === 'identifier') {
    return expression.name === 'true' ? true : expression.name === 'false' ? false : undefined;
  }
  if (expression.kind !== 'list' || expression.elements.length > MOST_ELEMENTS) return undefined;
  const values = expression.elements.map((each) => (each.kind === 'list' ? undefined : literalValue(each)));
  return values.every((each) => each !== undefined) ? values : undefined;
}

const COMPARISONS: ReadonlySet<string> = new Set([...Object.keys(FLIPPED), 'matches']);

function isComparison(operator: Binary['operator']): operator is Binary['operator'] & StrictOperator {
  return COMPARISONS.has(operator);
}

function constantFormula(
  operator: StrictOperator,
  left: Value,
  right: Value,
  holdsIfFalse: boolean,
  span: Span,
): Formula | undefined {
  const result = applied(operator, left, right);
  return result === undefined
    ? undefined
    : { kind: 'constant', value: result !== holdsIfFalse, isWritten: false, span };
}

/**
 * Returns the result of a comparison; `undefined` if it is an error, or its result is undefined.
 */
function applied(operator: StrictOperator, left: Value, right: Value): boolean | undefined {
  try {
    const result = applyOperator(operator, left, right, { allocate: () => undefined });
    return typeof result === 'boolean' ? result : undefined;
  } catch (error) {
    if (error instanceof NativeFault) return undefined;
    throw error;
  }
}

function sizeOf(formula: Formula): number {
  return formula.kind === 'all' || formula.kind === 'any' ? formula.size : 1;
}

/** Returns the opposite of a formula. */
export function negated(formula: Formula): Formula {
  switch (formula.kind) {
    case 'constant':
      return { ...formula, value: !formula.value };
    case 'atom':
      return { ...formula, negated: !formula.negated };
    default:
      return { ...formula, kind: formula.kind === 'all' ? 'any' : 'all', parts: formula.parts.map(negated) };
  }
}

function isStable(formula: Formula): boolean {
  if (formula.kind === 'constant') return true;
  return formula.kind === 'atom' ? formula.isStable : formula.parts.every(isStable);
}

/** Returns a formula with the position of another expression, which means the same. */
function placedAt(formula: Formula, { start, end }: Span): Formula {
  return { ...formula, span: { start, end } };
}

/** Returns the formula of a rule at a place that names the rule. */
function renamed(formula: Formula, { start, end }: Span): Formula {
  const span = { start, end };
  if (formula.kind === 'constant') return { ...formula, span };
  if (formula.kind === 'atom') return { ...formula, span, isNamed: true };
  return { ...formula, span, isNamed: true, parts: formula.parts.map((each) => renamed(each, span)) };
}

/**
 * The maximum number of steps for the conditions of one text. After them, nothing more is found.
 */
const MOST_STEPS = 50_000;
/** Whole numbers of at most this many values are tried one by one. */
const MOST_NUMBERS = 100n;
/** The maximum number of combinations of parts that are tried for one condition. */
const MOST_COMBINATIONS = 64;

/** The maximum number of conditions about one value that are compared with each other. */
const MOST_ATOMS = 32;

/** A text that no policy compares with. */
const OTHER_TEXT = '\u0000other';

/** Decides whether formulas can be true. */
export class Decider {
  #left = MOST_STEPS;

  /** Whether a formula is never true. `false` if that is not known. */
  isNever(formula: Formula): boolean {
    return this.#excludes([], [formula], { left: MOST_COMBINATIONS });
  }

  /** Whether a formula is never false. */
  isAlways(formula: Formula): boolean {
    return this.isNever(negated(formula));
  }

  /** Whether some formulas cannot all be true if certain atoms are true. */
  #excludes(atoms: readonly Atom[], formulas: readonly Formula[], combinations: { left: number }): boolean {
    const all: Atom[] = [...atoms];
    const choices: Extract<Formula, { kind: 'all' | 'any' }>[] = [];
    const waiting = [...formulas];
    this.#left -= atoms.length + formulas.length;
    for (let formula = waiting.pop(); formula; formula = waiting.pop()) {
      if (this.#left-- < 0) return false;
      if (formula.kind === 'constant') {
        if (!formula.value) return true;
      } else if (formula.kind === 'atom') all.push(formula);
      else if (formula.kind === 'all') waiting.push(...formula.parts.slice(0, MOST_ELEMENTS));
      else choices.push(formula);
    }
    if (this.#conflict(all)) return true;
    const [choice, ...others] = choices.sort((a, b) => a.parts.length - b.parts.length);
    if (!choice) return false;
    combinations.left -= choice.parts.length;
    if (combinations.left < 0) return false;
    return choice.parts.every((part) => this.#excludes(all, [part, ...others], combinations));
  }

  #conflict(atoms: readonly Atom[]): boolean {
    const bySubject = new Map<string, Atom[]>();
    for (const atom of atoms) {
      const same = bySubject.get(atom.subject);
      if (same) same.push(atom);
      else bySubject.set(atom.subject, [atom]);
    }
    return [...bySubject.values()].some((each) => this.#neverTogether(each));
  }

  #holds(atom: Atom, value: Value): boolean {
    this.#left -= Array.isArray(atom.constant) ? atom.constant.length : 1;
    return this.#left < 0 || holds(atom, value);
  }

  /** Whether conditions about one value are never true together. */
  #neverTogether(atoms: readonly Atom[]): boolean {
    if (areOpposite(atoms) || haveOtherPrefixes(atoms)) return true;
    if (atoms.length > MOST_ATOMS) return false;
    const samples = samplesFor(atoms);
    if (!samples) return false;
    return !samples.some((value) => atoms.every((atom) => this.#holds(atom, value))) && this.#left >= 0;
  }
}

function holds({ operator, constant, negated: isNegated }: Atom, value: Value): boolean {
  const result =
    operator === 'has_prefix'
      ? typeof value === 'string' && value.startsWith(String(constant))
      : applied(operator, value, constant);
  return result === !isNegated;
}

/** Whether one condition is the opposite of another one. */
function areOpposite(atoms: readonly Atom[]): boolean {
  const seen = new Map<string, boolean>();
  return atoms.some(({ operator, constant, negated: isNegated }) => {
    if (Array.isArray(constant)) return false;
    const key = `${operator} ${typeof constant} ${String(constant)}`;
    const other = seen.get(key);
    seen.set(key, isNegated);
    return other !== undefined && other !== isNegated;
  });
}

function haveOtherPrefixes(atoms: readonly Atom[]): boolean {
  let longest = '';
  for (const { operator, constant, negated: isNegated } of atoms) {
    if (operator !== 'has_prefix' || isNegated) continue;
    const prefix = String(constant);
    if (!longest.startsWith(prefix) && !prefix.startsWith(longest)) return true;
    if (prefix.length > longest.length) longest = prefix;
  }
  return false;
}

/**
 * Returns sample values: if any value fulfils all conditions, one of the samples does. Returns
 * `undefined` if such samples are not known.
 */
function samplesFor(atoms: readonly Atom[]): readonly Value[] | undefined {
  for (const { operator, constant, negated: isNegated } of atoms) {
    if (isNegated) continue;
    if (operator === 'is') return [constant];
    if (operator === 'in' && Array.isArray(constant)) return constant;
  }
  const shape = atoms[0]?.shape;
  if (shape instanceof Words) return shape.words;
  if (typeOfShape(shape) === 'bool') return [true, false];
  const constants = atoms.flatMap(({ constant }) => (Array.isArray(constant) ? constant : [constant]));
  const isExamined = atoms.every(({ operator, constant }) => {
    if (operator === 'is') return true;
    if (operator === 'in') return Array.isArray(constant);
    return ['<', '<=', '>', '>='].includes(operator) && isNumber(constant);
  });
  if (!isExamined) return undefined;
  const numbers = constants.filter(isNumber);
  if (shape instanceof WholeNumbers) return wholeSamples(shape, numbers);
  const around = numbers.flatMap((each) => neighbors(each));
  if (typeOfShape(shape) === 'int') return around.filter((each) => typeof each === 'bigint').concat(0n);
  return [OTHER_TEXT, ...constants, ...around, ...between(numbers)];
}

function wholeSamples(
  { least, greatest }: WholeNumbers,
  numbers: readonly (bigint | number)[],
): readonly Value[] {
  if (greatest !== undefined && greatest - least < MOST_NUMBERS) {
    return Array.from({ length: Number(greatest - least) + 1 }, (_, index) => least + BigInt(index));
  }
  const around = numbers.flatMap((each) => neighbors(each)).filter((each) => typeof each === 'bigint');
  return [least, ...around.filter((each) => each >= least && (greatest === undefined || each <= greatest))];
}

/** Returns a number, and its neighbors below and above. */
function neighbors(value: bigint | number): readonly (bigint | number)[] {
  if (typeof value === 'bigint') return [value - 1n, value, value + 1n];
  const whole = Number.isFinite(value) ? BigInt(Math.floor(value)) : 0n;
  return [value - 1, value, value + 1, whole, whole + 1n];
}

/** Returns the middle between each number and the next larger one. */
function between(numbers: readonly (bigint | number)[]): readonly number[] {
  const sorted = numbers.map(Number).sort((a, b) => a - b);
  return sorted.slice(1).map((each, index) => (each + sorted[index]!) / 2);
}

/** Whether an expression is the constant `undefined`. */
export function isUndefined(expression: Expression, bindings: Bindings): boolean {
  const inner = withoutBrackets(expression);
  if (inner.kind !== 'identifier' || bindings.of(inner)) return false;
  return UNIVERSE[inner.name] instanceof Undefined && inner.name === 'undefined';
}
