import type { AclOptions, AclRequest } from './acl';
import type { AclPolicy, AclRule } from './policy';
import {
  AclPolicySet,
  diffPolicySets,
  findPermitted,
  permittedBy,
  type AclChange,
  type NamedAclPolicy,
} from './reasoning';
import { isChosenByPeople, selectorsOf, withValues } from './template';
import { aclOptionsFor, GLOBS_IN_TEMPLATES_REFUSED, isIncluded } from './versions';

/** What a newer server makes of a policy that it made something else of before. */
export type UpgradeImpact =
  /** It decides differently on requests. */
  | { readonly kind: 'decision'; readonly policy: string; readonly change: AclChange }
  /** It no longer carries out requests for paths with empty segments, `.` or `..`, which a rule allows. */
  | {
      readonly kind: 'untidy-path';
      readonly policy: string;
      readonly path: string;
      /** A request that was carried out before. */
      readonly witness: AclRequest;
    }
  /** It leaves a rule out where the value of a template holds `*` or `+`. */
  | {
      readonly kind: 'template';
      readonly policy: string;
      readonly path: string;
      /** A value of the template with which the change is about the witness. */
      readonly value: string;
      readonly change: AclChange;
    }
  /** It refuses a policy in which an argument is set twice. */
  | {
      readonly kind: 'set-twice';
      readonly policy: string;
      readonly message: string;
      /** A request that the policy allowed. Absent if it allowed nothing. */
      readonly witness?: AclRequest;
    };

/** The releases that a change came with: the first one of each line that was maintained then, and of the next line. */
const UNTIDY_PATHS_REFUSED = ['1.19.16', '1.20.10', '1.21.5', '2.0.0'];
/** First unless the server is told to allow it, then always. */
const DUPLICATES_REFUSED = [['1.21.0'], ['2.1.0']];

/**
 * Finds what changes for policies when a server is upgraded. Each policy is looked at by itself.
 *
 * @param from the version before, such as `1.18`.
 * @param to the version after, such as `2.1.0`.
 */
export function upgradeImpacts(
  policies: readonly NamedAclPolicy[],
  from: string,
  to: string,
): readonly UpgradeImpact[] {
  const comes = (releases: readonly string[]) => !isIncluded(releases, from) && isIncluded(releases, to);
  const untidy = comes(UNTIDY_PATHS_REFUSED);
  const globs = comes(GLOBS_IN_TEMPLATES_REFUSED);
  const duplicates = DUPLICATES_REFUSED.some(comes);
  return policies.flatMap((named): readonly UpgradeImpact[] => {
    const before = new AclPolicySet([named], aclOptionsFor(from));
    const after = new AclPolicySet([named], aclOptionsFor(to));
    const changes = diffPolicySets(before, after).filter((change) => !change.untidy);
    return [
      ...changes.map((change): UpgradeImpact => ({ kind: 'decision', policy: named.name, change })),
      ...(untidy ? untidyPaths(before, named) : []),
      ...(globs ? templates(named, aclOptionsFor(to)) : []),
      ...(duplicates ? setTwice(before, named) : []),
    ];
  });
}

const OPERATIONS = ['read', 'list', 'create', 'update', 'patch', 'delete', 'recover'] as const;

/** Rules that allow something, but only for paths with an empty segment in their middle, `.` or `..`. */
function untidyPaths(set: AclPolicySet, { name, policy }: NamedAclPolicy): readonly UpgradeImpact[] {
  return pathsOf(policy).flatMap((path): readonly UpgradeImpact[] => {
    if (!isUntidy(path)) return [];
    for (const operation of OPERATIONS) {
      const witness = findPermitted(set, operation, policy.namespace + path);
      if (witness) return [{ kind: 'untidy-path', policy: name, path, witness }];
    }
    return [];
  });
}

/** Whether every path that a rule is about has an empty segment in its middle, `.` or `..`. */
function isUntidy(path: string): boolean {
  return /\/\/|(^|\/)\.\.?(\/|$)/.test(path);
}

/** Values that a server leaves rules out for: each makes something else of them on servers that do not. */
const VALUES_WITH_GLOBS = ['+', '*', 'a+'];
/** For templates that are not looked at. */
const USUAL_VALUE = 'example';

/** Rules with a template that may have a value with `*` or `+`, which decide on something then. */
function templates({ name, policy }: NamedAclPolicy, options: AclOptions): readonly UpgradeImpact[] {
  return pathsOf(policy).flatMap((path): readonly UpgradeImpact[] => {
    const selectors = selectorsOf(path).filter(isChosenByPeople);
    if (selectors.length === 0) return [];
    for (const value of VALUES_WITH_GLOBS) {
      const fill = (text: string) =>
        withValues(text, (selector) => (selectors.includes(selector) ? value : USUAL_VALUE));
      const depends = (text: string) => selectorsOf(text).some((selector) => selectors.includes(selector));
      const filled = (rules: readonly AclRule[]) => ({
        name,
        policy: { ...policy, rules: rules.map((rule) => ({ ...rule, path: fill(rule.path) })) },
      });
      const before = new AclPolicySet([filled(policy.rules)], options);
      const after = new AclPolicySet([filled(policy.rules.filter((rule) => !depends(rule.path)))], options);
      const decided = policy.namespace + fill(path);
      const change = diffPolicySets(before, after).find(
        (each) => each.before?.path === decided && !each.untidy,
      );
      if (change) return [{ kind: 'template', policy: name, path, value, change }];
    }
    return [];
  });
}

function setTwice(set: AclPolicySet, { name, policy }: NamedAclPolicy): readonly UpgradeImpact[] {
  if (!policy.duplicateArgument) return [];
  const { message } = policy.duplicateArgument;
  const witness = permittedBy(set).find(({ untidy }) => !untidy)?.witness;
  return [{ kind: 'set-twice', policy: name, message, ...(witness && { witness }) }];
}

function pathsOf({ rules }: AclPolicy): readonly string[] {
  return [...new Set(rules.map(({ path }) => path))];
}
