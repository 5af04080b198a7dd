import type { Assignment, Expression, File, Identifier, Import } from '../ast/nodes';
import { assignedNames, expressionsOf, statementsWithin, within, withoutBrackets } from '../ast/within';
import { UNIVERSE } from '../evaluate/builtins';
import { importName } from '../evaluate/static-faults';
import { STANDARD_IMPORT_NAMES } from '../imports/names';

/** Returns the imports that no expression reads. */
export function unusedImports(file: File): readonly Import[] {
  const read = namesIn(expressionsOf(file));
  return file.imports.filter((each) => !read.has(importName(each)));
}

/** A name that a text declares and that nothing reads. */
interface UnusedName {
  readonly kind: 'rule' | 'function' | 'variable';
  readonly name: Identifier;
}

/**
 * Returns the unused names: those of variables, and of rules and functions at the top level, that
 * no evaluated expression reads. A text without "main" is a module, whose names other texts read.
 * Names with a leading underscore are unused on purpose.
 */
export function unusedNames(file: File): readonly UnusedName[] {
  const declared = declarationsIn(file);
  if (!assignsMain(file)) return [];
  const found = [...unreached(file, declared), ...unreadVariables(file, declared)];
  return found.filter(({ name }) => !name.name.startsWith('_'));
}

/** A rule or a function, whose body is evaluated only where its name is read. */
interface Declaration extends UnusedName {
  readonly body: Expression;
}

/** Returns the rules and functions at the top level that are assigned once, by name. */
function declarationsIn(file: File): ReadonlyMap<string, Declaration> {
  const declared = new Map<string, Declaration>();
  const others = new Set<string>();
  for (const statement of file.statements) {
    const found = declarationOf(statement);
    if (!found) continue;
    const { name } = found.name;
    if (name === 'main' || declared.has(name)) others.add(name);
    declared.set(name, found);
  }
  for (const statement of statementsWithin(file.statements)) {
    if (statement.kind !== 'assignment' || statement.target.kind !== 'identifier') continue;
    if (declared.get(statement.target.name)?.body !== withoutBrackets(statement.value))
      others.add(statement.target.name);
  }
  for (const name of others) declared.delete(name);
  return declared;
}

function declarationOf(statement: File['statements'][number]): Declaration | undefined {
  if (statement.kind === 'function declaration')
    return { kind: 'function', name: statement.name, body: statement.function };
  if (statement.kind !== 'assignment' || statement.target.kind !== 'identifier') return undefined;
  const body = withoutBrackets(statement.value);
  const isDeclared = statement.operator === '=' && (body.kind === 'rule' || body.kind === 'function');
  return isDeclared ? { kind: body.kind, name: statement.target, body } : undefined;
}

function assignsMain(file: File): boolean {
  return file.statements.some(
    (each) => each.kind === 'assignment' && each.target.kind === 'identifier' && each.target.name === 'main',
  );
}

/** Returns the declarations that no evaluated expression reads. */
function unreached(file: File, declared: ReadonlyMap<string, Declaration>): readonly UnusedName[] {
  const read = new Set<string>();
  const waiting: Expression[] = [];
  const evaluate = (expressions: Iterable<Expression>) => {
    for (const name of namesIn(expressions)) {
      if (read.has(name)) continue;
      read.add(name);
      const declaration = declared.get(name);
      if (declaration) waiting.push(declaration.body);
    }
  };
  const statements = file.statements.filter((each) => {
    const declaration = declarationOf(each);
    return !declaration || declared.get(declaration.name.name)?.body !== declaration.body;
  });
  evaluate(expressionsOf({ ...file, statements }));
  for (let body = waiting.pop(); body; body = waiting.pop()) evaluate(within(body));
  return [...declared.values()].filter(({ name }) => !read.has(name.name));
}

/** Returns the variables that no expression reads, and whose values have no other effect. */
function unreadVariables(file: File, declared: ReadonlyMap<string, Declaration>): readonly UnusedName[] {
  const assigned = assignedNames(file);
  const imports = new Map(file.imports.map((each) => [importName(each), each.path]));
  const read = namesIn(expressionsOf(file));
  const found = new Map<string, UnusedName>();
  const effective = new Set<string>();
  for (const statement of statementsWithin(file.statements)) {
    if (statement.kind !== 'assignment' || statement.target.kind !== 'identifier') continue;
    const { name } = statement.target;
    if (name === 'main' || read.has(name) || declared.has(name)) continue;
    if (hasEffect(statement)) effective.add(name);
    else if (!found.has(name)) found.set(name, { kind: 'variable', name: statement.target });
  }
  return [...found.values()].filter(({ name }) => !effective.has(name.name));

  /** Whether the value of an assignment may have an effect besides the assignment. */
  function hasEffect({ value }: Assignment): boolean {
    return [...within(value)].some(
      (each) => ['rule', 'function'].includes(each.kind) || (each.kind === 'call' && !isPure(each.callee)),
    );
  }

  function isPure(callee: Expression): boolean {
    if (callee.kind === 'identifier')
      return (
        Object.hasOwn(UNIVERSE, callee.name) && !EFFECTIVE.has(callee.name) && !assigned.has(callee.name)
      );
    if (callee.kind !== 'selector' || callee.object.kind !== 'identifier') return false;
    const path = imports.get(callee.object.name);
    return STANDARD_IMPORT_NAMES.some((each) => each === path && each !== 'http');
  }
}

/** The built-in functions that have an effect besides their result. */
const EFFECTIVE: ReadonlySet<string> = new Set(['append', 'delete', 'error', 'print']);

function namesIn(expressions: Iterable<Expression>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const each of expressions) if (each.kind === 'identifier') names.add(each.name);
  return names;
}
