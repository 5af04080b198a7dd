import type { TextPosition } from '../definition/field';

/** Text that is not valid HCL, or has an unexpected type. The message is that of HCL 1's reference parser. */
export class HclError extends Error {
  override readonly name = 'HclError';

  constructor(
    message: string,
    readonly position?: TextPosition,
  ) {
    super(message);
  }

  /** With the position in front, as in most messages; `-` if the server does not know it. */
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
