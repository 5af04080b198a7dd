import {
  Assumed,
  type Assuming,
  type RefusalArguments,
  type RefusalName,
  type RefusalWords,
} from '../assume';

/**
 * A refusal with an HTTP status. Handlers throw it; the HTTP layer turns it into `{"errors":
 * [...]}`.
 *
 * The server formats refusals in two ways: a handler's own text is used as it is, while errors that
 * its core collects are counted and listed with bullets. `collected` selects the second.
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

/**
 * A refusal whose status and text are not public. {@link settled} sets both to the selected
 * alternative; until then they are the emulator's defaults.
 */
export class OpenRefusal<Name extends RefusalName = RefusalName> extends LogicalError {
  readonly #name: Name;
  readonly #about: RefusalArguments<Name>;

  constructor(name: Name, about: RefusalArguments<Name>, options: { collected?: boolean } = {}) {
    const { status, text } = new Assumed().of(name) as RefusalWords<RefusalArguments<Name>>;
    super(status, text(...about), options);
    this.#name = name;
    this.#about = about;
  }

  /** Returns the refusal with the selected alternative's status and text. */
  by({ assumed }: Assuming): LogicalError {
    const { status, text } = assumed(this.#name) as RefusalWords<RefusalArguments<Name>>;
    return new LogicalError(status, text(...this.#about), { collected: this.collected });
  }
}

/** Creates a refusal that public sources leave open, with the details for its text. */
export function openRefusal<Name extends RefusalName>(
  name: Name,
  ...about: RefusalArguments<Name>
): OpenRefusal<Name> {
  return new OpenRefusal(name, about);
}

/** Returns the error with the selected alternative's status and text, if it is an open refusal. */
export function settled(error: unknown, server: Assuming): unknown {
  return error instanceof OpenRefusal ? error.by(server) : error;
}

/** Formats several errors as the server's core does: their number, then one bullet for each. */
export function collect(messages: readonly string[]): string {
  const count = messages.length === 1 ? '1 error' : `${messages.length} errors`;
  return `${count} occurred:\n${messages.map((message) => `\t* ${message}\n`).join('')}\n`;
}

/** Creates a 400 with the handler's own text, as the server's engines refuse input. */
export function invalidRequest(message: string): LogicalError {
  return new LogicalError(400, message);
}

/** Creates a 404 with an empty list of errors, for an object that does not exist. */
export function notFound(): LogicalError {
  return new LogicalError(404, '');
}

export function permissionDenied(): LogicalError {
  return new LogicalError(403, 'permission denied', { collected: true });
}

/** Creates a 404 for a path without a route in this namespace, or on this edition of the server. */
export function unsupportedPath(): LogicalError {
  return new LogicalError(404, 'unsupported path', { collected: true });
}

/** Creates a 405 for a route that does not have the operation. */
export function unsupportedOperation(): LogicalError {
  return new LogicalError(405, 'unsupported operation', { collected: true });
}

/** Creates an error with any status, whose text the server's core formats with a bullet. */
export function codedError(status: number, message: string): LogicalError {
  return new LogicalError(status, message, { collected: true });
}

/**
 * The error for a write that only the primary of the replication set may do. The request is then
 * forwarded to it.
 */
export class ReadOnlyError extends Error {
  constructor() {
    super('cannot write to a secondary');
    this.name = 'ReadOnlyError';
  }
}
