/**
 * A refusal with an HTTP status. Handlers throw it; the HTTP layer turns it into `{"errors": [...]}`.
 *
 * The server words refusals in two ways: a handler's own text stands alone, while errors that its core collects are
 * counted and put in bullets. `collected` specifies which.
 */
export class LogicalError extends Error {
  readonly status: number;
  readonly collected: boolean;

  constructor(status: number, message: string, options: { collected?: boolean } = {}) {
    super(message);
    this.name = 'LogicalError';
    this.status = status;
    this.collected = options.collected ?? false;
  }

  /** The text of the single entry of `errors`, or `undefined` if the list stays empty. */
  get text(): string | undefined {
    if (this.message === '') return undefined;
    return this.collected ? collect([this.message]) : this.message;
  }
}

/** Words several errors as the server's core does: counted, one bullet each. */
export function collect(messages: readonly string[]): string {
  const count = messages.length === 1 ? '1 error' : `${messages.length} errors`;
  return `${count} occurred:\n${messages.map((message) => `\t* ${message}\n`).join('')}\n`;
}

/** 400, the handler's own text: what the server's engines answer to input that they refuse. */
export function invalidRequest(message: string): LogicalError {
  return new LogicalError(400, message);
}

/** 404 with an empty list of errors: there is no such object. */
export function notFound(): LogicalError {
  return new LogicalError(404, '');
}

export function permissionDenied(): LogicalError {
  return new LogicalError(403, 'permission denied', { collected: true });
}

/** 404: no route has this path, in this namespace, on this edition of the server. */
export function unsupportedPath(): LogicalError {
  return new LogicalError(404, 'unsupported path', { collected: true });
}

/** 405: the route exists and does not offer the operation. */
export function unsupportedOperation(): LogicalError {
  return new LogicalError(405, 'unsupported operation', { collected: true });
}

/** Any status, with a text that the server's core puts in a bullet. */
export function codedError(status: number, message: string): LogicalError {
  return new LogicalError(status, message, { collected: true });
}

/** A write that only the primary of the replication set may do. Whoever handles the request passes it on. */
export class ReadOnlyError extends Error {
  constructor() {
    super('cannot write to a secondary');
    this.name = 'ReadOnlyError';
  }
}
