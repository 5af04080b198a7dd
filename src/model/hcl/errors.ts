import type { TextPosition } from '../definition/field';

/** The text is not valid HCL, or a value has an unexpected type. The messages are those of HCL 1's reference parser. */
export class HclError extends Error {
  override readonly name = 'HclError';

  constructor(
    message: string,
    readonly position?: TextPosition,
  ) {
    super(message);
  }

  /** Creates an error whose message starts with the position, as most do; with `-` if the server does not know it. */
  static at(position: TextPosition | undefined, message: string): HclError {
    return new HclError(`At ${position ? `${position.line}:${position.column}` : '-'}: ${message}`, position);
  }
}

/** Runs a parser. Problems of its scanner take precedence over errors of the parser, which they may have caused. */
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
