import { LogicalError } from '../errors';

/** The answer to an HTTP request. */
export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  /** A file that is sent in place of the body. */
  readonly file?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export const JSON_TYPE = 'application/json';

export function jsonAnswer(status: number, value: unknown): HttpAnswer {
  return { status, body: `${JSON.stringify(value)}\n`, contentType: JSON_TYPE };
}

/** Returns the server's error body with one text, or without texts. */
export function errorAnswer(status: number, text?: string): HttpAnswer {
  return jsonAnswer(status, { errors: text === undefined ? [] : [text] });
}

/**
 * Returns the answer for an error. Errors other than `LogicalError` are bugs of the emulator; the
 * client receives the answer that the server has for its own bugs.
 */
export function refusal(error: unknown): HttpAnswer {
  if (error instanceof LogicalError) return errorAnswer(error.status, error.text);
  process.emitWarning(error instanceof Error ? error : String(error));
  return errorAnswer(500, 'internal error');
}
