import type { Assignment, StatementBlock, Expression, File, Identifier, Statement } from '../ast/nodes';
import { children } from '../ast/children';
import { SentinelCheckError } from '../source/errors';
import { UNIVERSE } from './builtins';
import { KEYWORDS } from '../scanner/tokens';
import type { Span } from '../source/source-text';

const RESERVED: ReadonlySet<string> = new Set([...KEYWORDS, 'true', 'false', 'null', 'undefined']);

/** Returns the faults of a text that parses, but can never run. */
export function staticFaults(file: File): readonly SentinelCheckError[] {
  return new StaticChecker(file).faults();
}

class StaticChecker {
  readonly #file: File;
  readonly #faults: SentinelCheckError[] = [];
  readonly #assigned = new Set<string>();

  constructor(file: File) {
    this.#file = file;
  }

  faults(): readonly SentinelCheckError[] {
    this.#checkImports();
    this.#checkParams();
    for (const statement of this.#file.statements) this.#collectAssigned(statement);
    this.#checkFunctionNames();
    this.#statements(this.#file.statements, { inLoop: false, inFunction: false, isFile: true });
    return this.#faults.sort((a, b) => a.span.start - b.span.start);
  }

  #fault(span: Span, problem: string, hint?: string): void {
    this.#faults.push(new SentinelCheckError(this.#file.source, span, problem, hint));
  }

