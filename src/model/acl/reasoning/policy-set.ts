import { Acl, rulesOf, type AclOptions } from '../acl';
import { mergePermissions, permissionsOf, type Permissions } from '../permissions';
import type { AclPolicy, AclRule } from '../policy';
import { beats, kindOfPath, rankOf } from '../wildcard-path';
import { patternOf, type PathPattern } from './pattern';
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
  readonly acl: Acl;
  readonly rules: readonly MergedRule[];
  readonly options: AclOptions;
  /** The namespaces of the policies and those around them, root (empty) first. */
  readonly namespaces: readonly string[];
  readonly #clauses: Readonly<Record<ClauseMode, readonly Clause[]>>;
  #characters: number | undefined;

  constructor(
    readonly policies: readonly NamedAclPolicy[],
    options: AclOptions = {},
  ) {
    this.options = { templates: options.identity ? 'filled' : 'literal', ...options };
    this.acl = new Acl(
      policies.map(({ policy }) => policy),
      this.options,
    );
    this.rules = mergedRules(policies, this.options);
    this.namespaces = [...new Set(['', ...namespacesOf(policies).flatMap(namespacesTo)])];
    const exact = this.rules.filter(({ path }) => kindOfPath(path) === 'exact');
    const others = byPriority(this.rules.filter(({ path }) => kindOfPath(path) !== 'exact'));
    this.#clauses = {
      path: [...exact, ...others].map(clauseOf),
      list: listClauses(exact, others.map(clauseOf), this.options.listsWithSlashFirst ?? false),
    };
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
    const { perElementLists = true } = this.options;
    return rule && { permissions: rule.permissions, checks: rule.checks, perElementLists };
  }

  /** Returns the clauses in the order in which they decide. */
  clauses(mode: ClauseMode): readonly Clause[] {
    return this.#clauses[mode];
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

function clauseOf(rule: MergedRule): Clause {
  return { pattern: patternOf(rule.path), rule };
}

function listClauses(
  exact: readonly MergedRule[],
  others: readonly Clause[],
  slashFirst: boolean,
): readonly Clause[] {
  const folders = exact
    .filter(({ path }) => path.endsWith('/'))
    .map((rule) => ({ pattern: foldersOf(patternOf(rule.path))[0]!, rule }));
  const withSlash = others.flatMap(folderClauses);
  return [
    ...folders,
    ...exact.map(clauseOf),
    ...(slashFirst ? [...withSlash, ...others] : [...others, ...withSlash]),
  ];
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
