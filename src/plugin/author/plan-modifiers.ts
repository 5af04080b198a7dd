import { UNKNOWN } from '../values/unknown';
import type { Path } from './diagnostics';

/** What a plan modifier sees of one attribute. */
export interface PlanModifierRequest {
  readonly path: Path;
  readonly config: unknown;
  /** What the state holds; null while the resource is being created. */
  readonly state: unknown;
  /** What is planned so far. */
  readonly plan: unknown;
  /** Whether the resource does not exist yet. */
  readonly creating: boolean;
}

/** What a plan modifier decides. Left out: no change. */
export interface PlanModifierResult {
  readonly plan?: unknown;
  readonly requiresReplace?: boolean;
}

/** Changes the plan of one attribute. Runs on create and update, in the order given, never on destroy. */
export type PlanModifier = (request: PlanModifierRequest) => PlanModifierResult;

/** Another value means another object: Terraform destroys this one and creates a new one. */
export function requiresReplace(): PlanModifier {
  return () => ({ requiresReplace: true });
}

/** Like {@link requiresReplace}, if `condition` holds. */
export function requiresReplaceIf(condition: (request: PlanModifierRequest) => boolean): PlanModifier {
  return (request) => ({ requiresReplace: condition(request) });
}

/** An update does not change this computed attribute: it is planned as what the state holds, instead of unknown. */
export function useStateForUnknown(): PlanModifier {
  return ({ plan, config, state, creating }) =>
    plan === UNKNOWN && config !== UNKNOWN && !creating && state !== null ? { plan: state } : {};
}
