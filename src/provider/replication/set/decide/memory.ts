import type { VaultError } from '../../../../client';
import type { DiagnosticError } from '../../../../plugin';
import type { Promote, Step, Observation } from '../planner';

/** Why a step failed: a call, or a wait. */
export type Failure = DiagnosticError | VaultError;

/** A line of the report of an apply. */
export interface ReportEntry {
  /** The step. */
  readonly words: string;
  /** How far the step came, if it was not completed. */
  readonly told?: string;
}

/**
 * The memory of an apply, until it ends. The apply after a kill needs none of it: it finds
 * everything on the clusters and in the state.
 */
export interface ApplyMemory {
  /** How often each step was begun, by its text. */
  readonly tries: Record<string, number>;
  /** Abandoned clusters that do not answer. */
  readonly gone: Set<string>;
  /** Clusters that did not answer, and were waited for. */
  readonly waitedFor: Set<string>;
  /**
   * Secondaries that have to have received everything in the end, with the step that is completed
   * by it, if there is one.
   */
  readonly unsettled: Map<string, Step | undefined>;
  /**
   * The primaries that have stepped down in this apply and do not follow another one yet, with
   * their secondary ids at that time.
   */
  readonly steppedDown: Map<string, string>;
  /** The promotion that is to follow the latest demotion. */
  takeover: Promote | undefined;
  /** The primary whose demotion was answered, until it was seen afterwards. */
  demoted: string | undefined;
  /**
   * The time, for `pause`, until which refusals may come from the latest change of a mode, and its
   * cluster.
   */
  unsettledUntil: { readonly cluster: string; readonly until: number } | undefined;
  /** Members that followed a primary earlier in this apply, with their secondary ids. */
  readonly followers: Map<string, string>;
  /** Clusters that this apply has promoted, also by requests whose answers were lost. */
  readonly promoted: Set<string>;
  /** The ids for which this apply has requested activation tokens. */
  readonly issued: Set<string>;
  /** The ids of issued tokens that members have accepted. */
  readonly delivered: Set<string>;
  /**
   * The ids that members have, or had in this apply: one that has just left may still be shown as
   * connected.
   */
  readonly ownIds: Set<string>;
  /**
   * Steps that failed on one secondary, by their texts: the other secondaries do not wait for it.
   */
  readonly postponed: Map<string, { readonly step: Step; readonly failure: Failure }>;
  /** The completed steps and the incomplete ones, in their order. */
  readonly report: ReportEntry[];
  /** A step that failed, but may have changed something, until the clusters are read again. */
  unclear: Step | undefined;
  /** The latest step of which a change was answered, or may still take effect. */
  sent: Step | undefined;
  /**
   * The primary on which this apply has announced a successor, also by a request whose answer was
   * lost.
   */
  announcedOn: string | undefined;
  /**
   * The promotion that was not possible, and the facts then: since then the apply goes back to the
   * old primary.
   */
  turnedBack: { readonly from: Promote; readonly because: Failure; readonly at: Observation } | undefined;
  /** Whether the rights of the tokens were checked, before the first step. */
  checked: boolean;
  /** Whether a primary took over from a cluster that did not follow it yet. */
  hasNote: boolean;
}

/**
 * @param settle clusters that have to have received everything in the end, also where an earlier
 * apply let them join.
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
