import { groupsByKey } from '../groups';
import type { AclCapability, AclRule, ParameterConstraints } from './policy';

/** The permissions of one pattern, after the rules of all policies for it are merged. */
export interface Permissions {
  /** The granted capabilities. With `deny` there are no others. */
  readonly capabilities: ReadonlySet<AclCapability>;
  readonly allowedParameters: ReadonlyMap<string, readonly unknown[]>;
  readonly deniedParameters: ReadonlyMap<string, readonly unknown[]>;
  readonly requiredParameters: readonly string[];
  /** The shortest wrapping TTL in seconds; 0 for no limit. */
  readonly minWrappingTtl: number;
  /** The longest wrapping TTL in seconds; 0 for no limit. */
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

/**
 * Merges the rules for one pattern, earlier ones first: capabilities add up, `deny` wins, the
 * shortest TTLs apply.
 */
export function mergePermissions(all: readonly [Permissions, ...Permissions[]]): Permissions {
  if (all.length === 1) return all[0];
  if (all.some(({ capabilities }) => capabilities.has('deny'))) return DENIED;
  return {
    capabilities: new Set(all.flatMap(({ capabilities }) => [...capabilities])),
    allowedParameters: mergeParameters(all.map(({ allowedParameters }) => allowedParameters)),
    deniedParameters: mergeParameters(all.map(({ deniedParameters }) => deniedParameters)),
    requiredParameters: [...new Set(all.flatMap(({ requiredParameters }) => requiredParameters))],
    minWrappingTtl: shortest(all.map(({ minWrappingTtl }) => minWrappingTtl)),
    maxWrappingTtl: shortest(all.map(({ maxWrappingTtl }) => maxWrappingTtl)),
  };
}

/**
 * Merges constraints. A parameter with any value in one of the rules has any value in the result.
 * The values of later rules come first.
 */
function mergeParameters(
  all: readonly ReadonlyMap<string, readonly unknown[]>[],
): ReadonlyMap<string, readonly unknown[]> {
  const written = groupsByKey(
    all.flatMap((each) => [...each]),
    ([name]) => name,
  );
  const merged = Array.from(written, ([name, group]) => {
    const lists = group.map(([, values]) => values);
    const isFree = lists.some(({ length }) => length === 0);
    return [name, isFree ? [] : lists.reverse().flat()] as const;
  });
  return new Map(merged);
}

/** Returns the shortest time; 0 counts as no time, and is returned only if all are 0. */
function shortest(times: readonly number[]): number {
  return times.reduce((least, seconds) =>
    least > 0 && seconds > 0 ? Math.min(least, seconds) : least || seconds,
  );
}

function asMap(constraints: ParameterConstraints | undefined): ReadonlyMap<string, readonly unknown[]> {
  return new Map(Object.entries(constraints ?? {}));
}
