import { invalidRequest } from '../../core/errors';
import { matchesGlob, own } from '../../../text';
import { isJsonObject, type Json, type JsonObject } from '../../core/primitives/json';
import type { RoleSettings } from './role';

/** Returns a claim by its name, or by a JSON pointer to it. */
export function claim(claims: JsonObject, name: string): Json | undefined {
  if (!name.startsWith('/')) return own(claims, name);
  return name
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Json | undefined>((value, segment) => {
      if (Array.isArray(value)) return (value as readonly Json[])[Number(segment)];
      return isJsonObject(value) ? own(value, segment) : undefined;
    }, claims);
}

/**
 * Returns a value or a list of values as a list; `undefined` for a value that is not text, boolean,
 * number or list.
 */
export function asList(value: Json): readonly Json[] | undefined {
  if (Array.isArray(value)) return value as readonly Json[];
  return ['string', 'boolean', 'number'].includes(typeof value) ? [value] : undefined;
}

/** @throws LogicalError if a bound claim of a role does not match. */
export function checkBoundClaims(
  { bound_claims, bound_claims_type }: RoleSettings,
  claims: JsonObject,
): void {
  for (const [name, expected] of Object.entries(bound_claims ?? {})) {
    const actual = claim(claims, name);
    if (actual === undefined || actual === null) throw refused(`claim "${name}" is missing`);
    const actuals = asList(actual);
    if (actuals === undefined) {
      throw refused(`received claim is not a string, bool, int or list: ${JSON.stringify(actual)}`);
    }
    const matches = bound_claims_type === 'glob' ? fitsGlob : isSame;
    const found = (asList(expected) ?? []).some((wanted) => actuals.some((value) => matches(wanted, value)));
    if (!found) throw refused(`claim "${name}" does not match any associated bound claim values`);
  }
}

/**
 * Returns the texts that a role copies from claims to the token's metadata.
 *
 * @throws LogicalError for a claim that is not text.
 */
export function mappedClaims(
  mappings: RoleSettings['claim_mappings'],
  claims: JsonObject,
): Record<string, string> {
  const metadata = new Map<string, string>();
  for (const [name, target] of Object.entries(mappings ?? {})) {
    const value = claim(claims, name);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') throw invalidRequest(`error converting claim '${name}' to string`);
    metadata.set(target, value);
  }
  return Object.fromEntries(metadata);
}

function refused(reason: string) {
  return invalidRequest(`error validating claims: ${reason}`);
}

function isSame(expected: Json, actual: Json): boolean {
  return wholeNumber(expected) === wholeNumber(actual);
}

/** The server compares numbers without their fractions. */
function wholeNumber(value: Json): Json {
  return typeof value === 'number' ? Math.trunc(value) : value;
}

function fitsGlob(pattern: Json, actual: Json): boolean {
  return typeof pattern === 'string' && typeof actual === 'string' && matchesGlob(pattern, actual);
}
