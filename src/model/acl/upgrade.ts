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
import { found } from './reasoning/differences';
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
  /** A rule is left out if the value of a template contains `*` or `+`. */
  | {
      readonly kind: 'template';
      readonly policy: string;
      readonly path: string;
      /** A value of the template with which requests are decided differently. */
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
/** The first releases refuse it unless a setting of the server allows it, the later ones always. */
const DUPLICATES_REFUSED = [['1.21.0'], ['2.1.0']];

/**
 * Finds what changes for policies when a server is upgraded. Each policy is examined by itself.
 *
 * @param from the version before, such as `1.18`.
 * @param to the version after, such as `2.1.0`.
 * @throws TooComplexError for a policy whose examination takes more steps than the limit for its
 * length.
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
 * Values for which newer servers leave a rule out. Older servers read the rule differently with
 * each of them.
 */
const VALUES_WITH_GLOBS = ['+', '*', 'a+'];
/** The value for templates that are not examined. */
const USUAL_VALUE = 'example';

/**
 * Returns rules with a template for which a value with `*` or `+` is possible, if the rule decides
 * on a request with this value. Paths with the same templates are examined together.
 */
function templates(
  { name, policy }: NamedAclPolicy,
  options: AclOptions,
  effort: Effort,
): readonly UpgradeImpact[] {
  const paths = pathsOf(policy);
  const usual = new UsualRules(policy, effort);
  const impacts = new Map<string, UpgradeImpact>();
  for (const { selectors, paths: same } of byTemplates(paths)) {
    for (const value of VALUES_WITH_GLOBS) {
      const left = same.filter((path) => !impacts.has(path));
      if (left.length === 0) break;
      const filled = new FilledRules(usual, selectors, value, effort);
      const near = filled.near(left);
      const [before, after] = [near, near.filter(({ depends }) => !depends)].map((each) => {
        const named = { name, policy: { ...policy, rules: each.map(({ rule }) => rule) } };
        return new AclPolicySet([named], options);
      });
      const changes = new Map<string | undefined, AclChange>();
      for (const change of diffPolicySets(before!, after!, effort)) {
        const decided = change.before?.path;
        if (!change.untidy && !changes.has(decided)) changes.set(decided, change);
      }
      for (const path of left) {
        const change = changes.get(filled.pathOf(path));
        if (change) impacts.set(path, { kind: 'template', policy: name, path, value, change });
      }
    }
  }
  return paths.flatMap((path) => impacts.get(path) ?? []);
}

interface SameTemplates {
  readonly selectors: ReadonlySet<string>;
  readonly paths: string[];
}

/**
 * Groups paths by the templates whose values people choose. Paths without such templates are left
 * out.
 */
function byTemplates(paths: readonly string[]): Iterable<SameTemplates> {
  const groups = new Map<string, SameTemplates>();
  for (const path of paths) {
    const selectors = new Set(selectorsOf(path).filter(isChosenByPeople));
    if (selectors.size === 0) continue;
    const key = JSON.stringify([...selectors].sort());
    found(groups, key, (): SameTemplates => ({ selectors, paths: [] })).paths.push(path);
  }
  return groups.values();
}

/** A rule with values in its path. */
interface FilledRule {
  /** The index of the rule in its policy. */
  readonly index: number;
  readonly rule: AclRule;
  /** Whether the path of the rule has one of the selectors that are examined. */
  readonly depends: boolean;
}

/** Filled rules, found by the paths or lists that they may decide on. */
class RuleIndex {
  readonly #index: PatternIndex;
  readonly #owners: readonly FilledRule[];

  constructor(rules: readonly FilledRule[], namespace: string) {
    const patterns = rules.flatMap((each) =>
      patternsOf(namespace + each.rule.path).map((pattern) => ({ each, pattern })),
    );
    this.#owners = patterns.map(({ each }) => each);
    this.#index = new PatternIndex(patterns.map(({ pattern }) => pattern));
  }

  meeting(pattern: PathPattern, effort: Effort): readonly FilledRule[] {
    return this.#index.meeting(pattern, effort).map((index) => this.#owners[index]!);
  }
}

/** The rules of a policy, with every template replaced by a usual value. */
class UsualRules {
  readonly index: RuleIndex;
  readonly #bySelector = new Map<string, number[]>();

  constructor(
    readonly policy: AclPolicy,
    effort: Effort,
  ) {
    effort.spend(policy.rules.length);
    policy.rules.forEach(({ path }, index) => {
      for (const selector of selectorsOf(path)) found(this.#bySelector, selector, () => []).push(index);
    });
    const usual = policy.rules.map((rule, index) => ({
      index,
      rule: { ...rule, path: withValues(rule.path, () => USUAL_VALUE) },
      depends: false,
    }));
    this.index = new RuleIndex(usual, policy.namespace);
  }

  /** Returns the indexes of the rules with any of the selectors. */
  dependentOn(selectors: ReadonlySet<string>): ReadonlySet<number> {
    return new Set([...selectors].flatMap((selector) => this.#bySelector.get(selector) ?? []));
  }
}

/**
 * The rules of a policy with a certain value for some selectors, and the usual value for all
 * others.
 */
class FilledRules {
  readonly #dependent: ReadonlySet<number>;
  readonly #index: RuleIndex;

  constructor(
    readonly usual: UsualRules,
    readonly selectors: ReadonlySet<string>,
    readonly value: string,
    readonly effort: Effort,
  ) {
    const { rules, namespace } = usual.policy;
    this.#dependent = usual.dependentOn(selectors);
    effort.spend(this.#dependent.size * STEPS_TO_FILL);
    const filled = Array.from(this.#dependent, (index) => ({
      index,
      rule: { ...rules[index]!, path: this.#fill(rules[index]!.path) },
      depends: true,
    }));
    this.#index = new RuleIndex(filled, namespace);
  }

  /** Returns the path of a rule, with its namespace. */
  pathOf(written: string): string {
    return this.usual.policy.namespace + this.#fill(written);
  }

  /** Returns the rules that may decide on paths of any of these rules, in their order. */
  near(paths: readonly string[]): readonly FilledRule[] {
    const near = new Map<number, FilledRule>();
    for (const pattern of paths.flatMap((path) => patternsOf(this.pathOf(path)))) {
      for (const each of this.#index.meeting(pattern, this.effort)) near.set(each.index, each);
      for (const each of this.usual.index.meeting(pattern, this.effort))
        if (!this.#dependent.has(each.index)) near.set(each.index, each);
    }
    return [...near.values()].sort((a, b) => a.index - b.index);
  }

  #fill(path: string): string {
    return withValues(path, (selector) => (this.selectors.has(selector) ? this.value : USUAL_VALUE));
  }
}

/** The steps for filling in a rule, and for adding its path and its folder to an index. */
const STEPS_TO_FILL = 4;

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
