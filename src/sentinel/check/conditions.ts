import type { Expression, File, Statement } from '../ast/nodes';
import { expressionsOf, statementsWithin, withoutBrackets } from '../ast/within';
import type { FindingId } from '../source/errors';
import type { SourceText, Span } from '../source/source-text';
import type { Bindings } from './bindings';
import { Decider, Formulas, negated, type Formula } from './formulas';
import type { Shapes } from './shapes';

/** A condition whose result does not depend on the request. */
interface ConstantCondition {
  readonly id: FindingId;
  readonly span: Span;
  readonly problem: string;
  readonly hint: string | undefined;
}

/** Where a condition stands. */
interface Place {
  /** The part of the policy for messages: `the condition`, `the rule "main"`. */
  readonly what: string;
  readonly condition: Expression;
}

interface Reason extends Omit<ConstantCondition, 'id'> {
  /** Whether the problem names the whole condition. */
  readonly isWhole?: boolean;
}

const LOGICAL = new Set(['and', 'or', 'xor']);
const COMPARISONS = new Set(['is', '<', '<=', '>', '>=', 'in', 'contains', 'matches']);
/** The maximum number of pairs in a chain that are compared for a message. */
const MOST_PAIRS = 300;
/** The maximum length of a quoted condition, in characters. */
const LONGEST_QUOTED = 60;

/** Finds conditions that are always true, or never. */
export function* constantConditions(
  file: File,
  bindings: Bindings,
  shapes: Shapes,
): Generator<ConstantCondition> {
  const formulas = new Formulas(file, bindings, shapes);
  const reporter = new Reporter(file.source, new Decider());
  for (const { what, condition } of placesIn(file)) {
    const isRule = what.startsWith('the rule');
    const inner = withoutBrackets(condition);
    if (inner.kind === 'identifier' && (inner.name === 'true' || inner.name === 'false')) {
      // A constant "main" is written on purpose, for a policy that always passes, or never.
      if (what === 'the condition' || what === 'the rule "main"') continue;
      const id = isRule ? 'constant-rule' : 'constant-condition';
      const { span, problem, hint } = constantReason(what, inner, inner.name === 'true');
      yield { id, span, problem, hint };
      continue;
    }
    const { reasons, value } = reporter.reasonsFor(formulas.of(condition));
    if (value !== undefined && reasons.length === 0) reasons.push(constantReason(what, inner, value));
    const isWhole = reasons.length === 1 && what === 'the condition' && isAround(reasons[0]!.span, condition);
    const isNamed = isWhole || reasons.at(-1)?.isWhole === true;
    const consequence = value === undefined || isNamed ? undefined : `${what} is ${always(value)}`;
    for (const [index, reason] of reasons.entries()) {
      const isLast = index === reasons.length - 1;
      const problem =
        isLast && consequence !== undefined ? `${reason.problem}: ${consequence}` : reason.problem;
      const id = isRule && value !== undefined && isLast ? 'constant-rule' : 'constant-condition';
      const { span, hint } = reason;
      yield { id, span, problem, hint };
    }
  }
}

function isAround(outer: Span, written: Expression): boolean {
  const inner = withoutBrackets(written);
  return outer.start <= inner.start && outer.end >= inner.end;
}

/** Returns the reason for a condition that is constant as a whole. */
function constantReason(what: string, { start, end }: Span, value: boolean): Reason {
  const problem = `${what} is ${always(value)}, whatever the request is`;
  return { span: { start, end }, problem, hint: 'write its condition, or remove it', isWhole: true };
}

/** Yields the conditions of a text, without parts of other conditions. */
function* placesIn(file: File): Generator<Place> {
  const inner = new Set<Expression>();
  const statements = [...statementsWithin(file.statements)];
  const named = new Map<Expression, string>(statements.flatMap(ruleName));
  for (const statement of statements) {
    if (statement.kind === 'if' && isCondition(statement.condition)) {
      inner.add(withoutBrackets(statement.condition));
      yield { what: 'the condition', condition: statement.condition };
    }
  }
  for (const expression of expressionsOf(file)) {
    if (expression.kind === 'rule') {
      if (expression.when && isExamined(expression.when)) {
        inner.add(withoutBrackets(expression.when));
        yield { what: `the condition of ${ruleText(named.get(expression))}`, condition: expression.when };
      }
      if (isExamined(expression.body)) {
        inner.add(withoutBrackets(expression.body));
        yield { what: ruleText(named.get(expression)), condition: expression.body };
      }
    } else if (!inner.has(expression) && isCondition(expression) && expression.kind !== 'group') {
      yield { what: 'the condition', condition: expression };
    }
    if (expression.kind === 'group' || !isCondition(expression)) continue;
    if (expression.kind === 'unary') inner.add(withoutBrackets(expression.operand));
    if (expression.kind === 'binary' && (expression.operator === 'and' || expression.operator === 'or')) {
      inner.add(withoutBrackets(expression.left)).add(withoutBrackets(expression.right));
    }
  }
}

function ruleName(statement: Statement): readonly (readonly [Expression, string])[] {
  if (statement.kind !== 'assignment' || statement.target.kind !== 'identifier') return [];
  return [[withoutBrackets(statement.value), statement.target.name]];
}

