import type { Assignment, Expression, File, Identifier, Import } from '../ast/nodes';
import { expressionsOf, within, withoutBrackets } from '../ast/within';
import { importName } from '../evaluate/static-faults';

/** Returns the imports of which no expression reads anything. */
export function unusedImports(file: File): readonly Import[] {
  const read = new Set<string>();
  for (const expression of expressionsOf(file))
    if (expression.kind === 'identifier') read.add(expression.name);
  return file.imports.filter((each) => !read.has(importName(each)));
}

/**
 * Returns the names of rules that are never evaluated: nothing that is evaluated reads them. A text
 * without "main" is a module, whose rules others read.
 */
export function unusedRules(file: File): readonly Identifier[] {
  const rules = new Map<string, { readonly name: Identifier; readonly value: Expression }>();
  const isOther = new Set<string>();
  let hasMain = false;
  for (const statement of file.statements) {
    if (statement.kind !== 'assignment' || statement.target.kind !== 'identifier') continue;
    const { name } = statement.target;
    if (name === 'main') hasMain = true;
    else if (!isRule(statement) || rules.has(name)) isOther.add(name);
    else rules.set(name, { name: statement.target, value: statement.value });
  }
  if (!hasMain) return [];
  for (const name of isOther) rules.delete(name);
  const bodies = new Set([...rules.values()].map(({ value }) => value));
  const read = new Set<string>();
  const waiting: Expression[] = [];
  const evaluate = (expression: Expression) => {
    if (expression.kind !== 'identifier' || read.has(expression.name)) return;
    read.add(expression.name);
    const rule = rules.get(expression.name);
    if (rule) waiting.push(rule.value);
  };
  for (const expression of expressionsOf({ ...file, statements: file.statements.filter(isEvaluated) })) {
    evaluate(expression);
  }
  for (let body = waiting.pop(); body; body = waiting.pop()) {
    for (const expression of within(body)) evaluate(expression);
  }
  return [...rules.values()].flatMap(({ name }) => (read.has(name.name) ? [] : [name]));

  function isEvaluated(statement: File['statements'][number]): boolean {
    return statement.kind !== 'assignment' || !bodies.has(statement.value);
  }
}

function isRule({ operator, value }: Assignment): boolean {
  return operator === '=' && withoutBrackets(value).kind === 'rule';
}
