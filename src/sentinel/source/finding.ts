import type { SentinelError } from './errors';
import type { SourceText, Span } from './source-text';

/** A problem in a text. An error means that it can never run; a warning, that a part of it can never be true. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  readonly hint: string | undefined;
  readonly source: SourceText;
  readonly span: Span;
}

export function findingOf({ problem, hint, source, span }: SentinelError): Finding {
  return { severity: 'error', problem, hint, source, span };
}

/** `file:line:column: problem`, with the line and a caret. */
export function describeFinding({ severity, problem, hint, source, span }: Finding): string {
  const cure = hint === undefined ? '' : `; ${hint}`;
  return `${source.place(span.start)}: ${severity}: ${problem}${cure}\n\n${source.excerpt(span)}`;
}
