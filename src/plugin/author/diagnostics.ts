/**
 * A position in a configuration: names of attributes and blocks, keys of maps, positions in lists.
 * `['rules', 0, 'path']` is the attribute `path` of the first `rules`.
 */
export type Path = readonly (string | number)[];

/** A message for the user: an error stops the operation, a warning does not. */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** The problem in one line. */
  readonly summary: string;
  /** The circumstances, and what to do. */
  readonly detail: string;
  /** The attribute that the message is about; empty for the whole object. */
  readonly path: Path;
  /** The message as data, if the author has it. It stays in the process. */
  readonly data?: object | undefined;
}

/** Collects the messages for the user about one operation. */
export class Diagnostics {
  readonly list: Diagnostic[] = [];

  error(summary: string, detail = '', path: Path = [], data?: object): void {
    this.list.push({ severity: 'error', summary, detail, path, ...(data && { data }) });
  }

  warning(summary: string, detail = '', path: Path = [], data?: object): void {
    this.list.push({ severity: 'warning', summary, detail, path, ...(data && { data }) });
  }

  get hasErrors(): boolean {
    return this.list.some((diagnostic) => diagnostic.severity === 'error');
  }
}

/**
 * An error for the user: thrown anywhere in a handler, it becomes an error diagnostic. All other
 * errors are reported as defects of the provider.
 */
export class DiagnosticError extends Error {
  constructor(
    readonly summary: string,
    readonly detail = '',
    readonly path: Path = [],
    options?: { readonly cause?: unknown },
  ) {
    super(detail === '' ? summary : `${summary}: ${detail}`, options);
    this.name = 'DiagnosticError';
  }
}
