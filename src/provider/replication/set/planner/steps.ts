import { transitionOf, type ReplicationCallName, type Transition } from '../../../../model';
import type { Filter } from './facts';

interface Of<K extends string> {
  readonly kind: K;
  /** The cluster that the step changes. */
  readonly cluster: string;
}

/** A standalone cluster becomes the primary of a new set. */
export type EnablePrimary = Of<'enable_primary'>;

/** The primary steps down and accepts no further writes, so that `successor` can take over. */
export interface Demote extends Of<'demote'> {
  readonly successor: string;
  /** Whether it may step down although its successor lacks writes. */
  readonly forced: boolean;
}

export interface Promote extends Of<'promote'> {
  /**
   * The other clusters that were the last primaries. The promoted cluster must have their writes.
   * Empty if it was the last primary itself.
   */
  readonly predecessors: readonly string[];
  /** Whether it may be promoted although it lacks writes. */
  readonly forced: boolean;
  /**
   * The cluster that becomes the primary again if this one cannot be promoted. Absent: the set then
   * has no primary.
   */
  readonly fallback?: string;
}

/** A standalone cluster becomes a secondary, and loses all its data. */
export interface Join extends Of<'join'> {
  readonly primary: string;
  readonly id: string;
  readonly filter: Filter | null;
}

/** A secondary of the set follows a primary, and keeps its data. */
export interface Follow extends Of<'follow'> {
  readonly primary: string;
  readonly id: string;
  readonly filter: Filter | null;
  /** Whether it loses writes that its new primary lacks. */
  readonly mayLose: boolean;
}

/**
 * A secondary that lost the connection to its primary gets the primary's new address. A new token
 * would not help: it would contain the old address, which the primary still uses.
 */
export interface Redirect extends Of<'redirect'> {
  readonly primary: string;
  readonly id: string;
  readonly address: string;
}

/** The paths filter of a secondary is written, or removed, on its primary. */
export interface SetFilter extends Of<'set_filter'> {
  readonly id: string;
  readonly filter: Filter | null;
}

/** A secondary becomes a standalone cluster again. */
export type Leave = Of<'leave'>;

/** The primary forgets a secondary: its token and its paths filter. */
export interface Forget extends Of<'forget'> {
  readonly id: string;
}

/** The primary becomes a standalone cluster again. */
export type DisablePrimary = Of<'disable_primary'>;

/**
 * The TTL of activation tokens in seconds. They are used at once, and a token that a crash leaves
 * behind expires soon.
 */
export const TOKEN_TTL = 300;

/** One step of a plan. Each step can be repeated after an interruption at any point. */
export type Step =
  EnablePrimary | Demote | Promote | Join | Follow | Redirect | SetFilter | Leave | Forget | DisablePrimary;

/** The calls of steps that change the mode of a cluster. */
const TRIGGERS = {
  enable_primary: 'enablePrimary',
  demote: 'demotePrimary',
  promote: 'promoteSecondary',
  join: 'enableSecondary',
  follow: 'updatePrimary',
  leave: 'disableSecondary',
  disable_primary: 'disablePrimary',
} as const satisfies Partial<Record<Step['kind'], ReplicationCallName>>;

/**
 * Returns the transition of a step's cluster in the model; `undefined` if its mode does not change.
 */
export function transitionBy({ kind }: Step): Transition | undefined {
  return kind in TRIGGERS ? transitionOf(TRIGGERS[kind as keyof typeof TRIGGERS]) : undefined;
}

/**
 * Whether a step erases, promotes, demotes or disables a cluster, or may lose writes that only the
 * cluster has.
 */
export function isDangerous(step: Step): boolean {
  if (step.kind === 'follow') return step.mayLose;
  const transition = transitionBy(step);
  if (transition === undefined) return false;
  // The creation of a set by a cluster without replication loses no data, and the cluster can end
  // the set again.
  return transition.wipesData || transition.from !== 'disabled';
}

/** Whether a step gives its cluster an activation token from the primary. */
export function takesToken(step: Step): step is Join | Follow {
  return Boolean(transitionBy(step)?.needsToken);
}
