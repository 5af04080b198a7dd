import { children } from './children';
import type { Expression, File, Statement } from './nodes';

/** Yields every expression of a text, including those in the bodies of functions. */
export function* expressionsOf(file: File): Generator<Expression> {
  for (const { value } of file.params) if (value) yield* within(value);
  for (const statement of statementsWithin(file.statements, false)) {
    for (const expression of ownExpressions(statement)) yield* within(expression);
  }
}

/** The names that a text may read. For each, the keys that are read in `name.key`, or `all`. */
export type NamesRead = ReadonlyMap<string, ReadonlySet<string> | 'all'>;

/** Returns the names that a text may read: those in its expressions, and its imports. */
export function namesReadIn(file: File): NamesRead {
  const names = new Map<string, Set<string> | 'all'>(file.imports.map(({ path }) => [path, 'all']));
  const expressions = [...expressionsOf(file)];
  const selected = new Set<Expression>();
  for (const expression of expressions) {
    if (expression.kind !== 'selector' || expression.object.kind !== 'identifier') continue;
    selected.add(expression.object);
    const { name } = expression.object;
    const keys = names.get(name) ?? new Set();
    if (keys !== 'all') names.set(name, keys.add(expression.name.name));
  }
  for (const expression of expressions) {
    if (expression.kind === 'identifier' && !selected.has(expression)) names.set(expression.name, 'all');
  }
  for (const statement of statementsWithin(file.statements)) {
    if (statement.kind === 'assignment' && statement.target.kind === 'identifier')
      names.set(statement.target.name, 'all');
  }
  return names;
}

/**
 * Yields statements and the statements nested in them, by default including the functions in
 * expressions.
 */
export function* statementsWithin(
  statements: readonly Statement[],
  withFunctions = true,
): Generator<Statement> {
  for (const statement of statements) {
    yield statement;
    for (const inner of innerStatements(statement)) yield* statementsWithin(inner, withFunctions);
    if (!withFunctions) continue;
    for (const expression of ownExpressions(statement)) yield* functionStatements(expression);
  }
}

/**
 * Yields an expression and every expression in it, including those in the bodies of functions. Each
 * comes before its parts.
 */
export function* within(first: Expression): Generator<Expression> {
  const waiting: Expression[] = [first];
  for (let expression = waiting.pop(); expression; expression = waiting.pop()) {
    yield expression;
    if (expression.kind === 'function') {
      for (const statement of statementsWithin(expression.body.statements, false)) {
        for (const part of ownExpressions(statement)) waiting.push(part);
      }
    }
    for (const part of children(expression)) waiting.push(part);
  }
}

function* functionStatements(first: Expression): Generator<Statement> {
  const waiting: Expression[] = [first];
  for (let expression = waiting.pop(); expression; expression = waiting.pop()) {
    if (expression.kind === 'function') yield* statementsWithin(expression.body.statements);
    for (const part of children(expression)) waiting.push(part);
  }
}

/** Returns the expressions of a statement, without those of nested statements. */
export function ownExpressions(statement: Statement): readonly Expression[] {
  switch (statement.kind) {
    case 'assignment':
      return statement.target.kind === 'index' ? [statement.target, statement.value] : [statement.value];
    case 'expression':
      return [statement.expression];
    case 'return':
      return [statement.value];
    case 'if':
      return [statement.condition];
    case 'for':
      return [statement.collection];
    case 'case':
      return [
        ...(statement.subject ? [statement.subject] : []),
        ...statement.clauses.flatMap(({ values }) => values ?? []),
      ];
    case 'block':
    case 'branch':
    case 'function declaration':
      return [];
  }
}

function innerStatements(statement: Statement): readonly (readonly Statement[])[] {
  switch (statement.kind) {
    case 'if':
      return [statement.then.statements, ...(statement.otherwise ? [[statement.otherwise]] : [])];
    case 'for':
      return [statement.body.statements];
    case 'case':
      return statement.clauses.map(({ statements }) => statements);
    case 'block':
      return [statement.statements];
    case 'function declaration':
      return [statement.function.body.statements];
    case 'assignment':
    case 'expression':
    case 'return':
    case 'branch':
      return [];
  }
}

/** Returns the names that are assigned, declared or bound anywhere in a text. */
export function assignedNames(file: File): ReadonlySet<string> {
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

/** Returns an expression without the brackets around it. */
export function withoutBrackets(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === 'group') inner = inner.expression;
  return inner;
}
