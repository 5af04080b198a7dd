import type { AclOptions, AclRequest } from './acl';
import { Effort } from './effort';
import type { AclPolicy, AclRule } from './policy';
import {
  AclPolicySet,
  diffPolicySets,
  findPermitted,
  permittedBy,
  type AclChange,
  type NamedAclPolicy,
} from './reasoning';
import { patternOf, type PathPattern } from './reasoning/pattern';
import { PatternIndex } from './reasoning/pattern-index';
import { foldersOf } from './reasoning/policy-set';
import { isChosenByPeople, selectorsOf, withValues } from './template';
import { aclOptionsFor, GLOBS_IN_TEMPLATES_REFUSED, isIncluded } from './versions';

/** An effect of a policy that a newer server changes. */
export type UpgradeImpact =
  /** Requests are decided differently. */
  | { readonly kind: 'decision'; readonly policy: string; readonly change: AclChange }
  /**
   * Requests for paths with empty segments, `.` or `..`, which a rule allows, are no longer carried
   * out.
   */
  | {
      readonly kind: 'untidy-path';
      readonly policy: string;
      readonly path: string;
      /** A request that was carried out before. */
      readonly witness: AclRequest;
    }
  /** A rule is left out where the value of a template holds `*` or `+`. */
  | {
      readonly kind: 'template';
      readonly policy: string;
      readonly path: string;
      /** A value of the template for which the witness changes. */
      readonly value: string;
      readonly change: AclChange;
    }
  /** A policy in which an argument is set twice is refused. */
  | {
      readonly kind: 'set-twice';
      readonly policy: string;
      readonly message: string;
      /** A request that the policy allowed. Absent if it allowed nothing. */
      readonly witness?: AclRequest;
    };

/**
 * The releases that introduced a change: the first one of each line that was maintained then, and
 * of the next line.
 */
const UNTIDY_PATHS_REFUSED = ['1.19.16', '1.20.10', '1.21.5', '2.0.0'];
/** Refused at first unless a setting of the server allows it, later always. */
const DUPLICATES_REFUSED = [['1.21.0'], ['2.1.0']];

/**
 * Finds what changes for policies when a server is upgraded. Each policy is examined by itself.
 *
 * @param from the version before, such as `1.18`.
 * @param to the version after, such as `2.1.0`.
 * @throws TooComplexError for a policy that takes more than policies of its length may take.
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
    const effort = Effort.for([before, after]);
    const changes = diffPolicySets(before, after, effort).filter((change) => !change.untidy);
    return [
      ...changes.map((change): UpgradeImpact => ({ kind: 'decision', policy: named.name, change })),
      ...(untidy ? untidyPaths(before, named, effort) : []),
      ...(globs ? templates(named, aclOptionsFor(to), effort) : []),
      ...(duplicates ? setTwice(before, named, effort) : []),
    ];
  });
}

const OPERATIONS = ['read', 'list', 'create', 'update', 'patch', 'delete', 'recover'] as const;

/**
 * Returns rules that allow something, but only for paths with an empty segment in their middle, `.`
 * or `..`.
 */
function untidyPaths(
  set: AclPolicySet,
  { name, policy }: NamedAclPolicy,
  effort: Effort,
): readonly UpgradeImpact[] {
  return pathsOf(policy).flatMap((path): readonly UpgradeImpact[] => {
    if (!isUntidy(path)) return [];
    for (const operation of OPERATIONS) {
      const witness = findPermitted(set, operation, policy.namespace + path, effort);
      if (witness) return [{ kind: 'untidy-path', policy: name, path, witness }];
    }
    return [];
  });
}

/** Whether all paths of a rule have an empty segment in their middle, `.` or `..`. */
function isUntidy(path: string): boolean {
  return /\/\/|(^|\/)\.\.?(\/|$)/.test(path);
}

/**
 * The values that newer servers leave rules out for: with each, older servers read the rule
 * differently.
 */
const VALUES_WITH_GLOBS = ['+', '*', 'a+'];
/** The value for templates that are not examined. */
const USUAL_VALUE = 'example';

