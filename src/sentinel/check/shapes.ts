import type { Binary, Expression, File, Identifier } from '../ast/nodes';
import { importName } from '../evaluate/static-faults';
import type { Bindings } from './bindings';
import { builtinShape, memberShape } from './import-shapes';
import { ANY_KEY, isMapShape, Returning, typeOfShape, type PolicyEnvironment, type Shape } from './shape';

/** The maximum depth at which the parts of an expression have a known shape. */
const DEEPEST = 40;

/** The shapes of expressions that are known without a run. */
export class Shapes {
  readonly #bindings: Bindings;
  readonly #globals: PolicyEnvironment['globals'];
  readonly #imports: ReadonlyMap<string, string>;
  readonly #known = new Map<Expression, Shape>();

  constructor(file: File, bindings: Bindings, { globals }: PolicyEnvironment) {
    this.#bindings = bindings;
    this.#globals = globals;
    this.#imports = new Map(file.imports.map((each) => [importName(each), each.path]));
  }

  /** Returns the path of the import that a name stands for; `undefined` for other expressions. */
  importOf(expression: Expression): string | undefined {
    if (expression.kind !== 'identifier' || this.#bindings.of(expression)) return undefined;
    return this.#imports.get(expression.name);
  }

  /** Returns the shape of an expression; `any` if it is not known. */
  of(expression: Expression, level = 0): Shape {
    const known = this.#known.get(expression);
    if (known !== undefined) return known;
    if (level > DEEPEST) return 'any';
    // A variable whose value contains itself has no shape.
    this.#known.set(expression, 'any');
    const shape = this.#compute(expression, level + 1);
    this.#known.set(expression, shape);
    return shape;
  }

  /** Returns the shape of a field; `undefined` if the object cannot have a field with that name. */
  entry(object: Expression, key: string, level = 0): Shape | undefined {
    const path = this.importOf(object);
    if (path !== undefined && !Object.hasOwn(this.#globals, path)) return memberShape(path, key) ?? 'any';
    const shape = this.of(object, level);
    if (!isMapShape(shape)) return 'any';
    if (Object.hasOwn(shape, key)) return shape[key];
    return Object.hasOwn(shape, ANY_KEY) ? shape[ANY_KEY] : undefined;
  }

  #compute(expression: Expression, level: number): Shape {
    switch (expression.kind) {
      case 'identifier':
        return this.#nameShape(expression, level);
      case 'literal':
        return literalShape(expression.value);
      case 'list':
        return [common(expression.elements.slice(0, DEEPEST).map((each) => this.of(each, level)))];
      case 'map':
        return { [ANY_KEY]: 'any' };
      case 'function':
        return new Returning(() => 'any');
      case 'rule':
        return this.of(expression.body, level);
      case 'quantifier':
        if (expression.word === 'filter') return this.of(expression.collection, level);
        return expression.word === 'map' ? [this.of(expression.body, level)] : 'bool';
      case 'unary':
        return expression.operator === 'not' ? 'bool' : this.#negated(expression.operand, level);
      case 'test':
        return 'bool';
      case 'binary':
        return this.#binaryShape(expression, level);
      case 'group':
        return this.of(expression.expression, level);
      case 'selector':
        return this.entry(expression.object, expression.name.name, level) ?? 'any';
      case 'index':
        return this.#elementShape(expression.object, expression.index, level);
      case 'slice':
        return this.of(expression.object, level);
      case 'call': {
        const callee = this.of(expression.callee, level);
        return callee instanceof Returning ? callee.result() : 'any';
      }
    }
  }

  #nameShape(identifier: Identifier, level: number): Shape {
    const binding = this.#bindings.of(identifier);
    if (!binding) {
      const { name } = identifier;
      const global = this.#imports.get(name) ?? name;
      if (Object.hasOwn(this.#globals, global)) return this.#globals[global] ?? 'any';
      return this.#imports.has(name) ? 'any' : (builtinShape(name) ?? 'any');
    }
    if (binding.kind === 'value') return this.of(binding.value, level);
    if (binding.kind === 'unknown') return 'any';
    const collection = this.of(binding.collection, level);
    const type = typeOfShape(collection);
    if (type === 'list') {
      return binding.part === 'key' ? 'int' : isList(collection) ? collection[0] : 'any';
    }
    if (type !== 'map' || !isMapShape(collection)) return 'any';
    if (binding.part === 'value') return collection[ANY_KEY] ?? 'any';
    return Object.hasOwn(collection, ANY_KEY) && collection[ANY_KEY] === 'any' ? 'any' : 'text';
  }

  #elementShape(object: Expression, index: Expression, level: number): Shape {
    const shape = this.of(object, level);
    if (isList(shape)) return shape[0];
    if (index.kind === 'literal' && typeof index.value === 'string') {
      return this.entry(object, index.value, level) ?? 'any';
    }
    return isMapShape(shape) && Object.hasOwn(shape, ANY_KEY) ? (shape[ANY_KEY] ?? 'any') : 'any';
  }

  #negated(operand: Expression, level: number): Shape {
    const type = typeOfShape(this.of(operand, level));
    return type === 'int' || type === 'float' ? type : 'any';
  }

  #binaryShape({ operator, left, right }: Binary, level: number): Shape {
    switch (operator) {
      case 'else': {
        const [first, second] = [this.of(left, level), this.of(right, level)];
        return isEmptyLiteral(right) && typeof first === 'object' ? first : common([first, second]);
      }
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return this.#resultShape(this.of(left, level), this.of(right, level));
      default:
        return 'bool';
    }
  }

  #resultShape(left: Shape, right: Shape): Shape {
    const types = [typeOfShape(left), typeOfShape(right)];
    if (types.every((type) => type === 'int')) return 'int';
    if (types.every((type) => type === 'int' || type === 'float')) return 'float';
    if (types.every((type) => type === 'string')) return 'text';
    return isList(left) && isList(right) ? [common([left[0], right[0]])] : 'any';
  }
}

export function isList(shape: Shape | undefined): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function isEmptyLiteral(expression: Expression): boolean {
  if (expression.kind === 'map') return expression.entries.length === 0;
  return expression.kind === 'list' && expression.elements.length === 0;
}

function literalShape(value: bigint | number | string): Shape {
  return typeof value === 'string' ? 'text' : typeof value === 'bigint' ? 'int' : 'float';
}

/** Returns the shape that values of several shapes have in common. */
function common(shapes: readonly Shape[]): Shape {
  const [first = 'any', ...others] = shapes;
  if (others.every((each) => each === first)) return first;
  const type = typeOfShape(first);
  const isScalar = type === 'string' || type === 'int';
  if (!isScalar || others.some((each) => typeOfShape(each) !== type)) return 'any';
  return type === 'string' ? 'text' : 'int';
}
