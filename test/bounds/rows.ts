import type { LIMITS } from './limits';
import { countedWork, countedWorkOf } from '../support/counted-work';

/** A function that reads foreign texts or values, with the allowed growth of its work. */
export interface Bound {
  /** The name of the function's export, and after a comma the kind of input. */
  readonly name: string;
  /** The source of its input. */
  readonly source: Source;
  /** The sizes of its inputs: each is doubled from the first to the last one. */
  readonly sizes: readonly [first: number, last: number];
  /** The exponent of the growth: 1 for work in proportion to the size. */
  readonly growth: number;
  /**
   * The reason why the work grows faster than the size, and the bound of the work. Absent for a
   * growth of 1.
   */
  readonly reason?: string;
  /** Counts the work for an input of the given size. */
  readonly work: (size: number) => number | Promise<number>;
  /**
   * The limit of its input's size, which the function or the code before it applies. Default: the
   * limit of the source.
   */
  readonly size?: keyof typeof LIMITS;
  /**
   * Calls the function with an input of the given number of levels. The function may refuse the
   * input, and must not exhaust the stack.
   */
  readonly nested?: (levels: number) => unknown;
  /** The maximum number of levels that it accepts. */
  readonly deepest?: number;
}

export type Source =
  'policy' | 'request' | 'audit log' | 'file' | 'server' | 'plan' | 'state' | 'environment' | 'argument';

/** By source, the limits that inputs have passed. */
export const SIZE_OF: Readonly<Record<Source, keyof typeof LIMITS>> = {
  policy: 'text file',
  file: 'text file',
  request: 'body of a request',
  'audit log': 'line of an audit log',
  server: 'answer of a server',
  plan: 'plan file',
  state: 'message of Terraform',
  argument: 'message of Terraform',
  environment: 'variable of the environment',
};

type Options = Partial<Pick<Bound, 'sizes' | 'growth' | 'reason' | 'size' | 'nested' | 'deepest'>>;

/** Creates a row whose work is counted in blocks. The input is created before the count. */
export function row<Input>(
  source: Source,
  name: string,
  input: (size: number) => Input,
  read: (input: Input) => unknown,
  options: Options = {},
): Bound {
  const work = (size: number) => {
    const made = input(size);
    return countedWork(() => outcomeOf(() => read(made)));
  };
  return { source, name, sizes: [64, 256], growth: 1, work, ...options };
}

/** Creates a row for an asynchronous function. */
export function asyncRow<Input>(
  source: Source,
  name: string,
  input: (size: number) => Input | Promise<Input>,
  read: (input: Input) => Promise<unknown>,
  options: Options = {},
): Bound {
  const work = async (size: number) => {
    const made = await input(size);
    return countedWorkOf(() => read(made));
  };
  return { source, name, sizes: [64, 256], growth: 1, work, ...options };
}

/**
 * Returns the result, or the refusal. Rethrows errors that are not refusals: an exhausted stack,
 * and type errors.
 */
export function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof TypeError || String(error).includes('call stack')) throw error;
    return error;
  }
}

/** Joins the given number of parts. */
export function times(size: number, part: (index: number) => string, separator = ''): string {
  return Array.from({ length: size }, (_, index) => part(index)).join(separator);
}

/** Returns an object with the given number of fields. */
export function fields<T>(size: number, value: (index: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}`, value(index)]));
}

/** Returns a value of JSON, HCL or Sentinel with the given number of levels. */
export function lists(levels: number, inner = ''): string {
  return '['.repeat(levels) + inner + ']'.repeat(levels);
}
