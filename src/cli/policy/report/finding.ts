/** A finding of a command, in one form for all formats. */
export interface CommandFinding {
  /** The kind of finding, such as `never-decides`. */
  readonly rule: string;
  readonly severity: Severity;
  /** The name of the policy. */
  readonly policy: string;
  /** The place for people: a file, a stack's resource, a cluster. */
  readonly place: string;
  /** The file as the user named it. Absent for other places. */
  readonly file?: string | undefined;
  /** The line, counted from 1. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly message: string;
}

export const SEVERITIES = ['error', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A policy that was examined, or a test of a policy. */
export type ExaminedPolicy = Pick<CommandFinding, 'policy' | 'place'>;

/** The result of a command, for programs and reviewers. */
export interface FindingsReport {
  /** The command, such as `policy lint`. */
  readonly command: string;
  /** The heading of the comment for reviewers. */
  readonly title: string;
  readonly cases: readonly ExaminedPolicy[];
  readonly findings: readonly CommandFinding[];
  /** The summary for people, in one line. */
  readonly summary: string;
  /** A picture in the language of Mermaid. */
  readonly picture?: string | undefined;
}

/** Returns the findings of a case as one text, with a line for each. */
export function linesOf(findings: readonly CommandFinding[]): string {
  return findings
    .map(({ place, line, column, severity, message, rule }) => {
      const at = [place, line, line === undefined ? undefined : column].filter((part) => part !== undefined);
      return `${at.join(':')}: ${severity}: ${message} [${rule}]`;
    })
    .join('\n');
}
