import type { VaultError } from '../../../../client';
import type { DiagnosticError } from '../../../../plugin';
import type { Promote, Step, Observation } from '../planner';

/** The failure of a call or of a wait that ended a step. */
export type Failure = DiagnosticError | VaultError;

/** A line of the report of an apply. */
export interface ReportEntry {
  /** The step. */
  readonly words: string;
  /** The text in the report if the step was not completed. Absent: `words`. */
  readonly text?: string;
}

/**
 * The facts that an apply remembers until it ends. An apply after a kill needs none of them: it
 * reads all facts from the clusters and the state.
 */
export interface ApplyMemory {
  /** The number of attempts at each step, by its text. */
  readonly tries: Record<string, number>;
  /** Abandoned clusters that do not answer. */
  readonly gone: Set<string>;
  /** Clusters that did not answer, and were waited for. */
  readonly waitedFor: Set<string>;
  /**
   * Secondaries that must have received all data at the end, each with the step that this
   * completes, if there is one.
   */
  readonly unsettled: Map<string, Step | undefined>;
  /**
   * The primaries that have stepped down in this apply and do not follow another one yet, with
   * their secondary ids at that time.
   */
  readonly steppedDown: Map<string, string>;
  /** The promotion that is to follow the latest demotion. */
  takeover: Promote | undefined;
  /** The primary that confirmed its demotion, and whose status was not read since. */
  demoted: string | undefined;
  /**
   * The cluster that changed its mode last, and the time, as for `pause`, until which this may
   * cause refusals.
   */
  unsettledUntil: { readonly cluster: string; readonly until: number } | undefined;
  /** Members that followed a primary earlier in this apply, with their secondary ids. */
  readonly followers: Map<string, string>;
  /** Clusters that this apply has promoted, including those whose answers were lost. */
  readonly promoted: Set<string>;
  /** The ids for which this apply has requested activation tokens. */
  readonly issued: Set<string>;
  /** The ids of issued tokens that members have accepted. */
  readonly delivered: Set<string>;
  /** The ids with which this apply made members join, including those whose answers were lost. */
  readonly joined: Set<string>;
  /**
   * The ids that members have or had in this apply. They are kept because a member that has just
   * left may still be listed as connected.
   */
  readonly ownIds: Set<string>;
  /**
   * Steps that failed on one secondary, by their texts. The steps of other secondaries are taken
   * first.
   */
  readonly postponed: Map<string, { readonly step: Step; readonly failure: Failure }>;
  /** The completed steps and the incomplete ones, in their order. */
  readonly report: ReportEntry[];
  /** A failed step that may have changed something; set until the clusters are read again. */
  unclear: Step | undefined;
  /** The latest step that has changed something or may still do so. */
  sent: Step | undefined;
  /** The primary on which this apply has announced a successor, even if the answer was lost. */
  announcedOn: string | undefined;
  /**
   * The promotion that was not possible, with the facts at that time. If set, the apply returns to
   * the old primary.
   */
  turnedBack: { readonly from: Promote; readonly because: Failure; readonly at: Observation } | undefined;
  /** Whether the rights of the tokens were checked. This happens before the first step. */
  checked: boolean;
  /** Whether a primary took over from a cluster that did not follow it yet. */
  hasNote: boolean;
}

/**
 * @param settle clusters that must have received all data at the end, even if an earlier apply made
 * them join.
 */
export function newMemory(settle: readonly string[]): ApplyMemory {
  return {
    tries: {},
    gone: new Set(),
    waitedFor: new Set(),
    unsettled: new Map(settle.map((name) => [name, undefined])),
    steppedDown: new Map(),
    takeover: undefined,
    demoted: undefined,
    unsettledUntil: undefined,
    followers: new Map(),
    promoted: new Set(),
    issued: new Set(),
    delivered: new Set(),
    joined: new Set(),
    ownIds: new Set(),
    postponed: new Map(),
    report: [],
    unclear: undefined,
    sent: undefined,
    announcedOn: undefined,
    turnedBack: undefined,
    checked: false,
    hasNote: false,
  };
}
