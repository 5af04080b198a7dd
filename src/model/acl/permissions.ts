import type { AclCapability, AclRule, ParameterConstraints } from './policy';

/** What one pattern permits, after the rules of all policies for it are merged. */
export interface Permissions {
  /** `deny` stands alone. */
  readonly capabilities: ReadonlySet<AclCapability>;
  readonly allowedParameters: ReadonlyMap<string, readonly unknown[]>;
  readonly deniedParameters: ReadonlyMap<string, readonly unknown[]>;
  readonly requiredParameters: readonly string[];
  /** Seconds; 0 for none. */
  readonly minWrappingTtl: number;
  /** Seconds; 0 for none. */
  readonly maxWrappingTtl: number;
}

const DENIED: Permissions = {
  capabilities: new Set(['deny']),
  allowedParameters: new Map(),
  deniedParameters: new Map(),
  requiredParameters: [],
  minWrappingTtl: 0,
  maxWrappingTtl: 0,
};

export function permissionsOf(rule: AclRule): Permissions {
  return {
    capabilities: new Set(rule.capabilities),
    allowedParameters: asMap(rule.allowedParameters),
    deniedParameters: asMap(rule.deniedParameters),
    requiredParameters: rule.requiredParameters ?? [],
    minWrappingTtl: rule.minWrappingTtl ?? 0,
    maxWrappingTtl: rule.maxWrappingTtl ?? 0,
  };
}

/** The union of two rules for one pattern. `deny` wins; of the TTLs the shorter one counts. */
export function mergePermissions(earlier: Permissions, later: Permissions): Permissions {
  if (earlier.capabilities.has('deny') || later.capabilities.has('deny')) return DENIED;
  return {
    capabilities: new Set([...earlier.capabilities, ...later.capabilities]),
    allowedParameters: mergeParameters(earlier.allowedParameters, later.allowedParameters),
    deniedParameters: mergeParameters(earlier.deniedParameters, later.deniedParameters),
    requiredParameters: [...new Set([...earlier.requiredParameters, ...later.requiredParameters])],
    minWrappingTtl: shorter(earlier.minWrappingTtl, later.minWrappingTtl),
    maxWrappingTtl: shorter(earlier.maxWrappingTtl, later.maxWrappingTtl),
  };
}

/** A parameter that one of the rules leaves free is free. */
function mergeParameters(
  earlier: ReadonlyMap<string, readonly unknown[]>,
  later: ReadonlyMap<string, readonly unknown[]>,
): ReadonlyMap<string, readonly unknown[]> {
  const merged = new Map(earlier);
  for (const [name, values] of later) {
    const before = merged.get(name);
    const free = values.length === 0 || before?.length === 0;
    merged.set(name, free ? [] : [...values, ...(before ?? [])]);
  }
  return merged;
}

/** The shorter of two times, of which 0 is none. */
function shorter(earlier: number, later: number): number {
  const given = [earlier, later].filter((seconds) => seconds > 0);
  return given.length === 0 ? 0 : Math.min(...given);
}

function asMap(constraints: ParameterConstraints | undefined): ReadonlyMap<string, readonly unknown[]> {
  return new Map(Object.entries(constraints ?? {}));
}
