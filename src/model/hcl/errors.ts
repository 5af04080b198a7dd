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
 * An error for a text that is not valid HCL, or has a value of an unexpected type. Its messages are
 * those of the reference parser of HCL 1.
 */
export class HclError extends Error {
  override readonly name = 'HclError';

  constructor(
    message: string,
    readonly position?: TextPosition,
    readonly fault?: HclFault,
    /** The fault without internal names of types in the server. Default: the message. */
    readonly plain?: string,
  ) {
    super(message);
  }

  /**
   * Creates an error whose message starts with the position, like most messages, or with `-` if the
   * server does not know the position.
   */
  static at(position: TextPosition | undefined, message: string, fault?: HclFault, plain?: string): HclError {
    const place = position ? `${position.line}:${position.column}` : '-';
    return new HclError(`At ${place}: ${message}`, position, fault, plain);
  }
}

/**
 * Runs a parser. A problem of the scanner takes precedence over an error of the parser, because it
 * may have caused the error.
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
