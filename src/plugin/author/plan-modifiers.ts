import { UNKNOWN } from '../values/unknown';
import type { Path } from './diagnostics';

/** The values of one attribute for a plan modifier. */
export interface PlanModifierRequest {
  readonly path: Path;
  readonly config: unknown;
  /** The stored value; null while the resource is being created. */
  readonly state: unknown;
  /** The planned value so far. */
  readonly plan: unknown;
  /** Whether the resource is being created. */
  readonly creating: boolean;
}

/** The decision of a plan modifier. Absent members change nothing. */
export interface PlanModifierResult {
  readonly plan?: unknown;
  readonly requiresReplace?: boolean;
}

/**
 * Changes the plan of one attribute. Runs on create and update, in the order given, never on
 * destroy.
 */
export type PlanModifier = (request: PlanModifierRequest) => PlanModifierResult;

/**
 * Returns a modifier for attributes whose change needs a new object: Terraform destroys the present
 * one and creates another.
 */
export function requiresReplace(): PlanModifier {
  return () => ({ requiresReplace: true });
}

/** Returns a modifier like {@link requiresReplace} that only applies if `condition` holds. */
export function requiresReplaceIf(condition: (request: PlanModifierRequest) => boolean): PlanModifier {
  return (request) => ({ requiresReplace: condition(request) });
}

/**
 * Returns a modifier for a computed attribute that updates do not change: its stored value is
 * planned, instead of unknown.
 */
export function useStateForUnknown(): PlanModifier {
  return ({ plan, config, state, creating }) =>
    plan === UNKNOWN && config !== UNKNOWN && !creating && state !== null ? { plan: state } : {};
}