  #checkImports(): void {
    const paths = new Set<string>();
    const names = new Set<string>();
    for (const each of this.#file.imports) {
      const { path, pathSpan, alias } = each;
      if (paths.has(path)) this.#fault(pathSpan, `the import "${path}" is already imported`);
      paths.add(path);
      if (path === '') this.#fault(pathSpan, 'the name of an import must not be empty');
      if (!alias && path.includes('/')) {
        this.#fault(
          pathSpan,
          `the import "${path}" requires a name`,
          `write: import "${path}" as ${lastPart(path)}`,
        );
      }
      const name = importName(each);
      if (names.has(name)) this.#fault(alias ?? pathSpan, `another import is already named "${name}"`);
      names.add(name);
    }
  }

  #checkParams(): void {
    const names = new Set(this.#file.imports.map(importName));
    const params = new Set<string>();
    for (const { name } of this.#file.params) {
      if (names.has(name.name)) this.#fault(name, `the parameter "${name.name}" has the name of an import`);
      else if (params.has(name.name)) this.#fault(name, `the parameter "${name.name}" is already declared`);
      else if (Object.hasOwn(UNIVERSE, name.name)) {
        this.#fault(
          name,
          `the parameter "${name.name}" has the name of a built-in ${RESERVED.has(name.name) ? 'constant' : 'function'}`,
        );
      }
      params.add(name.name);
    }
  }

  #collectAssigned(statement: Statement): void {
    if (statement.kind === 'assignment' && statement.target.kind === 'identifier') {
      this.#assigned.add(statement.target.name);
    }
  }

  #checkFunctionNames(): void {
    const imports = new Set(this.#file.imports.map(importName));
    const params = new Set(this.#file.params.map(({ name }) => name.name));
    const declared = new Set<string>();
    for (const statement of this.#file.statements) {
      if (statement.kind !== 'function declaration') continue;
      const { name } = statement.name;
      const taken =
        imports.has(name) || params.has(name) || declared.has(name) || Object.hasOwn(UNIVERSE, name);
      if (taken) this.#fault(statement.name, `the name "${name}" of the function is already taken`);
      declared.add(name);
    }
    for (const statement of this.#file.statements) this.#checkReassigned(statement, declared);
  }

  #checkReassigned(statement: Statement, declared: ReadonlySet<string>): void {
    if (statement.kind !== 'assignment' || statement.target.kind !== 'identifier') return;
    const { name } = statement.target;
    if (declared.has(name)) {
      this.#fault(
        statement.target,
        `"${name}" is a named function and cannot be assigned to`,
        `write "${name} = func" to make it a variable`,
      );
    }
  }

  #statements(statements: readonly Statement[], place: StatementContext): void {
    for (const statement of statements) this.#statement(statement, place);
  }

  #statement(statement: Statement, place: StatementContext): void {
    const inner = { ...place, isFile: false };
    switch (statement.kind) {
      case 'assignment':
        this.#assignment(statement.target);
        if (statement.target.kind === 'index') this.#expression(statement.target);
        return this.#expression(statement.value);
      case 'expression':
        return this.#expression(statement.expression);
      case 'return':
        if (!place.inFunction) this.#fault(statement, '"return" is only allowed in functions');
        return this.#expression(statement.value);
      case 'if': {
        this.#expression(statement.condition);
        this.#statements(statement.then.statements, inner);
        if (statement.otherwise?.kind === 'if') this.#statement(statement.otherwise, inner);
        else if (statement.otherwise) this.#statements(statement.otherwise.statements, inner);
        return;
      }
      case 'for':
        this.#expression(statement.collection);
        return this.#statements(statement.body.statements, { ...inner, inLoop: true });
      case 'case':
        if (statement.subject) this.#expression(statement.subject);
        for (const clause of statement.clauses) {
          clause.values?.forEach((value) => this.#expression(value));
          this.#statements(clause.statements, inner);
        }
        return;
      case 'block':
        return this.#statements(statement.statements, inner);
      case 'branch':
        if (!place.inLoop) this.#fault(statement, `"${statement.word}" is only allowed in "for"`);
        return;
      case 'function declaration':
        if (!place.isFile) {
          const hint = `write: ${statement.name.name} = func(…) { … }`;
          this.#fault(statement, 'a named function must be declared outside of all blocks', hint);
        }
        return this.#function(statement.function.parameters, statement.function.body);
    }
  }

  #function(parameters: readonly Identifier[], body: StatementBlock): void {
    const names = new Set<string>();
    for (const parameter of parameters) {
      if (parameter.name !== '_' && names.has(parameter.name)) {
        this.#fault(parameter, `the parameter "${parameter.name}" is already declared`);
      }
      names.add(parameter.name);
    }
    this.#statements(body.statements, { inLoop: false, inFunction: true, isFile: false });
  }

  /**
   * Checks an assignment: an import's members cannot be assigned to, unless a variable hides the
   * import.
   */
  #assignment(target: Assignment['target']): void {
    if (target.kind === 'identifier') {
      if (RESERVED.has(target.name)) this.#fault(target, `"${target.name}" cannot be assigned to`);
      return;
    }
    let object: Expression = target;
    while (object.kind === 'index' || object.kind === 'selector') object = object.object;
    if (object.kind !== 'identifier' || this.#assigned.has(object.name)) return;
    const { name } = object;
    if (this.#file.imports.some((each) => importName(each) === name)) {
      this.#fault(
        target,
        `"${name}" is an import: its members cannot be assigned to`,
        'copy it to a variable first',
      );
    }
  }

  #expression(first: Expression): void {
    const waiting: Expression[] = [first];
    for (let expression = waiting.pop(); expression; expression = waiting.pop()) {
      if (expression.kind === 'function') {
        this.#function(expression.parameters, expression.body);
        continue;
      }
      for (const part of children(expression)) waiting.push(part);
    }
  }
}

interface StatementContext {
  readonly inLoop: boolean;
  readonly inFunction: boolean;
  /** Whether a statement is outside of all blocks. */
  readonly isFile: boolean;
}

/** Returns the name of an import in its file. */
export function importName({ path, alias }: File['imports'][number]): string {
  return alias?.name ?? path;
}

function lastPart(path: string): string {
  return (
    path
      .split('/')
      .at(-1)
      ?.replace(/[^A-Za-z0-9_]/g, '_') ?? 'name'
  );
}
