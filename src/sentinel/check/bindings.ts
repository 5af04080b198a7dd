import { children } from '../ast/children';
import type { CallExpression, Expression, File, FunctionLiteral, Identifier, Statement } from '../ast/nodes';
import { ownExpressions, statementsWithin } from '../ast/within';

/** The meaning of a name in an expression. */
type Binding =
  /** A variable that the text assigns once. */
  | { readonly kind: 'value'; readonly value: Expression }
  /** An element of a collection, or its key or index. */
  | { readonly kind: 'element'; readonly collection: Expression; readonly part: 'one' | 'key' | 'value' }
  /** A parameter, a function, or a variable that is assigned more than once. */
  | { readonly kind: 'unknown' };

const UNKNOWN: Binding = { kind: 'unknown' };

interface Scope {
  readonly names: ReadonlyMap<string, Binding>;
  readonly outer: Scope | undefined;
}

/** The names in the expressions of a text, with what they stand for. */
export class Bindings {
  readonly #variables = new Map<string, Binding>();
  readonly #bound = new Map<Identifier, Binding>();
  readonly #changed = new Set<string>();

  constructor(file: File) {
    for (const { name } of file.params) this.#variables.set(name.name, UNKNOWN);
    for (const statement of statementsWithin(file.statements)) this.#declare(statement);
    for (const { value } of file.params) if (value) this.#expression(value, undefined);
    this.#statements(file.statements, undefined);
  }

  /** Returns what a name stands for; `undefined` if the text does not bind it. */
  of(identifier: Identifier): Binding | undefined {
    return this.#bound.get(identifier);
  }

  /** Whether the elements of a variable may change after its assignment. */
  isChanged(name: string): boolean {
    return this.#changed.has(name);
  }

  #declare(statement: Statement): void {
    if (statement.kind === 'function declaration') this.#variables.set(statement.name.name, UNKNOWN);
    if (statement.kind !== 'assignment') return;
    const { target, operator, value } = statement;
    if (target.kind !== 'identifier') {
      let { object }: { readonly object: Expression } = target;
      while (object.kind === 'index' || object.kind === 'selector') ({ object } = object);
      if (object.kind === 'identifier') this.#changed.add(object.name);
      return;
    }
    const isFirst = !this.#variables.has(target.name) && operator === '=';
    this.#variables.set(target.name, isFirst ? { kind: 'value', value } : UNKNOWN);
    if (value.kind === 'identifier') this.#changed.add(value.name);
  }

  #statements(statements: readonly Statement[], scope: Scope | undefined): void {
    for (const statement of statements) {
      for (const expression of ownExpressions(statement)) this.#expression(expression, scope);
      switch (statement.kind) {
        case 'if':
          this.#statements(statement.then.statements, scope);
          if (statement.otherwise) this.#statements([statement.otherwise], scope);
          break;
        case 'for': {
          const names = elementNames(statement.names, statement.collection);
          this.#statements(statement.body.statements, { names, outer: scope });
          break;
        }
        case 'case':
          for (const clause of statement.clauses) this.#statements(clause.statements, scope);
          break;
        case 'block':
          this.#statements(statement.statements, scope);
          break;
        case 'function declaration':
          this.#function(statement.function, scope);
          break;
        default:
          break;
      }
    }
  }

  #function({ parameters, body }: FunctionLiteral, outer: Scope | undefined): void {
    const names = new Map(parameters.map(({ name }) => [name, UNKNOWN]));
    this.#statements(body.statements, { names, outer });
  }

  #expression(first: Expression, outermost: Scope | undefined): void {
    const waiting: [Expression, Scope | undefined][] = [[first, outermost]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [expression, scope] = next;
      switch (expression.kind) {
        case 'identifier':
          this.#bind(expression, scope);
          break;
        case 'function':
          this.#function(expression, scope);
          break;
        case 'quantifier': {
          const names = elementNames(expression.names, expression.collection);
          waiting.push([expression.collection, scope], [expression.body, { names, outer: scope }]);
          break;
        }
        default:
          if (expression.kind === 'call') this.#changeArguments(expression);
          for (const part of children(expression)) waiting.push([part, scope]);
      }
    }
  }

  /** A function may change a list or a map that it receives. */
  #changeArguments({ arguments: given }: CallExpression): void {
    for (const each of given) if (each.kind === 'identifier') this.#changed.add(each.name);
  }

  #bind(identifier: Identifier, scope: Scope | undefined): void {
    const variable = this.#variables.get(identifier.name);
    for (let each = scope; each; each = each.outer) {
      const binding = each.names.get(identifier.name);
      if (!binding) continue;
      this.#bound.set(identifier, variable ? UNKNOWN : binding);
      return;
    }
    if (variable) this.#bound.set(identifier, variable);
  }
}

function elementNames(names: readonly Identifier[], collection: Expression): ReadonlyMap<string, Binding> {
  const [first, second] = names;
  const of = (part: 'one' | 'key' | 'value'): Binding => ({ kind: 'element', collection, part });
  return new Map([
    ...(first ? [[first.name, of(second ? 'key' : 'one')] as const] : []),
    ...(second ? [[second.name, of('value')] as const] : []),
  ]);
}
