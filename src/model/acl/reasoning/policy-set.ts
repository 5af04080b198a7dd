import { Acl, decidesOnLists, parameterRulesOf, rulesOf, type AclOptions, type ListRule } from '../acl';
import type { Effort } from '../effort';
import { lowerCase } from '../letter-case';
import { mergePermissions, permissionsOf, type Permissions } from '../permissions';
import type { AclPolicy, AclRule } from '../policy';
import { beats, kindOfPath, rankOf } from '../wildcard-path';
import { intersect, patternInAnyCase, patternOf, type PathPattern } from './pattern';
import { PatternIndex } from './pattern-index';
import { furtherChecks, type FurtherCheck } from './further-checks';
import type { Permitted } from './parameter-values';

/** A policy with the name by which results refer to it. */
export interface NamedAclPolicy {
  readonly name: string;
  readonly policy: AclPolicy;
}

/** A rule of one policy. */
export interface AclRuleOrigin {
  readonly policy: string;
  readonly rule: AclRule;
  /** The index of the rule in its policy, counted from 0. */
  readonly index: number;
}

/** All rules of a set for one path, merged as the server merges them. */
export interface MergedRule {
  /** The path with the namespace of its policies. */
  readonly path: string;
  readonly permissions: Permissions;
  /** The further checks of requests. */
  readonly checks: readonly FurtherCheck[];
  readonly origins: readonly AclRuleOrigin[];
}

/** A part of the paths of `rule`. Among all clauses that match a path, the first one decides. */
export interface Clause {
  readonly pattern: PathPattern;
  readonly rule: MergedRule;
}

/**
 * The kind of requests that a clause decides on. For lists, patterns name the listed folder without
 * its final slash, which the server adds to every list.
 */
export type ClauseMode = 'path' | 'list';

/** The policies of one token, prepared for questions about all possible requests. */
export class AclPolicySet {
  readonly rules: readonly MergedRule[];
  readonly options: AclOptions;
  /**
   * The namespaces of the policies and all their parents, with the root namespace (empty) first.
   */
  readonly namespaces: readonly string[];
  readonly #clauses = new Map<ClauseMode, readonly Clause[]>();
  #characters: number | undefined;
  #acl: Acl | undefined;

  constructor(
    readonly policies: readonly NamedAclPolicy[],
    options: AclOptions = {},
  ) {
    this.options = { templates: options.identity ? 'filled' : 'literal', ...options };
    this.rules = mergedRules(policies, this.options);
    this.namespaces = [...new Set(['', ...namespacesOf(policies).flatMap(namespacesTo)])];
  }

  /** The evaluator of the policies. */
  get acl(): Acl {
    this.#acl ??= this.aclWith(this.options);
    return this.#acl;
  }

  /** Returns the permissions of the policies with other options. */
  aclWith(options: AclOptions): Acl {
    return new Acl(
      this.policies.map(({ policy }) => policy),
      options,
    );
  }

  /** The names of the policies. */
  get names(): readonly string[] {
    return this.policies.map(({ name }) => name);
  }

  /** The length of the texts of the policies' rules. */
  get characters(): number {
    this.#characters ??= this.policies.reduce((sum, { policy }) => sum + JSON.stringify(policy).length, 0);
    return this.#characters;
  }

  /** Returns the permissions of a rule of the set, or `undefined` if no rule decides. */
  permitted(rule: MergedRule | undefined): Permitted | undefined {
    return (
      rule && {
        permissions: rule.permissions,
        checks: rule.checks,
        rules: parameterRulesOf(this.options),
      }
    );
  }

  /** Returns the clauses in the order in which they decide. */
  clauses(mode: ClauseMode, effort: Effort): readonly Clause[] {
    const known = this.#clauses.get(mode);
    if (known) return known;
    const { lists = 'without-slash-first', denials = 'as-written' } = this.options;
    const clauseOf = (rule: MergedRule): Clause => {
      const isAnyCase = denials !== 'as-written' && denies(rule);
      return { pattern: isAnyCase ? patternInAnyCase(rule.path) : patternOf(rule.path), rule };
    };
    const all = this.rules.filter(({ path }) => kindOfPath(path) === 'exact');
    // A denial comes before a rule for the same path in another case.
    const exact = [...all.filter(denies), ...all.filter((rule) => !denies(rule))].map(clauseOf);
    const ranked = byPriority(this.rules.filter(({ path }) => kindOfPath(path) !== 'exact'));
    const others = (denials === 'as-written' ? ranked : denialsFirst(ranked)).map(clauseOf);
    const clauses = mode === 'path' ? [...exact, ...others] : listClauses(exact, others, lists, effort);
    this.#clauses.set(mode, clauses);
    return clauses;
  }
}

function namespacesOf(policies: readonly NamedAclPolicy[]): readonly string[] {
  return [...new Set(policies.map(({ policy }) => policy.namespace))];
}

/** Returns a namespace and those around it, except root: `a/` and `a/b/` for `a/b/`. */
function namespacesTo(namespace: string): readonly string[] {
  const names = namespace.split('/').slice(0, -1);
  return names.map((_, index) => `${names.slice(0, index + 1).join('/')}/`);
}

