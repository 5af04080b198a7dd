import { isRecord } from '../../text';
import { UNCOUNTED, type Effort } from './effort';
import type { Permissions } from './permissions';

type Parameters = Readonly<Record<string, unknown>>;

/** The way in which a server compares the values of parameters. */
export interface ParameterRules {
  /** Whether lists are compared element by element, not as a whole. */
  readonly perElementLists: boolean;
  /** Whether names of policies in requests are compared in lower case. */
  readonly lowerPolicyNames: boolean;
}

/** The parameters with names of policies, which the server keeps in lower case. */
const NAMES_OF_POLICIES = ['policies', 'token_policies'];

/** Whether the values of a parameter are names of policies. */
export function namesPolicies(name: string): boolean {
  return NAMES_OF_POLICIES.includes(name.toLowerCase());
}

/** Whether values of a parameter are compared in lower case. */
export function isLowered(name: string, { lowerPolicyNames }: ParameterRules): boolean {
  return lowerPolicyNames && namesPolicies(name);
}

/** Returns a text, or the elements of a list, in lower case. */
function lowered(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase();
  return Array.isArray(value)
    ? value.map((each: unknown) => (typeof each === 'string' ? each.toLowerCase() : each))
    : value;
}

/** Whether the constraints on parameters permit a request with `data`. */
export function parametersAllow(
  permissions: Permissions,
  data: Parameters,
  rules: ParameterRules,
  effort: Effort = UNCOUNTED,
): boolean {
  effort.spend(permissions.requiredParameters.length);
  if (!permissions.requiredParameters.every((name) => Object.hasOwn(data, name.toLowerCase()))) return false;

  const parameters = Object.entries(data).map(([name, value]) => ({
    name: name.toLowerCase(),
    value: isLowered(name, rules) ? lowered(value) : value,
  }));
  if (parameters.length === 0) return true;
  return (
    !denied(permissions, parameters, rules.perElementLists, effort) &&
    allowed(permissions, parameters, rules.perElementLists, effort)
  );
}

interface Parameter {
  readonly name: string;
  readonly value: unknown;
}

function denied(
  { deniedParameters }: Permissions,
  parameters: readonly Parameter[],
  perElement: boolean,
  effort: Effort,
): boolean {
  if (deniedParameters.has('*')) return true;
  return parameters.some(({ name, value }) => {
    const values = deniedParameters.get(name);
    if (!values) return false;
    return (
      isAmong(value, values, effort) ||
      (perElement && (elementsOf(value) ?? []).some((element) => isAmong(element, values, effort)))
    );
  });
}

function allowed(
  { allowedParameters }: Permissions,
  parameters: readonly Parameter[],
  perElement: boolean,
  effort: Effort,
): boolean {
  if (allowedParameters.size === 0) return true;
  const others = allowedParameters.has('*');
  if (others && allowedParameters.size === 1) return true;
  return parameters.every(({ name, value }) => {
    const values = allowedParameters.get(name);
    if (!values) return others;
    return (
      isAmong(value, values, effort) ||
      (perElement && (elementsOf(value)?.every((element) => isAmong(element, values, effort)) ?? false))
    );
  });
}

/** Returns the elements of a list, or of a text that may be a comma-separated list. */
function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  if (typeof value !== 'string') return undefined;
  return value === '' ? [] : value.split(',').map((element) => element.trim());
}

function isAmong(value: unknown, values: readonly unknown[], effort: Effort): boolean {
  return values.length === 0 || values.some((pattern) => equals(pattern, value, effort));
}

/**
 * The number of comparisons of characters in one step. A search for a text within another may
 * compare each character of one with each of the other.
 */
const COMPARED_AT_ONCE = 64;

function equals(pattern: unknown, value: unknown, effort: Effort): boolean {
  if (typeof pattern !== 'string') return isSame(pattern, value, effort);
  effort.spend(1);
  if (typeof value !== 'string') return false;
  effort.spend((pattern.length * value.length) / COMPARED_AT_ONCE);
  return matchesGlob(globOf(pattern), value);
}

/**
 * Whether a value equals a value in a policy. Numbers never do: the server compares the policy's
 * number with the number in the request before it has parsed the latter.
 */
function isSame(pattern: unknown, value: unknown, effort: Effort): boolean {
  effort.spend(1);
  if (typeof pattern === 'number') return false;
  if (Array.isArray(pattern) && Array.isArray(value)) {
    return (
      pattern.length === value.length &&
      pattern.every((element, index) => isSame(element, value[index], effort))
    );
  }
  if (isRecord(pattern) && isRecord(value)) {
    const keys = Object.keys(pattern);
    return (
      keys.length === Object.keys(value).length &&
      keys.every((key) => Object.hasOwn(value, key) && isSame(pattern[key], value[key], effort))
    );
  }
  return pattern === value;
}

/** A text of a constraint, without the `*` at its ends. */
interface Glob {
  readonly text: string;
  /** Whether any text may come before the text. */
  readonly open: boolean;
  /** Whether any text may follow the text. */
  readonly openEnd: boolean;
}

/**
 * Reads a text of a constraint. A `*` at either end stands for any text; a `*` alone is literal.
 */
export function globOf(pattern: string): Glob {
  if (pattern === '*') return { text: pattern, open: false, openEnd: false };
  const open = pattern.startsWith('*');
  const openEnd = pattern.endsWith('*');
  return { text: pattern.slice(open ? 1 : 0, openEnd ? -1 : undefined), open, openEnd };
}

function matchesGlob({ text, open, openEnd }: Glob, value: string): boolean {
  if (open && openEnd) return value.includes(text);
  if (open) return value.endsWith(text);
  return openEnd ? value.startsWith(text) : value === text;
}