function ruleText(name: string | undefined): string {
  return name === undefined ? 'the rule' : `the rule ${JSON.stringify(name)}`;
}

/**
 * Whether an expression can be constant. A name may stand for a constant, and a quantifier over an
 * empty list has a constant result.
 */
function isExamined(expression: Expression): boolean {
  return isCondition(expression) || expression.kind === 'identifier' || expression.kind === 'quantifier';
}

function isCondition(written: Expression): boolean {
  const expression = withoutBrackets(written);
  if (expression.kind === 'unary') return expression.operator === 'not';
  if (expression.kind !== 'binary') return false;
  return LOGICAL.has(expression.operator) || COMPARISONS.has(expression.operator);
}

class Reporter {
  readonly #source: SourceText;
  readonly #decider: Decider;

  constructor(source: SourceText, decider: Decider) {
    this.#source = source;
    this.#decider = decider;
  }

  /** Returns why parts of a condition are constant, and the value of the condition if it is. */
  reasonsFor(formula: Formula): { readonly reasons: Reason[]; readonly value: boolean | undefined } {
    const reasons: Reason[] = [];
    const value = this.#value(formula, reasons);
    return { reasons, value };
  }

  #value(formula: Formula, reasons: Reason[]): boolean | undefined {
    if (formula.kind === 'constant') {
      if (!formula.isWritten) reasons.push(this.#whole(formula, formula.value));
      return formula.value;
    }
    if (formula.kind === 'atom' || formula.isNamed) {
      const value = this.#decided(formula);
      if (value !== undefined && !formula.isNamed) reasons.push(this.#whole(formula, value));
      return formula.isNamed ? undefined : value;
    }
    const decisive = formula.kind === 'any';
    const values = formula.parts.map((part) => this.#value(part, reasons));
    if (values.includes(decisive)) {
      const written = formula.parts.find(
        (part) => part.kind === 'constant' && part.isWritten && part.value === decisive,
      );
      if (written) {
        const word = decisive ? 'or' : 'and';
        const problem = `"${this.#quote(written.span)}" decides what it is joined with by "${word}"`;
        reasons.push({
          span: written.span,
          problem,
          hint: 'remove it, or write the condition that is meant',
        });
      }
      return decisive;
    }
    if (values.every((value) => value === !decisive)) return !decisive;
    // Rules that are constant are reported where they are written.
    const parts = formula.parts.filter((part) => part.kind === 'constant' || !this.#isConstantRule(part));
    const examined = { ...formula, parts };
    const isConstant = decisive ? this.#decider.isAlways(examined) : this.#decider.isNever(examined);
    if (!isConstant || parts.length === 0) return undefined;
    reasons.push(this.#conflict(examined, decisive));
    return decisive;
  }

  #isConstantRule(part: Exclude<Formula, { kind: 'constant' }>): boolean {
    return part.isNamed === true && this.#decided(part) !== undefined;
  }

  #decided(formula: Formula): boolean | undefined {
    if (this.#decider.isNever(formula)) return false;
    return this.#decider.isAlways(formula) ? true : undefined;
  }

  /** Returns the reason for one constant comparison. */
  #whole({ span }: Formula, value: boolean): Reason {
    return {
      span,
      problem: `${this.#quote(span)} is ${always(value)}`,
      hint: 'correct one of its sides, or remove it',
    };
  }

  /** Returns the reason for parts that exclude each other, or one of which always holds. */
  #conflict(formula: Extract<Formula, { kind: 'all' | 'any' }>, isAlways: boolean): Reason {
    const pair = this.#pairIn(formula, isAlways);
    if (!pair) {
      const problem = isAlways ? 'one of these parts always holds' : 'these parts exclude each other';
      return { span: formula.span, problem, hint: `did you mean "${isAlways ? 'and' : 'or'}"?` };
    }
    const [first, second] = pair.map(({ span }) => this.#quote(span));
    const problem = isAlways
      ? `of ${first} and ${second}, one always holds`
      : `${first} and ${second} exclude each other`;
    return { span: pair[1].span, problem, hint: `did you mean "${isAlways ? 'and' : 'or'}"?` };
  }

  #pairIn(
    { parts }: Extract<Formula, { kind: 'all' | 'any' }>,
    isAlways: boolean,
  ): readonly [Formula, Formula] | undefined {
    let left = MOST_PAIRS;
    for (const [index, second] of parts.entries()) {
      for (const first of parts.slice(0, index)) {
        if (left-- < 0) return undefined;
        const both: Formula[] = isAlways ? [negated(first), negated(second)] : [first, second];
        const size = both.length;
        if (this.#decider.isNever({ kind: 'all', parts: both, span: second.span, size }))
          return [first, second];
      }
    }
    return undefined;
  }

  #quote({ start, end }: Span): string {
    const text = this.#source.text.slice(start, end).replace(/\s+/g, ' ');
    return text.length > LONGEST_QUOTED ? `${text.slice(0, LONGEST_QUOTED)}…` : text;
  }
}

function always(value: boolean): string {
  return value ? 'always true' : 'never true';
}