function mergedRules(policies: readonly NamedAclPolicy[], options: AclOptions): readonly MergedRule[] {
  const byPath = new Map<string, [AclRuleOrigin, ...AclRuleOrigin[]]>();
  for (const { name, policy } of policies) {
    rulesOf(policy, options).forEach((rule, index) => {
      const path = policy.namespace + rule.path;
      const origin = { policy: name, rule, index };
      const others = byPath.get(path);
      if (others) others.push(origin);
      else byPath.set(path, [origin]);
    });
  }
  return Array.from(byPath, ([path, origins]) => mergedRule(path, origins));
}

/** Merges the rules for one path as the server does. */
export function mergedRule(path: string, origins: readonly [AclRuleOrigin, ...AclRuleOrigin[]]): MergedRule {
  const [first, ...others] = origins;
  const permissions = others.map(({ rule }) => permissionsOf(rule));
  return {
    path,
    permissions: mergePermissions([permissionsOf(first.rule), ...permissions]),
    checks: furtherChecks(origins.map(({ rule }) => rule)),
    origins,
  };
}

/** Sorts rules by priority, best match first. */
export function byPriority<T extends { readonly path: string }>(all: readonly T[]): readonly T[] {
  return all
    .map((each) => ({ each, rank: rankOf(each.path) }))
    .sort((a, b) => (beats(a.rank, b.rank) ? -1 : 1))
    .map(({ each }) => each);
}

function denies({ permissions }: MergedRule): boolean {
  return permissions.capabilities.has('deny');
}

/** Places denials before the rules for the same path in another case. */
function denialsFirst(ranked: readonly MergedRule[]): readonly MergedRule[] {
  const places = new Map<string, number>();
  ranked.forEach(({ path }, rank) => {
    const key = lowerCase(path);
    if (!places.has(key)) places.set(key, rank);
  });
  return [...ranked].sort(
    (a, b) =>
      places.get(lowerCase(a.path))! - places.get(lowerCase(b.path))! ||
      Number(denies(b)) - Number(denies(a)),
  );
}

function listClauses(
  exact: readonly Clause[],
  others: readonly Clause[],
  lists: ListRule,
  effort: Effort,
): readonly Clause[] {
  const folders = exact
    .filter(({ rule }) => rule.path.endsWith('/'))
    .map(({ pattern, rule }) => ({ pattern: foldersOf(pattern)[0]!, rule }));
  return [...folders, ...exact, ...otherListClauses(others, lists, effort)];
}

function otherListClauses(others: readonly Clause[], lists: ListRule, effort: Effort): readonly Clause[] {
  if (lists === 'both') return clausesOfBothForms(others, effort);
  const withSlash = others.flatMap(folderClauses);
  return lists === 'with-slash-first' ? [...withSlash, ...others] : [...others, ...withSlash];
}

/**
 * Returns the clauses for lists if the best pattern for either form of the path decides: first
 * clauses that deny or allow lists, then the others.
 *
 * @param others the clauses with wildcards, the most specific first.
 */
function clausesOfBothForms(others: readonly Clause[], effort: Effort): readonly Clause[] {
  const forms = others.map((clause): readonly [Clause, ...Clause[]] => [clause, ...folderClauses(clause)]);
  const isPrefix = ({ rule }: Clause) => kindOfPath(rule.path) === 'prefix';
  const deciding = forms.filter(([{ rule }]) => decidesOnLists(rule.permissions));
  const prefixes = deciding.filter(([clause]) => isPrefix(clause)).map(([{ pattern }]) => pattern);
  const wildcards = deciding.filter(([clause]) => !isPrefix(clause)).flat();
  const [shorter, segments] = [prefixes, wildcards.map(({ pattern }) => pattern)].map(
    (patterns) => new PatternIndex(patterns),
  );
  const ranks = new Map(others.map(({ rule }, rank) => [rule, rank]));
  const first = others.flatMap((clause, index): readonly Clause[] => {
    if (decidesOnLists(clause.rule.permissions)) return forms[index]!;
    if (!isPrefix(clause) || shorter!.meeting(clause.pattern, effort).length === 0) return [];
    // Only the longest prefix of a path decides, so shorter ones do not decide on paths of this
    // prefix.
    const within = segments!.meeting(clause.pattern, effort).flatMap((at) => {
      const { pattern, rule } = wildcards[at]!;
      const common = ranks.get(rule)! > index && intersect(pattern, clause.pattern, effort);
      return common ? [{ pattern: common, rule }] : [];
    });
    return [...within, clause];
  });
  return [...first, ...forms.filter(([{ rule }]) => !decidesOnLists(rule.permissions)).flat()];
}

/** Returns the folders that a clause matches if their final slash is written. */
function folderClauses({ pattern, rule }: Clause): readonly Clause[] {
  return foldersOf(pattern).map((folder) => ({ pattern: folder, rule }));
}

/** Returns the folders that a pattern names if their final slash is written. */
export function foldersOf(pattern: PathPattern): readonly PathPattern[] {
  const { segments, isPrefix } = pattern;
  const last = segments.at(-1)!;
  const endsWithSlash = last.text === '' && segments.length > 1;
  const folder = endsWithSlash ? [{ segments: segments.slice(0, -1), isPrefix: false }] : [];
  return isPrefix ? [...folder, pattern] : folder;
}
