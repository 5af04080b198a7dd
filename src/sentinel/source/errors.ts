import type { Position, SourceText, Span } from './source-text';

/** An error in a Sentinel text, or during its run, with its position. */
export class SentinelError extends Error {
  /** The message, without the position. */
  readonly problem: string;
  readonly hint: string | undefined;
  readonly source: SourceText;
  readonly span: Span;

  constructor(source: SourceText, span: Span, problem: string, hint?: string) {
    super(`${source.place(span.start)}: ${problem}${hint === undefined ? '' : `; ${hint}`}`);
    this.problem = problem;
    this.hint = hint;
    this.source = source;
    this.span = span;
  }

  get position(): Position {
    return this.source.position(this.span.start);
  }

  /** Returns the message with the line, and a caret below the place. */
  describe(): string {
    const hint = this.hint === undefined ? '' : `\n${sentence(this.hint)}`;
    return `${this.source.place(this.span.start)}: ${this.problem}\n\n${this.source.excerpt(this.span)}${hint}`;
  }
}

/** A text that is not Sentinel. */
export class SentinelSyntaxError extends SentinelError {
  override readonly name = 'SentinelSyntaxError';
}

/**
 * A text that parses but can never run, such as one with `break` outside of a loop or two imports
 * with the same name.
 */
export class SentinelCheckError extends SentinelError {
  override readonly name = 'SentinelCheckError';
}

/** An error that stops a policy during its run. */
export class SentinelRuntimeError extends SentinelError {
  override readonly name = 'SentinelRuntimeError';
}

/** An error for a policy that runs for too long, calls too deeply or uses too much memory. */
export class SentinelLimitError extends SentinelRuntimeError {}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('?') ? '' : '.');
}

/** The kinds of findings, as ids for programs. */
export type FindingId =
  | 'syntax'
  | 'cannot-run'
  | 'newer-feature'
  | 'unknown-import'
  | 'optional-import'
  | 'parameter-without-value'
  | 'no-main'
  | 'unknown-name'
  | 'unknown-field'
  | 'argument-count'
  | 'failing-call'
  | 'unused-result'
  | 'swapped-arguments'
  | 'impossible-value'
  | 'invalid-pattern'
  | 'never-equal'
  | 'wrong-type'
  | 'compared-with-undefined'
  | 'constant-condition'
  | 'constant-rule'
  | 'unused-import'
  | 'unused-rule'
  | 'unused-function'
  | 'unused-variable';

/**
 * A problem in a text. An error means that it can never run; a warning, that a part of it has no
 * effect, or can never be true.
 */
export interface SentinelFinding {
  readonly id: FindingId;
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  readonly hint: string | undefined;
  readonly source: SourceText;
  readonly span: Span;
}

export function findingOf(error: SentinelError): SentinelFinding {
  const { problem, hint, source, span } = error;
  const id = error instanceof SentinelSyntaxError ? 'syntax' : 'cannot-run';
  return { id, severity: 'error', problem, hint, source, span };
}

/** Returns `file:line:column: problem [id]`, with the line and a caret. */
export function describeFinding({ id, severity, problem, hint, source, span }: SentinelFinding): string {
  const cure = hint === undefined ? '' : `; ${hint}`;
  return `${source.place(span.start)}: ${severity}: ${problem}${cure} [${id}]\n\n${source.excerpt(span)}`;
}
