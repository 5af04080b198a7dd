import { limitsTooComplex } from '../effort';
import { globOf } from '../parameters';
import type { Permissions } from '../permissions';

/**
 * Returns permissions for the requests that both of two rules permit.
 *
 * @throws TooComplexError if lists of values cannot express this.
 */
export function allOf(a: Permissions, b: Permissions): Permissions {
  const denied = [a, b].find(({ capabilities }) => capabilities.has('deny'));
  if (denied) return denied;
  return {
    capabilities: new Set([...a.capabilities].filter((each) => b.capabilities.has(each))),
    allowedParameters: allowedByBoth(a.allowedParameters, b.allowedParameters),
    deniedParameters: deniedByAny(a.deniedParameters, b.deniedParameters),
    requiredParameters: [...new Set([...a.requiredParameters, ...b.requiredParameters])],
    minWrappingTtl: Math.max(a.minWrappingTtl, b.minWrappingTtl),
    maxWrappingTtl: shortestTtl(a.maxWrappingTtl, b.maxWrappingTtl),
  };
}

/** Returns the shorter time; 0 stands for no limit. */
function shortestTtl(a: number, b: number): number {
  return a > 0 && b > 0 ? Math.min(a, b) : Math.max(a, b);
}

type Lists = ReadonlyMap<string, readonly unknown[]>;

const OTHERS = '*';
/** A list that matches no value, because numbers in rules never do. */
const NO_VALUE: readonly unknown[] = [0];

function allowedByBoth(a: Lists, b: Lists): Lists {
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  const names = new Set([...a.keys(), ...b.keys()]);
  const both: [string, readonly unknown[]][] = [];
  for (const name of names) {
    const [ofA, ofB] = [a, b].map((lists) => lists.get(name) ?? (lists.has(OTHERS) ? [] : undefined));
    if (ofA && ofB) both.push([name, name === OTHERS ? [] : inBoth(name, ofA, ofB)]);
  }
  // An empty map would allow every parameter.
  return new Map(both.length > 0 ? both : [['', NO_VALUE]]);
}

function inBoth(name: string, a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  if (a.length === 0) return b;
  if (b.length === 0 || JSON.stringify(a) === JSON.stringify(b)) return a;
  if (![...a, ...b].every(isPlain)) throw limitsTooComplex(name);
  const common = a.filter((value) => b.includes(value));
  return common.length > 0 ? common : NO_VALUE;
}

/** Whether a value matches only itself, and is no list of values. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'boolean' || value === null) return true;
  if (typeof value !== 'string' || value === '' || /[,\s]/.test(value)) return false;
  const { open, openEnd } = globOf(value);
  return !open && !openEnd;
}

function deniedByAny(a: Lists, b: Lists): Lists {
  const all = new Map(a);
  for (const [name, values] of b) {
    const others = all.get(name);
    const isAny = values.length === 0 || others?.length === 0;
    all.set(name, isAny ? [] : [...(others ?? []), ...values]);
  }
  return all;
}
