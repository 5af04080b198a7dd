import { expressionsOf, statementsWithin } from '../ast/within';
import type { Expression, File, Statement } from '../ast/nodes';
import type { SentinelFinding } from '../source/errors';
import type { Span } from '../source/source-text';

/** The newest version of the language that this package knows. */
export const NEWEST_VERSION = '0.41';

/**
 * The version of the language that introduced each feature. Features that are not listed are as old
 * as the language.
 */
const SINCE = {
  statements: { case: '0.12', branch: '0.2', 'function declaration': '0.20' },
  quantifiers: { filter: '0.14', map: '0.17' },
  tests: { empty: '0.17', defined: '0.21' },
  builtins: { bool: '0.4', range: '0.11', compare: '0.26' },
  imports: {
    base64: '0.17',
    collection: '0.26',
    'collection/lists': '0.26',
    'collection/maps': '0.26',
    decimal: '0.11',
    http: '0.13',
    json: '0.2',
    runtime: '0.6',
    types: '0.3',
    version: '0.16',
  },
  members: {
    'http.post': '0.18',
    'http.methodPost': '0.18',
    'json.valid': '0.30',
    'strings.join': '0.9',
    'strings.replace': '0.27',
    'strings.trim': '0.27',
    'strings.trim_left': '0.27',
    'strings.trim_right': '0.27',
    'strings.trim_space': '0.27',
    'collection.filter': '0.26.2',
    'collection/lists.difference': '0.29',
    'collection/lists.diff': '0.29',
    'collection/lists.intersection': '0.29',
    'collection/lists.union': '0.29',
    'collection/maps.set': '0.26.3',
    'collection/maps.pick': '0.26.3',
    'collection/maps.unset': '0.27',
    'collection/maps.omit': '0.27',
  },
  param: '0.13',
  indexAssignment: '0.3.1',
} as const;

/** A feature that a text uses. */
interface Use {
  readonly what: string;
  readonly since: string;
  readonly span: Span;
}

/** The version of the language in a host. */
export interface LanguageVersion {
  /** The newest version that the host can have. */
  readonly newest: string;
  /** The oldest version that the host can have. Default: `newest`. */
  readonly certain?: string;
  /** The host, such as `Vault 1.16`. Default: not named. */
  readonly host?: string;
}

/**
 * Returns the features of a text that a host does not have, as errors, and those that it may not
 * have, as warnings.
 */
export function newerFeatures(file: File, language: LanguageVersion): readonly SentinelFinding[] {
  const { newest, certain = newest } = language;
  return [...uses(file)]
    .filter(({ since }) => isOlder(certain, since))
    .map(({ what, since, span }) => ({
      id: 'newer-feature',
      severity: isOlder(newest, since) ? 'error' : 'warning',
      problem: `${what} requires Sentinel ${since}, and ${whatIsKnown(since, language)}`,
      hint: undefined,
      source: file.source,
      span,
    }));
}

function whatIsKnown(since: string, { newest, certain, host }: LanguageVersion): string {
  if (host === undefined) return `this is ${newest}`;
  return isOlder(newest, since)
    ? `${host} has ${newest} at most`
    : `${host} may be older: it has at least ${String(certain)}, and ${newest} at most`;
}

function* uses(file: File): Generator<Use> {
  for (const { path, pathSpan } of file.imports) {
    yield* use(SINCE.imports, path, `the import "${path}"`, pathSpan);
  }
  for (const param of file.params) yield { what: '"param"', since: SINCE.param, span: param };
  for (const statement of statementsWithin(file.statements)) yield* statementUses(statement);
  const imports = new Map(file.imports.map(({ path, alias }) => [alias?.name ?? path, path]));
  for (const expression of expressionsOf(file)) yield* expressionUses(expression, imports);
}

function* statementUses(statement: Statement): Generator<Use> {
  const words: Readonly<Record<string, string>> = {
    case: '"case"',
    branch: '"break" and "continue"',
    'function declaration': 'a named function',
  };
  yield* use(SINCE.statements, statement.kind, words[statement.kind] ?? statement.kind, statement);
  if (statement.kind === 'assignment' && statement.target.kind === 'index') {
    yield { what: 'an assignment to an element', since: SINCE.indexAssignment, span: statement.target };
  }
}

function* expressionUses(expression: Expression, imports: ReadonlyMap<string, string>): Generator<Use> {
  switch (expression.kind) {
    case 'quantifier':
      yield* use(SINCE.quantifiers, expression.word, `"${expression.word}"`, expression);
      return;
    case 'test':
      yield* use(SINCE.tests, expression.test, `"is ${expression.test}"`, expression);
      return;
    case 'call':
      if (expression.callee.kind !== 'identifier') return;
      yield* use(SINCE.builtins, expression.callee.name, expression.callee.name, expression.callee);
      return;
    case 'selector': {
      if (expression.object.kind !== 'identifier') return;
      const path = imports.get(expression.object.name);
      const member = `${path}.${expression.name.name}`;
      if (path !== undefined) yield* use(SINCE.members, member, member, expression.name);
      return;
    }
    default:
      return;
  }
}

function* use(
  table: Readonly<Record<string, string>>,
  name: string,
  what: string,
  span: Span,
): Generator<Use> {
  const since = Object.hasOwn(table, name) ? table[name] : undefined;
  if (since !== undefined) yield { what, since, span };
}

function isOlder(version: string, since: string): boolean {
  const [mine = [], wanted = []] = [version, since].map((each) => each.split('.').map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (mine[index] ?? 0) - (wanted[index] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
