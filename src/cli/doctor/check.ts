/** The finding of one check of a set-up. */
export interface Check {
  /** The subject, such as `Terraform` or `cluster "us"`. */
  readonly subject: string;
  /** The outcome. `doubt`: it may be right, or could not be determined. */
  readonly outcome: 'ok' | 'doubt' | 'problem';
  readonly text: string;
  /** The cure. Present unless the outcome is `ok`. */
  readonly cure?: string;
}

/** The JSON that `doctor` prints. */
export interface DoctorReport {
  readonly checks: readonly Check[];
}

export function ok(subject: string, text: string): Check {
  return { subject, outcome: 'ok', text };
}

export function doubt(subject: string, text: string, cure: string): Check {
  return { subject, outcome: 'doubt', text, cure };
}

export function problem(subject: string, text: string, cure: string): Check {
  return { subject, outcome: 'problem', text, cure };
}
