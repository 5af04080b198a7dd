import type { TextPosition } from '../definition/field';

/** Text that is no HCL, or holds another type than asked for. The message is the one of HCL 1's reference parser. */
export class HclError extends Error {
  override readonly name = 'HclError';

  constructor(
    message: string,
    readonly position?: TextPosition,
  ) {
    super(message);
  }

  /** With the position in front, as most messages have it; `-` where the server knows none. */
  static at(position: TextPosition | undefined, message: string): HclError {
    return new HclError(`At ${position ? `${position.line}:${position.column}` : '-'}: ${message}`, position);
  }
}

/** Runs a parser. What its scanner complained about matters more than how the parser stumbled over it. */
export function settle<T>(parse: () => T, scanProblem: () => HclError | undefined): T {
  let result: T;
  try {
    result = parse();
  } catch (error) {
    throw scanProblem() ?? error;
  }
  const problem = scanProblem();
  if (problem) throw problem;
  return result;
}
