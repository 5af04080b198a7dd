import type { AclChange, AclExplanation, AclMergedRule, LostBy, SensitiveChange } from '../../../model';

/** A rule, merged from the rules of several policies. */
interface RuleJson {
  readonly path: string;
  readonly capabilities: readonly string[];
  /** The names of the policies with the merged rules. */
  readonly policies: readonly string[];
  /** The limits of its requests. Absent if it has none. */
  readonly limits?: LimitsJson;
}

interface LimitsJson {
  /** The allowed values by parameter. An empty list allows any value. */
  readonly allowedParameters?: Readonly<Record<string, readonly unknown[]>>;
  /** The denied values by parameter. An empty list denies any value. */
  readonly deniedParameters?: Readonly<Record<string, readonly unknown[]>>;
  readonly requiredParameters?: readonly string[];
  /** Seconds. */
  readonly minWrappingTtl?: number;
  /** Seconds. */
  readonly maxWrappingTtl?: number;
}

export interface ChangeJson extends Omit<AclChange, 'checks' | 'before' | 'after'> {
  /** The names of the policies that grant the operation; if it becomes denied, that granted it. */
  readonly grantedBy: readonly string[];
  /**
   * The further checks of the requests, under the old and the new set. Absent if both require
   * nothing more.
   */
  readonly checks?: AclChange['checks'];
  /** The rule that decides under the old set. Absent if there is none. */
  readonly before?: RuleJson | undefined;
  /** The rule that decides under the new set. Absent if there is none. */
  readonly after?: RuleJson | undefined;
}

/** Something dangerous that becomes possible, with the requests that make it so. */
export interface SensitiveJson {
  /** The kind of danger, such as `policies`. */
  readonly kind: string;
  /** The danger, as the words that follow "may now". */
  readonly text: string;
  /**
   * The operation. Absent if a rule no longer denies the paths, so that every operation becomes
   * possible.
   */
  readonly operation?: string;
  readonly pattern: string;
}

export interface ExplanationJson extends Omit<AclExplanation, 'rule' | 'others' | 'unfilled' | 'limits'> {
  /** The rule that decides. Absent if none matches. */
  readonly rule?: RuleJson | undefined;
  /**
   * Rules that may match as well, because their templates cannot be filled in without an identity.
   */
  readonly unfilled: readonly RuleJson[];
  /** The other rules that match the path, and why they do not decide. */
  readonly others: readonly { readonly rule: RuleJson; readonly lostBy: LostBy }[];
  /** How the ceiling of the agent decides on the request. Absent without one. */
  readonly ceiling?: ExplanationJson;
  /** How the details of authorization decide on the request. Absent without them. */
  readonly authorizationDetails?: ExplanationJson;
}

function ruleJson({ path, permissions, origins }: AclMergedRule): RuleJson {
  const limits = limitsJson(permissions);
  return {
    path,
    capabilities: [...permissions.capabilities],
    policies: [...new Set(origins.map(({ policy }) => policy))],
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

function limitsJson(permissions: AclMergedRule['permissions']): LimitsJson {
  const { allowedParameters, deniedParameters, requiredParameters, minWrappingTtl, maxWrappingTtl } =
    permissions;
  return {
    ...(allowedParameters.size > 0 && { allowedParameters: Object.fromEntries(allowedParameters) }),
    ...(deniedParameters.size > 0 && { deniedParameters: Object.fromEntries(deniedParameters) }),
    ...(requiredParameters.length > 0 && { requiredParameters }),
    ...(minWrappingTtl > 0 && { minWrappingTtl }),
    ...(maxWrappingTtl > 0 && { maxWrappingTtl }),
  };
}

/** Returns the names of the policies that grant the operation of a change. */
export function grantedBy({ operation, becomes, before, after }: AclChange): readonly string[] {
  const { origins = [] } = (becomes === 'denied' ? before : after) ?? {};
  const granting = origins.filter(({ rule }) => rule.capabilities.includes(operation));
  return [...new Set(granting.map(({ policy }) => policy))];
}

export function changeJson(change: AclChange): ChangeJson {
  const { before, after, ...others } = change;
  return {
    ...others,
    grantedBy: grantedBy(change),
    before: before && ruleJson(before),
    after: after && ruleJson(after),
  };
}

export function sensitiveJson(sensitive: SensitiveChange): SensitiveJson {
  const { kind, text } = sensitive;
  if (!('change' in sensitive)) return { kind, text, pattern: sensitive.pattern };
  const { operation, pattern } = sensitive.change;
  return { kind, text, operation, pattern };
}

export function explanationJson(explanation: AclExplanation): ExplanationJson {
  const { rule, others, unfilled, limits = [], ...rest } = explanation;
  const byName = limits.map(({ name, explanation: limit }) => [
    name === 'ceiling' ? 'ceiling' : 'authorizationDetails',
    explanationJson(limit),
  ]);
  return {
    ...rest,
    ...(Object.fromEntries(byName) as Pick<ExplanationJson, 'ceiling' | 'authorizationDetails'>),
    rule: rule && ruleJson(rule),
    unfilled: unfilled.map(ruleJson),
    others: others.map(({ rule: other, lostBy }) => ({ rule: ruleJson(other), lostBy })),
  };
}
