import { readFileSync } from 'node:fs';
import { type Assume, checkedChoice } from './assumed';
import type { Measured } from './measured';

/** The format that reports of `vault-admin verify` declare. */
export const REPORT_FORMAT = 'cdktf-vault-admin verify, 1';

const OUTCOMES = ['as_assumed', 'otherwise', 'not_seen'] as const;

/** The result for one assumption. */
export interface ReportedFinding {
  readonly outcome: (typeof OUTCOMES)[number];
  /** The alternative that the server follows; absent if it follows none of them. */
  readonly alternative?: string;
  readonly measured?: Measured;
  /** A description of the observed behavior, or the reason why it was not observed. */
  readonly seen?: string;
}

/** A report as it is written to a file. */
export interface VerifyReport {
  readonly format: typeof REPORT_FORMAT;
  readonly server: { readonly version: string };
  readonly assumptions: Readonly<Record<string, ReportedFinding>>;
}

/** The options that make an emulator behave like the server of a report. */
interface AssumedByReport {
  readonly assume: Assume;
  readonly serverVersion: string;
}

/**
 * Reads the report of `vault-admin verify`. Assumptions that were not observed keep their defaults.
 *
 * @throws RangeError if the file is not a report, or has names that this version does not know;
 *   Error if it cannot be read.
 */
export function readReport(file: string): AssumedByReport {
  const report = parseReport(readFileSync(file, 'utf8'), file);
  const choices = Object.entries(report.assumptions).flatMap(([name, { outcome, alternative, measured }]) =>
    outcome === 'not_seen' || (alternative ?? measured) === undefined
      ? []
      : [checkedChoice(name, measured ?? alternative)],
  );
  return { assume: Object.fromEntries(choices), serverVersion: report.server.version };
}

function parseReport(text: string, file: string): VerifyReport {
  const refused = new RangeError(`${file} is not a report of "vault-admin verify --report" of this version`);
  let report: Partial<VerifyReport> | null;
  try {
    report = JSON.parse(text) as Partial<VerifyReport> | null;
  } catch {
    throw refused;
  }
  if (report?.format !== REPORT_FORMAT || typeof report.server?.version !== 'string') throw refused;
  if (typeof report.assumptions !== 'object' || report.assumptions === null) throw refused;
  const findings: readonly (Partial<ReportedFinding> | null)[] = Object.values(report.assumptions);
  if (!findings.every((finding) => OUTCOMES.some((outcome) => outcome === finding?.outcome))) throw refused;
  return report as VerifyReport;
}
