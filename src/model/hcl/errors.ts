import type { TextPosition } from '../definition/field';

/** A fault in a text for which a correction is known. */
export type HclFault =
  | 'assignment-after-label'
  | 'assignment-missing'
  | 'block-not-closed'
  | 'brace-not-opened'
  | 'comma-missing'
  | 'comment-not-terminated'
  | 'illegal-character'
  | 'list-not-closed'
  | 'list-without-assignment'
  | 'name-expected'
  | 'name-missing'
  | 'no-block'
  | 'no-list'
  | 'no-map'
  | 'no-number'
  | 'no-text'
  | 'quotes-not-closed'
  | 'slash-outside-quotes'
  | 'value-for-block'
  | 'value-missing'
  | 'value-without-quotes'
  | 'word-without-quotes';

/**
 * The text is not valid HCL, or a value has an unexpected type. The messages are those of HCL 1's
 * reference parser.
 */
export class HclError extends Error {
  override readonly name = 'HclError';

  constructor(
    message: string,
    readonly position?: TextPosition,
    readonly fault?: HclFault,
    /** The fault without the names that the server's code has for types. Default: the message. */
    readonly plain?: string,
  ) {
    super(message);
  }

  /**
   * Creates an error whose message starts with the position, as most do; with `-` if the server
   * does not know it.
   */
  static at(position: TextPosition | undefined, message: string, fault?: HclFault, plain?: string): HclError {
    const place = position ? `${position.line}:${position.column}` : '-';
    return new HclError(`At ${place}: ${message}`, position, fault, plain);
  }
}

/**
 * Runs a parser. Problems of its scanner take precedence over errors of the parser, which they may
 * have caused.
 */
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
