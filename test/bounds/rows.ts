import type { LIMITS } from './limits';
import { countedWork, countedWorkOf } from '../support/counted-work';

/** A function that takes foreign texts or values, and the growth of its work that is allowed. */
export interface Bound {
  /** The function, as other code imports it, and after a comma which inputs it is given here. */
  readonly name: string;
  /** Where its input is from. */
  readonly source: Source;
  /** The sizes of its inputs: each is doubled from the first to the last one. */
  readonly sizes: readonly [first: number, last: number];
  /** The exponent of the growth: 1 for work in proportion to the size. */
  readonly growth: number;
  /** Why it grows faster than the size, and what bounds it then. Absent for a growth of 1. */
  readonly reason?: string;
  /** Counts the work for an input of a size. */
  readonly work: (size: number) => number | Promise<number>;
  /**
   * The limit of its input's size, by the code in front of it or its own. Default: that of the
   * source.
   */
  readonly size?: keyof typeof LIMITS;
  /** Gives it an input with as many levels. It may refuse it, and must not run out of stack. */
  readonly nested?: (levels: number) => unknown;
  /** The most levels of such an input that it accepts. */
  readonly deepest?: number;
}

export type Source =
  'policy' | 'request' | 'audit log' | 'file' | 'server' | 'plan' | 'state' | 'environment' | 'argument';

/** The limits that the inputs from each source have passed. */
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

/** Makes a row whose work is counted in blocks. The input is made beforehand. */
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

/** Makes a row of a function that reads asynchronously. */
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
 * Returns what is read, or the refusal. Rethrows errors that are not refusals: an exhausted stack,
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

/** Joins as many parts as there are asked for. */
export function times(size: number, part: (index: number) => string, separator = ''): string {
  return Array.from({ length: size }, (_, index) => part(index)).join(separator);
}

/** Makes an object with as many fields. */
export function fields<T>(size: number, value: (index: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: size }, (_, index) => [`f${index}`, value(index)]));
}

/** Returns a value of JSON, HCL or Sentinel with as many levels. */
export function lists(levels: number, inner = ''): string {
  return '['.repeat(levels) + inner + ']'.repeat(levels);
}
