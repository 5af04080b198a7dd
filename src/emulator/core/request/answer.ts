import { LogicalError } from '../errors';

/** What goes back over HTTP. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType: string;
  /** A file that goes in place of the body. */
  readonly file?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export const JSON_TYPE = 'application/json';

export function jsonAnswer(status: number, value: unknown): Answer {
  return { status, body: `${JSON.stringify(value)}\n`, contentType: JSON_TYPE };
}

/** The server's error body: one text, or none. */
export function errorAnswer(status: number, text?: string): Answer {
  return jsonAnswer(status, { errors: text === undefined ? [] : [text] });
}

/** What a refusal looks like. Anything but a `LogicalError` is a bug, told to the client as the server tells of its own. */
export function refusal(error: unknown): Answer {
  if (error instanceof LogicalError) return errorAnswer(error.status, error.text);
  process.emitWarning(error instanceof Error ? error : String(error));
  return errorAnswer(500, 'internal error');
}
