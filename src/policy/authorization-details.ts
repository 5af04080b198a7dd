import {
  ACL_CAPABILITIES,
  AclPolicySet,
  type AclCapability,
  type AclLimit,
  type AclOptions,
  type AclRule,
} from '../model';
import { isRecord, type JsonRecord } from '../text';

/** The type of the details that restrict paths. */
const PATH_ACCESS = 'vault:path_access';

/** The form of the claim, for errors. */
export const EXPECTED_DETAILS = `Expected: [{"type": "${PATH_ACCESS}", "path": "…", "capabilities": ["…"]}]`;

/**
 * Reads the claim `authorization_details` of a token: what each detail permits on its path.
 *
 * @param mistaken returns the error for a claim with an undocumented part.
 */
export function readAuthorizationDetails(
  claim: unknown,
  mistaken: (problem: string) => Error,
): readonly AclRule[] {
  const list = isRecord(claim) ? claim['authorization_details'] : claim;
  if (!Array.isArray(list)) throw mistaken('it is not a list');
  return list
    .filter((each) => !isRecord(each) || each['type'] === PATH_ACCESS)
    .map((each, index) => {
      const name = `detail ${index + 1}`;
      const path: unknown = isRecord(each) ? each['path'] : undefined;
      if (!isRecord(each) || typeof path !== 'string') throw mistaken(`${name} has no path`);
      if (/\*$|(^|\/)\+(\/|$)/.test(path)) throw mistaken(`the path of ${name} is a pattern`);
      return { path, ...ruleOf(each, (problem) => mistaken(`${name} ${problem}`)) };
    });
}

/**
 * Returns the limit that details set: one of them must permit a request. If several details have
 * one path, and one of them limits parameters, no single rule can express them: each detail is an
 * alternative then.
 *
 * @throws the error of `mistaken`, if such details are needed as one set.
 */
export function limitByDetails(
  details: readonly AclRule[],
  options: AclOptions,
  mistaken: (problem: string) => Error,
): AclLimit {
  const name = 'authorization details';
  const byPath = new Map<string, AclRule>();
  for (const rule of details) {
    const path = rule.path.replace(/\/$/, '');
    const other = byPath.get(path);
    if (other && ![rule, other].every(isFree)) {
      const [first, ...others] = details.map((each, index) => setOf(`detail ${index + 1}`, [each], options));
      const problem = `several details are for ${JSON.stringify(rule.path)}, and one of them limits parameters`;
      const joined = () => {
        throw mistaken(problem);
      };
      return { name, alternatives: [first!, ...others], joined };
    }
    const capabilities = new Set([...(other?.capabilities ?? []), ...rule.capabilities]);
    byPath.set(path, { ...rule, path, capabilities: [...capabilities] });
  }
  const set = setOf(name, [...byPath.values()], options);
  return { name, alternatives: [set], joined: () => set };
}

function setOf(name: string, rules: readonly AclRule[], options: AclOptions): AclPolicySet {
  return new AclPolicySet([{ name, policy: { namespace: '', rules } }], options);
}

function isFree({ capabilities, ...rule }: AclRule): boolean {
  const { allowedParameters = {}, deniedParameters = {}, requiredParameters = [] } = rule;
  const limits = [allowedParameters, deniedParameters, requiredParameters];
  return !capabilities.includes('deny') && limits.every((each) => Object.keys(each).length === 0);
}

/** Returns what a detail permits on its path, as a rule. */
function ruleOf(detail: JsonRecord, mistaken: (problem: string) => Error): Omit<AclRule, 'path'> {
  const { capabilities, required_parameters: required = [] } = detail;
  if (!isListOf(capabilities, isCapability))
    throw mistaken(`needs a list of capabilities, of ${ACL_CAPABILITIES.join(', ')}`);
  if (!isListOf(required, isText)) throw mistaken('has required_parameters that are no list of names');
  const constraints = (name: 'allowed_parameters' | 'denied_parameters') => {
    const values = detail[name] ?? {};
    if (!isRecord(values) || !Object.values(values).every(Array.isArray))
      throw mistaken(`has ${name} that are no lists of values by name`);
    const lists = Object.entries(values).map(
      ([key, list]) => [key.toLowerCase(), list as unknown[]] as const,
    );
    return Object.fromEntries(lists);
  };
  return {
    capabilities,
    requiredParameters: required,
    allowedParameters: constraints('allowed_parameters'),
    deniedParameters: constraints('denied_parameters'),
  };
}

function isListOf<T>(value: unknown, isElement: (element: unknown) => element is T): value is readonly T[] {
  return Array.isArray(value) && value.every(isElement);
}

function isCapability(value: unknown): value is AclCapability {
  return ACL_CAPABILITIES.some((each) => each === value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
