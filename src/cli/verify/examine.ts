import {
  ASSUMPTIONS,
  type Assumption,
  type AssumptionName,
  firstOf,
  type ReportedFinding,
} from '../../emulator/assume';
import { PERFORMANCE_PATH, type Dialect } from '../../model';
import { PROBES } from './probes';
import { type Probe, type Seen, type ServerVersion, type ProbedServer, type Where } from './probes/probe';
import { Unable, type Unseen } from './unseen';
import { type ScratchOptions, withScratch } from './scratch';
import type { ReplicationSet } from './set';
import { NoAnswer, type Wire } from './wire';

/** The findings, by assumption. */
export type FindingsByAssumption = Readonly<Record<string, ReportedFinding>>;

/** The inputs of a run of `verify`. */
interface Run extends ScratchOptions {
  readonly version: ServerVersion;
  readonly dialect: Dialect;
  readonly server: Wire;
  /** Removes from a text the parts that may identify the owner of the server. */
  readonly anonymous: (text: string) => string;
  /** The clusters whose replication may be changed. Absent if no clusters are disposable. */
  readonly set?: ReplicationSet;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  readonly progress: (text: string) => void;
}

type Step = Run & { readonly scratch: Wire | Unseen };

/**
 * Examines assumptions, one after the other. Those that show in a namespace come first, and the
 * namespace is removed again; then come those that change whole clusters.
 *
 * @throws NotRemoved
 */
export async function examine(run: Run, names: readonly AssumptionName[]): Promise<FindingsByAssumption> {
  const findings = new Map<AssumptionName, ReportedFinding>();
  const look = async (some: readonly AssumptionName[], scratch: Wire | Unseen) => {
    for (const name of some) {
      run.progress(`${findings.size + 1} of ${names.length}: ${name}`);
      const seen = await see(PROBES[name], { ...run, scratch });
      findings.set(name, findingOf(name, seen, run.anonymous));
    }
  };
  const needs = (name: AssumptionName): Where => {
    const probe: Probe<AssumptionName> | Unseen = PROBES[name];
    return 'where' in probe ? probe.where : 'nowhere';
  };
  const inNamespace = names.filter((name) => needs(name) === 'namespace');
  if (inNamespace.length > 0) {
    await withScratch(run.server, run, (scratch) => look(inNamespace, scratch));
  }
  await look(
    names.filter((name) => needs(name) !== 'namespace'),
    NOT_DISPOSABLE,
  );
  return Object.fromEntries(names.map((name) => [name, findings.get(name) as ReportedFinding]));
}

async function see(probe: Probe<AssumptionName> | Unseen, run: Step): Promise<Seen<AssumptionName>> {
  if ('unseen' in probe) return probe;
  try {
    const server = await placeOf(probe, run);
    if ('unseen' in server) return await seeInStatus(probe, run, server);
    if (probe.where !== 'set') return await probe.see({ ...run, server });
    if (run.set === undefined) return NOT_DISPOSABLE;
    return await seeOnSet(probe, run.set, { ...run, server });
  } catch (error) {
    run.set?.changed();
    if (error instanceof Unable) return error.seen;
    if (error instanceof NoAnswer) return { unseen: 'the server did not answer' };
    throw error;
  }
}

/** Runs a probe on quiet clusters and, if writes can make a difference, once more under writes. */
async function seeOnSet(
  probe: Extract<Probe<AssumptionName>, { where: 'set' }>,
  set: ReplicationSet,
  site: ProbedServer,
): Promise<Seen<AssumptionName>> {
  const quiet = await probe.see(set, site);
  if (!probe.underWrites || !('alternative' in quiet)) return quiet;
  const busy = await set
    .whileWriting(() => probe.see(set, site))
    .catch((error: unknown) => {
      if (error instanceof Unable) return error.seen;
      throw error;
    });
  if ('unseen' in busy || ('alternative' in busy && busy.alternative === quiet.alternative)) return quiet;
  const other = 'alternative' in busy ? busy.alternative : busy.otherwise;
  return { otherwise: `${quiet.alternative} while nothing is written, but under writes: ${other}` };
}

/** Runs the part of a probe that only reads the status, if the cluster replicates already. */
async function seeInStatus(
  probe: Probe<AssumptionName>,
  run: Step,
  otherwise: Unseen,
): Promise<Seen<AssumptionName>> {
  if (probe.where !== 'set' || probe.inStatus === undefined) return otherwise;
  const { data } = await run.server.root().as('').get(`${PERFORMANCE_PATH}/status`);
  const { mode } = data;
  if (mode !== 'primary' && mode !== 'secondary') return otherwise;
  return probe.inStatus(data, { ...run, server: run.server });
}

const NOT_DISPOSABLE: Unseen = { unseen: 'only disposable clusters can tell, see --disposable' };

async function placeOf({ where }: Probe<AssumptionName>, run: Step): Promise<Wire | Unseen> {
  if (where === 'nowhere') return run.server;
  if (where === 'namespace') return run.scratch;
  return run.set === undefined ? NOT_DISPOSABLE : run.set.use(run.set.first);
}

function findingOf(
  name: AssumptionName,
  seen: Seen<AssumptionName>,
  anonymous: Run['anonymous'],
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
