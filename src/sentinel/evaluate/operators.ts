import { RE2JS, RE2JSSyntaxException } from 're2js';
import { compareValues, isEqual, isNumber } from '../values/compare';
import { concatenate } from '../values/text';
import { lookAt } from '../values/walks';
import {
  keyOf,
  MapValue,
  NativeFault,
  typeName,
  Undefined,
  UNDEFINED,
  type RunContext,
  type Value,
} from '../values/value';

type Arithmetic = '+' | '-' | '*' | '/' | '%';
type Comparison = 'is' | '<' | '<=' | '>' | '>=' | 'contains' | 'in' | 'matches';

/** The operators that read both operands before they decide. */
export type StrictOperator = Arithmetic | Comparison;

/**
 * Applies an operator to two values.
 *
 * @throws NativeFault for values of types that it cannot be applied to.
 */
export function applyOperator(
  operator: StrictOperator,
  left: Value,
  right: Value,
  memory: Pick<RunContext, 'allocate'>,
): Value {
  switch (operator) {
    case 'is':
      return isEqual(left, right);
    case 'contains':
      return contains(left, right);
    case 'in':
      return contains(right, left);
    case 'matches':
      return matches(left, right);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return ordered(operator, left, right);
    default:
      return arithmetic(operator, left, right, memory);
  }
}

function arithmetic(
  operator: Arithmetic,
  left: Value,
  right: Value,
  memory: Pick<RunContext, 'allocate'>,
): Value {
  if (left instanceof Undefined) return left;
  if (right instanceof Undefined) return right;
  if (typeof left === 'bigint' && typeof right === 'bigint') return intArithmetic(operator, left, right);
  if (isNumber(left) && isNumber(right)) return floatArithmetic(operator, Number(left), Number(right));
  if (operator === '+' && typeof left === 'string' && typeof right === 'string') {
    memory.allocate(left.length + right.length);
    return concatenate(left, right);
  }
  if (operator === '+' && Array.isArray(left) && Array.isArray(right)) {
    memory.allocate(left.length + right.length);
    return left.concat(right);
  }
  throw new NativeFault(`"${operator}" cannot be applied to ${typeName(left)} and ${typeName(right)}`);
}

function intArithmetic(operator: Arithmetic, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return BigInt.asIntN(64, left + right);
    case '-':
      return BigInt.asIntN(64, left - right);
    case '*':
      return BigInt.asIntN(64, left * right);
    case '/':
      if (right === 0n) throw new NativeFault('division by zero');
      return BigInt.asIntN(64, left / right);
    case '%':
      if (right === 0n) throw new NativeFault('division by zero');
      return left % right;
  }
}

function floatArithmetic(operator: Arithmetic, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    case '%':
      return left % right;
  }
}

function ordered(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value): Value {
  if (left instanceof Undefined) return left;
  if (right instanceof Undefined) return right;
  const order = compareValues(left, right);
  if (order === undefined) return UNDEFINED;
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}

function contains(collection: Value, element: Value): Value {
  if (collection instanceof Undefined) return collection;
  if (Array.isArray(collection)) return listContains(collection, element);
  if (collection instanceof MapValue) {
    if (element instanceof Undefined) return element;
    const key = keyOf(element);
    return key !== undefined && collection.entries.has(key);
  }
  if (typeof collection === 'string') {
    if (element instanceof Undefined) return element;
    if (typeof element === 'string') {
      lookAt(collection.length);
      return collection.includes(element);
    }
    throw new NativeFault(`a string contains strings only, received ${typeName(element)}`);
  }
  throw new NativeFault(
    `"contains" and "in" require a list, a map or a string, received ${typeName(collection)}`,
  );
}

function listContains(list: readonly Value[], element: Value): Value {
  let undecided: Undefined | undefined;
  if (element instanceof Undefined) return element;
  lookAt(list.length);
  for (const each of list) {
    const equal = isEqual(each, element);
    if (equal === true) return true;
    if (equal !== false) undecided ??= equal;
  }
  return undecided ?? false;
}

function matches(text: Value, pattern: Value): Value {
  if (text instanceof Undefined) return text;
  if (pattern instanceof Undefined) return pattern;
  if (typeof text !== 'string')
    throw new NativeFault(`"matches" requires a string, received ${typeName(text)}`);
  if (typeof pattern !== 'string') {
    throw new NativeFault(
      `"matches" requires a regular expression in a string, received ${typeName(pattern)}`,
    );
  }
  const expression = compilePattern(pattern);
  // Both compiling and matching are linear in the size of the compiled expression; compiling takes
  // much longer.
  const size = expression.programSize();
  lookAt(size * ((size > LARGE_PROGRAM ? 64 : 1) + text.length / 4));
  return expression.test(text);
}

const LARGE_PROGRAM = 1000;
const LARGEST_CACHE = 500;
const COMPILED = new Map<string, RE2JS>();

/**
 * Compiles a pattern, or returns it from a cache: compiling takes longer than most matches.
 *
 * @throws NativeFault if it is not a regular expression of RE2.
 */
function compilePattern(pattern: string): RE2JS {
  const known = COMPILED.get(pattern);
  if (known) return known;
  const expression = compileNew(pattern);
  if (COMPILED.size >= LARGEST_CACHE) COMPILED.clear();
  COMPILED.set(pattern, expression);
  return expression;
}

function compileNew(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new NativeFault(`${JSON.stringify(pattern)} is not a valid regular expression: ${error.message}`);
  }
}
