import type { Dialect } from '../../../model';
import {
  ASSUMPTIONS,
  firstOf,
  type AlternativeName,
  type AssumptionName,
  type Measured,
} from '../../../emulator/assume';
import type { ReplicationSet } from '../set';
import type { Unseen } from '../unseen';
import type { AnswerFields, Wire } from '../wire';

/** The observation of an assumption. */
export type Seen<Name extends AssumptionName> =
  | { readonly alternative: AlternativeName<Name>; readonly measured?: Measured; readonly words?: string }
  /** A description of behavior that no alternative covers. */
  | { readonly otherwise: string; readonly measured?: Measured }
  | Unseen;

/** The place that a probe writes to. */
export type Where =
  /** Nowhere: the probe only reads, or sends requests that every server refuses. */
  | 'nowhere'
  /** In the scratch namespace. */
  | 'namespace'
  /** In the root namespace of a disposable cluster. */
  | 'root'
  /** On two disposable clusters and their replication. */
  | 'set';

/** A probe of one assumption. */
export type Probe<Name extends AssumptionName> =
  | { readonly where: Exclude<Where, 'set'>; readonly see: (site: ProbedServer) => Promise<Seen<Name>> }
  | {
      readonly where: 'set';
      readonly see: (set: ReplicationSet, site: ProbedServer) => Promise<Seen<Name>>;
      /**
       * Whether to run the probe once more while the primary receives writes. The finding has to be
       * the same.
       */
      readonly underWrites?: true;
      /**
       * Returns the observation in the status of a cluster that replicates already. Used if no
       * cluster is disposable.
       */
      readonly inStatus?: (status: AnswerFields, site: ProbedServer) => Seen<Name>;
    };

/** A server and what a probe needs to know about it. */
export interface ProbedServer {
  readonly version: ServerVersion;
  /** The place for writes: the scratch namespace, or the root namespace of a disposable cluster. */
  readonly server: Wire;
  /** The names that the server uses for vendors. */
  readonly dialect: Dialect;
  /** The disposable clusters, if there are any. */
  readonly set?: ReplicationSet;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
}

export interface ServerVersion {
  /** The version without what builders add: `1.21.0+ent.hsm`. */
  readonly text: string;
  readonly number: readonly [major: number, minor: number, patch: number];
}

function atLeast({ number: [major, minor] }: ServerVersion, since: Since): boolean {
  return major > since[0] || (major === since[0] && minor >= since[1]);
}

type SinceName = {
  [Name in AssumptionName]: AlternativeName<Name> extends infer One
    ? 'later' extends One
      ? Name
      : never
    : never;
}[AssumptionName];

/**
 * Judges whether a server has something that exists from a version on. An earlier server cannot
 * show it.
 */
export function judgeSince<Name extends SinceName>(
  name: Name,
  version: ServerVersion,
  has: boolean,
): Seen<Name> {
  const first = firstOf(name);
  const { since } = (ASSUMPTIONS[name].alternatives as Readonly<Record<string, { since: Since }>>)[first]!;
  if (atLeast(version, since)) return { alternative: (has ? first : 'later') as AlternativeName<Name> };
  if (has) return { otherwise: `an earlier version has it already: ${version.number.join('.')}` };
  return { unseen: `only version ${since.join('.')} or a later one can tell` };
}

type Since = readonly [major: number, minor: number];

/** The probes of some assumptions, or the reasons why no probe is possible. */
export type Probes<Names extends AssumptionName> = { readonly [Name in Names]: Probe<Name> | Unseen };
