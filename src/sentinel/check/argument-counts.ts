import { assignedNames, expressionsOf, statementsWithin } from '../ast/within';
import type { CallExpression, Expression, File } from '../ast/nodes';
import { UNIVERSE } from '../evaluate/builtins';
import { memberOf } from '../imports/standard';
import type { Span } from '../source/source-text';
import { nativeCountProblem, parameterCountProblem } from '../values/argument-count';
import { NativeFault, NativeFunction, type RunContext } from '../values/value';
import { importName } from '../evaluate/static-faults';

/** A call that fails whenever it is reached. */
interface WrongCall {
  readonly id: 'argument-count' | 'failing-call';
  readonly span: Span;
  readonly problem: string;
}

/** The imports whose functions have no effect, and depend on their arguments alone. */
const PURE: ReadonlySet<string> = new Set([
  'base64',
  'decimal',
  'json',
  'sockaddr',
  'strings',
  'time',
  'version',
]);

/**
 * Finds calls with a wrong number of arguments, and calls with literal arguments that fail. Calls
 * are not checked if their function is only known when the policy runs.
 */
export function* wrongCalls(file: File): Generator<WrongCall> {
  const assigned = assignedNames(file);
  const imports = new Map(file.imports.map((each) => [importName(each), each.path]));
  const parameters = parameterCounts(file);
  for (const expression of expressionsOf(file)) {
    if (expression.kind !== 'call') continue;
    const count = countProblem(expression);
    const problem = count ?? failure(expression);
    if (problem === undefined) continue;
    const id = count === undefined ? 'failing-call' : 'argument-count';
    yield { id, span: expression, problem: `${problem}: the call is always an error` };
  }

  /** Returns the called function of an import, and whether it depends on its arguments alone. */
  function memberCalled({
    callee,
  }: CallExpression): { readonly member: NativeFunction; readonly isPure: boolean } | undefined {
    if (callee.kind !== 'selector' || callee.object.kind !== 'identifier') return undefined;
    const path = assigned.has(callee.object.name) ? undefined : imports.get(callee.object.name);
    const member = path === undefined ? undefined : memberOf(path, callee.name.name);
    return member instanceof NativeFunction ? { member, isPure: PURE.has(path!) } : undefined;
  }

  function failure(call: CallExpression): string | undefined {
    const called = memberCalled(call);
    return called?.isPure ? faultOf(called.member, call.arguments) : undefined;
  }

  function countProblem(call: CallExpression): string | undefined {
    const {
      callee,
      arguments: { length: received },
    } = call;
    const called = memberCalled(call);
    if (called) return nativeCountProblem(called.member, received);
    if (callee.kind !== 'identifier') return undefined;
    const { name } = callee;
    const expected = parameters.get(name);
    if (expected !== undefined && expected !== received) return parameterCountProblem(expected, received);
    const builtin = assigned.has(name) || !Object.hasOwn(UNIVERSE, name) ? undefined : UNIVERSE[name];
    return builtin instanceof NativeFunction ? nativeCountProblem(builtin, received) : undefined;
  }
}

/** A valid argument for each function that is checked although some arguments are not literals. */
const STAND_INS: Readonly<Record<string, string>> = { 'sockaddr.is_contained': '127.0.0.1' };

/** Returns why a function fails with its literal arguments; `undefined` if it may succeed. */
function faultOf(callee: NativeFunction, given: readonly Expression[]): string | undefined {
  const literals = given.flatMap((each) => (each.kind === 'literal' ? [each.value] : []));
  const standIn = STAND_INS[callee.name];
  if (literals.length === 0 || (literals.length < given.length && standIn === undefined)) return undefined;
  const values = given.map((each) => (each.kind === 'literal' ? each.value : standIn!));
  try {
    callee.run(values, NO_RUN);
    return undefined;
  } catch (error) {
    if (error instanceof NativeFault) return error.message;
    throw error;
  }
}

/** A run without limits and output, for functions that are called without a policy. */
const NO_RUN: RunContext = {
  allocate: () => undefined,
  call: () => null,
  print: () => undefined,
  now: 0n,
};

/**
 * Returns the number of parameters of each function, by name. Names that may also have another
 * value are left out.
 */
function parameterCounts(file: File): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const ambiguous = new Set<string>();
  const add = (name: string, parameters: number | undefined): void => {
    if (counts.has(name) || parameters === undefined) ambiguous.add(name);
    else counts.set(name, parameters);
  };
  const addAll = (names: readonly { readonly name: string }[]): void =>
    names.forEach(({ name }) => add(name, undefined));
  for (const statement of statementsWithin(file.statements)) {
    if (statement.kind === 'function declaration') {
      add(statement.name.name, statement.function.parameters.length);
      addAll(statement.function.parameters);
    } else if (statement.kind === 'for') {
      addAll(statement.names);
    } else if (statement.kind === 'assignment' && statement.target.kind === 'identifier') {
      const { value, operator, target } = statement;
      const isFunction = value.kind === 'function' && operator === '=';
      add(target.name, isFunction ? value.parameters.length : undefined);
    }
  }
  for (const expression of expressionsOf(file)) {
    if (expression.kind === 'function') addAll(expression.parameters);
    if (expression.kind === 'quantifier') addAll(expression.names);
  }
  for (const name of ambiguous) counts.delete(name);
  return counts;
}
