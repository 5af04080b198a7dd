import type { NativeFunction } from './value';

/** Says that a call has too few or too many arguments for a built-in function; `undefined` if it has not. */
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

/** Says that a call has more or fewer arguments than a function of the policy has parameters. */
export function parameterCountProblem(parameters: number, received: number): string {
  return `the function has ${count(parameters, 'parameter')}, received ${count(received, 'argument')}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
