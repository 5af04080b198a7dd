import type { Binary, CallExpression, Expression } from '../ast/nodes';
import { withoutBrackets } from '../ast/within';
import { UNIVERSE } from '../evaluate/builtins';
import type { Span } from '../source/source-text';
import { isList, type Shapes } from './shapes';
import { ARGUMENTS } from './import-shapes';
import { Returning, typeOfShape, type Shape } from './shape';

/** Operands of types that an operator cannot be applied to, or that are never equal. */
export interface Mismatch {
  readonly id: 'never-equal' | 'wrong-type';
  readonly span: Span;
  readonly problem: string;
  readonly hint: string | undefined;
}

const EACH_IN = 'write: any … as each { each in … }';
const ORDERED = new Set(['int', 'float', 'string']);
const COLLECTIONS = new Set(['list', 'map', 'string']);

/** Returns why the operands of an operator do not fit; `undefined` if they may. */
export function mismatchOf(expression: Binary, shapes: Shapes): Mismatch | undefined {
  const { operator, left, right, negated } = expression;
  const [first, second] = [shapes.of(left), shapes.of(right)];
  const result = (isNegated: boolean) => `the comparison is ${isNegated ? 'always' : 'never'} true`;
  switch (operator) {
    case 'is':
      return neverEqual(left, first, right, second, result(negated));
    case '<':
    case '<=':
    case '>':
    case '>=':
      return notOrdered(expression, first, second);
    case 'in':
      return inCollection(left, first, right, second, negated, shapes);
    case 'contains':
      return inCollection(right, second, left, first, negated, shapes);
    case 'matches':
      return (
        notText(left, first, '"matches" compares strings') ?? notText(right, second, 'a pattern is a string')
      );
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return notAddable(expression, first, second);
    default:
      return undefined;
  }
}

/** Returns why an expression cannot be a condition; `undefined` if it may be one. */
export function noConditionOf(operand: Expression, shapes: Shapes): Mismatch | undefined {
  const type = typeOfShape(shapes.of(operand));
  if (type === undefined || type === 'bool' || type === 'undefined') return undefined;
  const problem = `a condition is a bool, and this is ${article(type)}: it is never true`;
  const cure = COLLECTIONS.has(type) ? 'compare it, as with "is not empty"' : 'compare it with a value';
  return { id: 'wrong-type', span: operand, problem, hint: cure };
}

/** Returns why a value has no elements; `undefined` if it may have some. */
export function noCollectionOf(collection: Expression, shapes: Shapes): Mismatch | undefined {
  const type = typeOfShape(shapes.of(collection));
  if (type === undefined || type === 'list' || type === 'map') return undefined;
  const problem = `only lists and maps have elements, and this is ${article(type)}: it is always an error`;
  return { id: 'wrong-type', span: collection, problem, hint: 'write a list, such as ["a", "b"]' };
}

/** Returns why a value has no fields; `undefined` if it may have some. */
export function noFieldsOf(shape: Shape, key: string, span: Span): Mismatch | undefined {
  const type = typeOfShape(shape);
  if (type === undefined || !(ORDERED.has(type) || type === 'list' || type === 'bool')) return undefined;
  const problem = `${article(type)} has no fields, and no "${key}": it is always an error`;
  const hint = type === 'list' ? `write: any … as each { each.${key} … }` : 'remove the field';
  return { id: 'wrong-type', span, problem, hint };
}

/** Returns the arguments that are always an error because of their type. */
export function wrongArguments(
  { callee, arguments: given }: CallExpression,
  shapes: Shapes,
): readonly Mismatch[] {
  const shape = shapes.of(callee);
  const name = shape instanceof Returning ? shape.name : undefined;
  const allowed = name === undefined || !Object.hasOwn(ARGUMENTS, name) ? undefined : ARGUMENTS[name];
  if (!allowed) return [];
  return given.flatMap((argument): readonly Mismatch[] => {
    const type = typeOfShape(shapes.of(argument));
    if (type === undefined || type === 'undefined' || allowed.includes(type)) return [];
    const problem = `${name} takes ${allowed.map(article).join(' or ')}, and this is ${article(type)}: the call is always an error`;
    const hint = allowed.length === 1 && allowed[0] === 'string' ? 'write string(…)' : undefined;
    return [{ id: 'wrong-type', span: argument, problem, hint }];
  });
}

function neverEqual(
  left: Expression,
  first: Shape,
  right: Expression,
  second: Shape,
  result: string,
): Mismatch | undefined {
  const [one, other] = [typeOfShape(first), typeOfShape(second)];
  if (one === undefined || other === undefined || isComparable(one, other)) return undefined;
  const [value, constant] = isConstant(left) ? [right, left] : [left, right];
  const [type, given] = value === left ? [one, other] : [other, one];
  return {
    id: 'never-equal',
    span: constant,
    problem: `${article(type)} is never equal to ${article(given)}: ${result}`,
    hint: cureFor(type, constant),
  };
}

function isComparable(one: string, other: string): boolean {
  if (one === other || one === 'undefined' || other === 'undefined' || one === 'null' || other === 'null')
    return true;
  return [one, other].every((type) => type === 'int' || type === 'float');
}

