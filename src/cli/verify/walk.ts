import {
  ASSUMPTIONS,
  type Assumption,
  type AssumptionName,
  firstOf,
  type ReportedFinding,
} from '../../emulator/assume';
import type { Dialect } from '../../model';
import { PROBES } from './probes';
import { type Probe, type Seen, type ServerVersion, Unable, type Unseen } from './probes/probe';
import { NoAnswer, type Wire } from './wire';

/** What was found, by assumption. */
export type Findings = Readonly<Record<string, ReportedFinding>>;

/** What a walk needs. */
interface Walk {
  readonly version: ServerVersion;
  readonly dialect: Dialect;
  readonly server: Wire;
  /** Where it writes, or why it does not. */
  readonly scratch: Wire | Unseen;
  /** Takes out of a text what may tell whose server it is. */
  readonly anonymous: (text: string) => string;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  readonly progress: (text: string) => void;
}

/** Looks at assumptions, one after the other. */
export async function walk(walked: Walk, names: readonly AssumptionName[]): Promise<Findings> {
  const findings: Record<string, ReportedFinding> = {};
  for (const [index, name] of names.entries()) {
    walked.progress(`${index + 1} of ${names.length}: ${name}`);
    findings[name] = findingOf(name, await see(PROBES[name], walked), walked.anonymous);
  }
  return findings;
}

async function see(probe: Probe<AssumptionName> | Unseen, walked: Walk): Promise<Seen<AssumptionName>> {
  if ('unseen' in probe) return probe;
  const server = placeOf(probe, walked);
  if ('unseen' in server) return server;
  try {
    return await probe.see({ ...walked, server });
  } catch (error) {
    if (error instanceof Unable) return error.seen;
    if (error instanceof NoAnswer) return { unseen: 'the server did not answer' };
    throw error;
  }
}

function placeOf({ where }: Probe<AssumptionName>, { server, scratch }: Walk): Wire | Unseen {
  if (where === 'nowhere') return server;
  if (where === 'namespace') return scratch;
  return { unseen: 'it would change the cluster outside a namespace' };
}

function findingOf(
  name: AssumptionName,
  seen: Seen<AssumptionName>,
  anonymous: Walk['anonymous'],
): ReportedFinding {
  if ('unseen' in seen) return { outcome: 'not_seen', seen: seen.unseen };
  const { text, ...numbers } = seen.measured ?? {};
  const measured = seen.measured && {
    measured: { ...numbers, ...(text !== undefined && { text: anonymous(text) }) },
  };
  if ('otherwise' in seen) return { outcome: 'otherwise', seen: anonymous(seen.otherwise), ...measured };
  const { alternative, words } = seen;
  const { alternatives }: Assumption = ASSUMPTIONS[name];
  return {
    outcome: alternative === firstOf(name) ? 'as_assumed' : 'otherwise',
    alternative,
    ...measured,
    seen: words === undefined ? (alternatives[alternative]?.says ?? '') : anonymous(words),
  };
}
