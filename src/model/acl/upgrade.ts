import { AclPolicySet, diffPolicySets, type AclChange, type NamedAclPolicy } from './reasoning';
import { isTemplated } from './template';
import { aclOptionsFor, GLOBS_IN_TEMPLATES_REFUSED, isIncluded } from './versions';

/** What a newer server makes of a policy that it made something else of before. */
export type UpgradeImpact =
  /** It decides differently on requests. */
  | { readonly kind: 'decision'; readonly policy: string; readonly change: AclChange }
  /** It no longer carries out requests for paths with empty segments, `.` or `..`, which a rule is about. */
  | { readonly kind: 'untidy-path'; readonly policy: string; readonly path: string }
  /** It leaves a rule out where the value of a template holds `*` or `+`. */
  | { readonly kind: 'template'; readonly policy: string; readonly path: string }
  /** It refuses a policy in which an argument is set twice. */
  | { readonly kind: 'set-twice'; readonly policy: string; readonly message: string };

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
    const { name: policy } = named;
    const { rules, duplicateArgument } = named.policy;
    const changes = diffPolicySets(
      new AclPolicySet([named], aclOptionsFor(from)),
      new AclPolicySet([named], aclOptionsFor(to)),
    );
    const paths = [...new Set(rules.map(({ path }) => path))];
    return [
      ...changes
        .filter((change) => !change.untidy)
        .map((change): UpgradeImpact => ({ kind: 'decision', policy, change })),
      ...(untidy ? paths.filter(isUntidy) : []).map((path): UpgradeImpact => ({
        kind: 'untidy-path',
        policy,
        path,
      })),
      ...(globs ? paths.filter(isTemplated) : []).map((path): UpgradeImpact => ({
        kind: 'template',
        policy,
        path,
      })),
      ...(duplicates && duplicateArgument
        ? [{ kind: 'set-twice', policy, message: duplicateArgument.message } as const]
        : []),
    ];
  });
}

/** Whether every path that a rule is about has an empty segment in its middle, `.` or `..`. */
function isUntidy(path: string): boolean {
  return /\/\/|(^|\/)\.\.?(\/|$)/.test(path);
}