function notOrdered({ left, right, written }: Binary, first: Shape, second: Shape): Mismatch | undefined {
  const [one, other] = [typeOfShape(first), typeOfShape(second)];
  for (const [operand, type] of [
    [left, one],
    [right, other],
  ] as const) {
    if (type === undefined || type === 'undefined' || ORDERED.has(type)) continue;
    const problem = `"${written}" compares numbers or strings, and this is ${article(type)}: the comparison is never true`;
    return { id: 'wrong-type', span: operand, problem, hint: 'compare its elements, or its length' };
  }
  if (one === undefined || other === undefined || isComparable(one, other)) return undefined;
  const constant = isConstant(left) ? left : right;
  const [type, given] = constant === left ? [other, one] : [one, other];
  const problem = `${article(type)} and ${article(given)} have no order: the comparison is never true`;
  return { id: 'never-equal', span: constant, problem, hint: cureFor(type, constant) };
}

function inCollection(
  element: Expression,
  elementShape: Shape,
  collection: Expression,
  collectionShape: Shape,
  negated: boolean,
  shapes: Shapes,
): Mismatch | undefined {
  const type = typeOfShape(collectionShape);
  const given = typeOfShape(elementShape);
  if (type === undefined || type === 'undefined') return undefined;
  if (!COLLECTIONS.has(type)) {
    const problem = `only lists, maps and strings contain something, and this is ${article(type)}: the comparison is always an error`;
    const hint = given !== undefined && COLLECTIONS.has(given) ? 'swap the operands' : 'compare it with "is"';
    return { id: 'wrong-type', span: collection, problem, hint };
  }
  if (type === 'string') {
    if (given === undefined || given === 'string' || given === 'undefined') return undefined;
    const problem = `a string contains strings only, and this is ${article(given)}: the comparison is always an error`;
    const hint = given === 'list' ? 'swap the operands' : cureFor('string', element);
    return { id: 'wrong-type', span: element, problem, hint };
  }
  if (type === 'map' || given === undefined) return undefined;
  const literals = literalElements(collection);
  if (literals) {
    // Only the first is reported: the others are probably of the same type.
    for (const each of literals) {
      const found = neverEqual(element, elementShape, each, shapes.of(each), 'the element has no effect');
      if (found) return { ...found, span: each, hint: given === 'list' ? EACH_IN : cureFor(given, each) };
    }
    return undefined;
  }
  if (!isList(collectionShape)) return undefined;
  const own = typeOfShape(collectionShape[0]);
  if (own === undefined || isComparable(own, given)) return undefined;
  return {
    id: 'never-equal',
    span: element,
    problem: `the list has ${own}s only, and this is ${article(given)}: the comparison is ${negated ? 'always' : 'never'} true`,
    hint: cureFor(own, element),
  };
}

function literalElements(collection: Expression): readonly Expression[] | undefined {
  if (collection.kind === 'group') return literalElements(collection.expression);
  return collection.kind === 'list' ? collection.elements : undefined;
}

function notText(operand: Expression, shape: Shape, rule: string): Mismatch | undefined {
  const type = typeOfShape(shape);
  if (type === undefined || type === 'string' || type === 'undefined') return undefined;
  const problem = `${rule}, and this is ${article(type)}: the comparison is always an error`;
  const hint = type === 'list' ? 'write: any … as each { each matches … }' : cureFor('string', operand);
  return { id: 'wrong-type', span: operand, problem, hint: hint ?? 'write string(…)' };
}

function notAddable({ operator, left, right }: Binary, first: Shape, second: Shape): Mismatch | undefined {
  const [one, other] = [typeOfShape(first), typeOfShape(second)];
  if (one === undefined || other === undefined || one === 'undefined' || other === 'undefined')
    return undefined;
  const isNumeric = [one, other].every((type) => type === 'int' || type === 'float');
  if (isNumeric || (operator === '+' && one === other && (one === 'string' || one === 'list')))
    return undefined;
  const hasText = operator === '+' && (one === 'string' || other === 'string');
  return {
    id: 'wrong-type',
    span: { start: left.start, end: right.end },
    problem: `"${operator}" cannot be applied to ${article(one)} and ${article(other)}: it is always an error`,
    hint: hasText ? 'write string(…) around the other value' : 'use numbers, two strings or two lists',
  };
}

function isConstant(expression: Expression): boolean {
  if (expression.kind === 'group') return isConstant(expression.expression);
  if (expression.kind === 'identifier') return expression.name === 'true' || expression.name === 'false';
  return expression.kind === 'literal' || expression.kind === 'list' || expression.kind === 'map';
}

/** Returns how to write a literal as a value of another type; `undefined` for other expressions. */
function cureFor(type: string | undefined, written: Expression): string | undefined {
  const expression = withoutBrackets(written);
  if (type === 'list') return 'write "contains", or a list';
  if (
    expression.kind === 'identifier' &&
    (isConstant(expression) || Object.hasOwn(UNIVERSE, expression.name))
  ) {
    return type === 'string' ? `did you mean "${expression.name}"?` : undefined;
  }
  if (expression.kind === 'list') return 'write "in" for one of a list';
  if (expression.kind !== 'literal') return undefined;
  const { value } = expression;
  if (type === 'string' && typeof value !== 'string') return `did you mean "${value}"?`;
  if ((type === 'int' || type === 'float') && typeof value === 'string' && /^-?\d+$/.test(value)) {
    return `did you mean ${value}, without quotes?`;
  }
  if (type === 'bool' && (value === 'true' || value === 'false'))
    return `did you mean ${value}, without quotes?`;
  return type === undefined ? undefined : `compare it with ${article(type)}`;
}

function article(type: string | undefined): string {
  return `${/^[aeiou]/.test(type ?? '') ? 'an' : 'a'} ${type}`;
}