/**
 * Returns rules with a template that may have a value with `*` or `+`, and that decide on a request
 * then.
 */
function templates(
  { name, policy }: NamedAclPolicy,
  options: AclOptions,
  effort: Effort,
): readonly UpgradeImpact[] {
  const filled = new Map<string, FilledRules>();
  return pathsOf(policy).flatMap((path): readonly UpgradeImpact[] => {
    const selectors = selectorsOf(path).filter(isChosenByPeople);
    if (selectors.length === 0) return [];
    for (const value of VALUES_WITH_GLOBS) {
      const key = JSON.stringify([value, ...new Set(selectors)].sort());
      const rules = filled.get(key) ?? new FilledRules(policy, new Set(selectors), value, effort);
      filled.set(key, rules);
      const decided = rules.pathOf(path);
      const near = rules.near(decided);
      const [before, after] = [near, near.filter(({ depends }) => !depends)].map((each) => {
        const named = { name, policy: { ...policy, rules: each.map(({ rule }) => rule) } };
        return new AclPolicySet([named], options);
      });
      const change = diffPolicySets(before!, after!, effort).find(
        (each) => each.before?.path === decided && !each.untidy,
      );
      if (change) return [{ kind: 'template', policy: name, path, value, change }];
    }
    return [];
  });
}

interface FilledRule {
  readonly rule: AclRule;
  /** Whether the path of the rule has one of the selectors. */
  readonly depends: boolean;
}

/** The rules of a policy with a value for some selectors, and a usual one for all others. */
class FilledRules {
  readonly #rules: readonly FilledRule[];
  /** The rules that may decide on the paths or lists of a pattern. */
  readonly #index: PatternIndex;
  readonly #owners: readonly FilledRule[];

  constructor(
    readonly policy: AclPolicy,
    readonly selectors: ReadonlySet<string>,
    readonly value: string,
    readonly effort: Effort,
  ) {
    effort.spend(policy.rules.length);
    this.#rules = policy.rules.map((rule) => ({
      rule: { ...rule, path: this.#fill(rule.path) },
      depends: selectorsOf(rule.path).some((selector) => selectors.has(selector)),
    }));
    const patterns = this.#rules.flatMap((each) =>
      patternsOf(policy.namespace + each.rule.path).map((pattern) => ({ each, pattern })),
    );
    this.#owners = patterns.map(({ each }) => each);
    this.#index = new PatternIndex(patterns.map(({ pattern }) => pattern));
  }

  /** Returns the path of a rule, with its namespace. */
  pathOf(written: string): string {
    return this.policy.namespace + this.#fill(written);
  }

  /** Returns the rules that may decide on paths of a rule with this path. */
  near(path: string): readonly FilledRule[] {
    const found = patternsOf(path).flatMap((pattern) => this.#index.meeting(pattern, this.effort));
    const near = new Set(found.map((index) => this.#owners[index]!));
    this.effort.spend(this.#rules.length / RULES_PER_STEP);
    return this.#rules.filter((rule) => near.has(rule));
  }

  #fill(path: string): string {
    return withValues(path, (selector) => (this.selectors.has(selector) ? this.value : USUAL_VALUE));
  }
}

/** A look-up in a set costs a small part of a comparison. */
const RULES_PER_STEP = 8;

/** Returns the patterns of a path: the path itself, and for lists its folders. */
function patternsOf(path: string): readonly PathPattern[] {
  const pattern = patternOf(path);
  return [pattern, ...foldersOf(pattern)];
}

function setTwice(
  set: AclPolicySet,
  { name, policy }: NamedAclPolicy,
  effort: Effort,
): readonly UpgradeImpact[] {
  if (!policy.duplicateArgument) return [];
  const { message } = policy.duplicateArgument;
  const witness = permittedBy(set, '', effort).find(({ untidy }) => !untidy)?.witness;
  return [{ kind: 'set-twice', policy: name, message, ...(witness && { witness }) }];
}

function pathsOf({ rules }: AclPolicy): readonly string[] {
  return [...new Set(rules.map(({ path }) => path))];
}
