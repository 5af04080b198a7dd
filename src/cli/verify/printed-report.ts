import { REPORT_FORMAT, type ReportedFinding, type VerifyReport } from '../../emulator/assume';
import { PROVIDER_VERSION } from '../../provider/about';
import type { ServerVersion } from './probes/probe';
import type { FindingsByAssumption } from './examine';

/** The number of assumptions with each outcome. */
export type Counts = Readonly<Record<ReportedFinding['outcome'], number>>;

/** A report as the command prints and writes it. */
export interface PrintedReport extends VerifyReport {
  /** The version of the package. */
  readonly version: string;
  readonly counts: Counts;
}

export function reportOf({ text }: ServerVersion, assumptions: FindingsByAssumption): PrintedReport {
  const count = (outcome: ReportedFinding['outcome']) =>
    Object.values(assumptions).filter((each) => each.outcome === outcome).length;
  return {
    format: REPORT_FORMAT,
    version: PROVIDER_VERSION,
    server: { version: text },
    counts: {
      as_assumed: count('as_assumed'),
      otherwise: count('otherwise'),
      not_seen: count('not_seen'),
    },
    assumptions,
  };
}
