import type { NativeFunction } from './value';

/**
 * Returns the problem of a call with too few or too many arguments for a built-in function;
 * `undefined` for a correct call.
 */
export function nativeCountProblem(
  { name, fewest, most }: NativeFunction,
  received: number,
): string | undefined {
  if (received >= fewest && received <= most) return undefined;
  const takes =
    fewest === most
      ? count(fewest, 'argument')
      : most === Infinity
        ? `${fewest} or more arguments`
        : `${fewest} to ${most} arguments`;
  return `${name} takes ${takes}, received ${received}`;
}

/** Returns the problem of a call of a policy's function with the wrong number of arguments. */
export function parameterCountProblem(parameters: number, received: number): string {
  return `the function has ${count(parameters, 'parameter')}, received ${count(received, 'argument')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
