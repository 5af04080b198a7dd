import type { BinaryOperator } from '../ast/nodes';
import { Undefined, type Value } from '../values/value';

/** Returns the result of an operator if the left side alone decides it; otherwise `undefined`. */
export function decidedByLeft(operator: BinaryOperator, left: Value): Value | undefined {
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

/**
 * Applies a logical operator. If the left side is undefined, so is the result, except for `or
 * true`.
 */
export function applyLogic(
  operator: 'and' | 'or' | 'xor',
  left: boolean | Undefined,
  right: boolean | Undefined,
): boolean | Undefined {
  if (operator === 'or' && right === true) return true;
  if (typeof left !== 'boolean') return left;
  if (typeof right !== 'boolean') return right;
  return operator === 'xor' ? left !== right : right;
}

/** Converts the operand of a logical operator: anything but a boolean becomes undefined. */
export function asTruth(value: Value): boolean | Undefined {
  return typeof value === 'boolean' || value instanceof Undefined ? value : new Undefined();
}

/** Applies `or` or `and` to elements, until one has the decisive value. */
export function chain<T>(elements: readonly T[], bodyOf: (element: T) => Value, decisive: boolean): Value {
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
