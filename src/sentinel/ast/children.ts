import type { Expression } from './nodes';

/** Returns the direct parts of an expression, without those in a function's body. */
export function children(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'identifier':
    case 'literal':
    case 'function':
      return [];
    case 'list':
      return expression.elements;
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'rule':
      return expression.when ? [expression.when, expression.body] : [expression.body];
    case 'quantifier':
      return [expression.collection, expression.body];
    case 'unary':
    case 'test':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'group':
      return [expression.expression];
    case 'selector':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'slice':
      return [expression.object, expression.from, expression.to].filter((part) => part !== undefined);
    case 'call':
      return [expression.callee, ...expression.arguments];
  }
}
