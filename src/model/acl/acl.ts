import { UNCOUNTED, type Effort } from './effort';
import { patternOf } from './reasoning/pattern';
import { PatternIndex } from './reasoning/pattern-index';
import { parametersAllow, type ParameterRules } from './parameters';
import { mergePermissions, permissionsOf, type Permissions } from './permissions';
import { lowerCase } from './letter-case';
import type { AclCapability, AclPolicy, AclRule } from './policy';
import { changesWithTime, filledRules, type AclIdentity } from './template';
import { beats, compileWildcardPath, kindOfPath, reachesBelow, type WildcardPath } from './wildcard-path';

/**
 * The operation of a request. A write is `create` if the server finds nothing at the path, else
 * `update`.
 */
export type AclOperation =
  'create' | 'read' | 'update' | 'delete' | 'list' | 'patch' | 'recover' | 'renew' | 'revoke' | 'help';

export interface AclRequest {
  readonly operation: AclOperation;
  /**
   * The full path with the request's namespace, without `/v1/`: `ns1/secret/data/app`. Lists may
   * end with a slash.
   */
  readonly path: string;
  /** The request's parameters, from its body or query. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** Seconds. Absent when the request asks for no response wrapping. */
  readonly wrapTtl?: number;
}

export interface AclDecision {
  readonly allowed: boolean;
  /** Whether the rule of the path grants `sudo`, which root-protected paths require in addition. */
  readonly sudo: boolean;
}

export interface AclOptions {
  /**
   * Compare lists in parameters element by element, as servers from 1.21 on do; older ones compare
   * them whole. Default: true.
   */
  readonly perElementLists?: boolean;
  /**
   * Compare the names of policies that requests carry (`policies`, `token_policies`) in lower case.
   * Default: false.
   */
  readonly lowerPolicyNames?: boolean;
  /** Which of the patterns that match a listed folder decides. Default: `without-slash-first`. */
  readonly lists?: ListRule;
  /** Which paths the rules with `deny` match. Default: `as-written`. */
  readonly denials?: DenialRule;
  /**
   * Other ways in which the server may decide if its documentation leaves this open. Default: none.
   */
  readonly alternatives?: readonly AclAlternative[];
  /**
   * How rules with `{{…}}` are read. `filled`: each template is replaced by its value, and a rule
   * without a value is left out, as on the server. `literal`: each template stays as it is written,
   * and matches only the same template. Default: `filled`.
   */
  readonly templates?: 'filled' | 'literal';
  /** The identity that templates are filled in for. Default: a token without an identity. */
  readonly identity?: AclIdentity;
  /** The time that templates are filled in with, in seconds since 1970. Default: now. */
  readonly now?: number;
  /**
   * Leave a rule out if a value of its templates holds `*` or `+`, as newer servers do. Default:
   * true.
   */
  readonly refuseGlobs?: boolean;
  /** Leave a rule out if a value of its templates holds a slash. Default: false. */
  readonly refuseSlashes?: boolean;
}

/**
 * How a server chooses among the patterns that match a listed folder with its final slash, and
 * without it. `without-slash-first`, `with-slash-first`: the best pattern for this form of the
 * path, or for the other form if no pattern matches this one. `both`: the best pattern for either
 * form among those that deny or allow lists, or among all if there is no such pattern.
 */
export type ListRule = 'without-slash-first' | 'with-slash-first' | 'both';

/**
 * Which paths a rule with `deny` matches. `any-case`: also paths that differ from it only in upper
 * and lower case, even if another rule names such a path as written. `any-case-unless-named`: the
 * same, but a rule that names the path as written takes precedence.
 */
export type DenialRule = 'as-written' | 'any-case' | 'any-case-unless-named';

/** Another way in which a server may decide. */
export interface AclAlternative {
  /** The question that public sources leave open, as a sentence. */
  readonly about: string;
  readonly options: Pick<AclOptions, 'lists' | 'denials'>;
}

export function parameterRulesOf({
  perElementLists = true,
  lowerPolicyNames = false,
}: AclOptions): ParameterRules {
  return { perElementLists, lowerPolicyNames };
}

/** Returns the rules that apply to a token. */
export function rulesOf(policy: AclPolicy, options: AclOptions): readonly AclRule[] {
  if (options.templates === 'literal') return policy.rules;
  const { identity, now = Date.now() / 1000, refuseGlobs = true, refuseSlashes = false } = options;
  return filledRules(policy, { identity, now, refuseGlobs, refuseSlashes });
}

type RulesByText = ReadonlyMap<string, Permissions>;

type RuleCapabilities = readonly [path: string, capabilities: readonly string[]];

const NO_RULE: AclDecision = { allowed: false, sudo: false };

/**
 * The permissions of a token with certain policies. They are looked up by path, with the server's
 * rules of priority.
 *
 * A path's permissions come from one pattern only: the path itself, or else the best match among
 * patterns with `+` and `*`. Rules of several policies for the same pattern are merged.
 */
export class Acl {
  readonly #exact: RulesByText;
  readonly #prefixes: RulesByText;
  /** The lengths of the prefixes, longest first. */
  readonly #prefixLengths: readonly number[];
  /** The patterns with wildcards, best match first. */
  readonly #wildcards: readonly WildcardPath[];
  /** Finds the patterns with wildcards that match a path. */
  readonly #index: PatternIndex;
  readonly #parameterRules: ParameterRules;
  readonly #lists: ListRule;
  readonly #denials: DenialRule;
  /** The rules that deny, by their paths in lower case. Empty if denials match only as written. */
  readonly #deniedExact: RulesByText;
  readonly #deniedPrefixes: RulesByText;
  readonly #deniedWildcards: readonly WildcardPath[];
  /** Finds the denials with wildcards that match a path in lower case. */
  readonly #deniedIndex: PatternIndex;
  #isRoot = false;
  /** Whether the path of a rule depends on the time, because it contains `{{time.now}}`. */
  readonly changesWithTime: boolean;

  constructor(policies: readonly AclPolicy[], options: AclOptions = {}) {
    this.#parameterRules = parameterRulesOf(options);
    this.#lists = options.lists ?? 'without-slash-first';
    this.changesWithTime = options.templates !== 'literal' && policies.some(changesWithTime);
    const rules = { exact: new Grouped(), prefix: new Grouped(), segments: new Grouped() };
    for (const policy of policies) {
      for (const rule of rulesOf(policy, options)) {
        const path = policy.namespace + rule.path;
        const kind = kindOfPath(path);
        rules[kind].add(kind === 'prefix' ? path.slice(0, -1) : path, permissionsOf(rule));
      }
    }
    this.#exact = rules.exact.merged();
    this.#prefixes = rules.prefix.merged();
    this.#prefixLengths = [...new Set(Array.from(this.#prefixes.keys(), (prefix) => prefix.length))].sort(
      (a, b) => b - a,
    );
    this.#wildcards = Array.from(rules.segments.merged(), ([path, permissions]) =>
      compileWildcardPath(path, permissions),
    ).sort((a, b) => (beats(a, b) ? -1 : 1));
    this.#index = new PatternIndex(this.#wildcards.map(({ path }) => patternOf(path)));
    this.#denials = options.denials ?? 'as-written';
    const isAnyCase = this.#denials !== 'as-written';
    this.#deniedExact = isAnyCase ? denialsOf(this.#exact) : new Map();
    this.#deniedPrefixes = isAnyCase ? denialsOf(this.#prefixes) : new Map();
    this.#deniedWildcards = isAnyCase ? this.#wildcards.filter(denies) : [];
    this.#deniedIndex = new PatternIndex(this.#deniedWildcards.map(({ path }) => patternOf(lowerCase(path))));
  }

  /** Returns permissions for everything, as tokens with the policy `root` have them. */
  static root(): Acl {
    const acl = new Acl([]);
    acl.#isRoot = true;
    return acl;
  }

  /** Whether everything is permitted. */
  get isRoot(): boolean {
    return this.#isRoot;
  }

  /**
   * Returns the capabilities by path, with all rules for a path merged. `exact` has the rules for a
   * single path. `globs` has the rules with `*` or `+`; their paths lack the final `*`.
   */
  rules(): { readonly exact: readonly RuleCapabilities[]; readonly globs: readonly RuleCapabilities[] } {
    const shown = ([path, { capabilities }]: readonly [string, Permissions]): RuleCapabilities => [
      path,
      capabilities.size > 0 ? [...capabilities].sort() : ['deny'],
    ];
    const wildcards = this.#wildcards.map(({ text, permissions }) => [text, permissions] as const);
    return {
      exact: Array.from(this.#exact, shown),
      globs: [...Array.from(this.#prefixes, shown), ...wildcards.map(shown)],
    };
  }

  /**
   * Decides on a request.
   *
   * @throws TooComplexError if it takes more steps than `effort` has. Default: no limit.
   */
  allow(request: AclRequest, effort: Effort = UNCOUNTED): AclDecision {
    if (this.#isRoot) return { allowed: true, sudo: true };
    if (request.operation === 'help') return { allowed: true, sudo: false };
    const permissions = this.permissionsFor(request.path, request.operation, effort);
    if (!permissions) return NO_RULE;
    return {
      allowed: permits(permissions, request, this.#parameterRules, effort),
      sudo: permissions.capabilities.has('sudo'),
    };
  }

  /** Returns the capabilities on a full path, sorted; `["root"]` for root, `["deny"]` for none. */
  capabilities(path: string): readonly string[] {
    if (this.#isRoot) return ['root'];
    const capabilities = this.permissionsFor(path, 'list')?.capabilities;
    return capabilities && capabilities.size > 0 ? [...capabilities].sort() : ['deny'];
  }

  /**
   * Whether anything is permitted on `path` or below it. A token sees only the mounts that it
   * reaches.
   */
  reaches(path: string): boolean {
    if (this.capabilities(path)[0] !== 'deny') return true;
    const grantsBelow = ([pattern, permissions]: readonly [string, Permissions]) =>
      pattern.startsWith(path) && grants(permissions);
    return (
      Array.from(this.#exact).some(grantsBelow) ||
      Array.from(this.#prefixes).some(grantsBelow) ||
      this.#wildcards.some((wildcard) => grants(wildcard.permissions) && reachesBelow(wildcard, path)) ||
      // If no rule has a `+`, the server takes any rule for a prefix of the path, even one that
      // denies.
      (this.#wildcards.length === 0 && this.#longestPrefix(path) !== undefined)
    );
  }

  /**
   * Returns what the rule that decides on a path grants, or `undefined` if no rule decides. Root
   * has no rules: it gets `undefined` as well.
   */
  permissionsFor(
    fullPath: string,
    operation: AclOperation,
    effort: Effort = UNCOUNTED,
  ): Permissions | undefined {
    const path = fullPath.replace(/^\/+/, '');
    const exact = this.#exactMatch(path);
    if (exact) return exact;
    if (operation !== 'list') return this.#bestMatch(path, effort);

    // A list is about a folder, which rules may name with or without its final slash.
    const folder = path.replace(/\/$/, '');
    const found = this.#exactMatch(folder);
    if (found || folder === path) return found ?? this.#bestMatch(path, effort);
    if (this.#lists === 'both') {
      const matching = [...this.#matches(folder, effort), ...this.#matches(path, effort)];
      const deciding = matching.filter(({ permissions }) => decidesOnLists(permissions));
      return this.#bestOf(deciding.length > 0 ? deciding : matching);
    }
    const [first, second] = this.#lists === 'with-slash-first' ? [path, folder] : [folder, path];
    return this.#bestMatch(first, effort) ?? this.#bestMatch(second, effort);
  }

  #bestMatch(path: string, effort: Effort): Permissions | undefined {
    return this.#bestOf(this.#matches(path, effort));
  }

  #exactMatch(path: string): Permissions | undefined {
    return this.#ruleFor(path, this.#exact, this.#deniedExact);
  }

  /**
   * Returns the rule for a text, or a denial that matches it in upper and lower case, by the order
   * in `denials`.
   */
  #ruleFor(text: string, rules: RulesByText, denials: RulesByText): Permissions | undefined {
    const written = rules.get(text);
    if (this.#denials === 'as-written') return written;
    const denial = denials.get(lowerCase(text));
    return this.#denials === 'any-case' ? (denial ?? written) : (written ?? denial);
  }

  #bestOf(matches: readonly WildcardPath[]): Permissions | undefined {
    let best: WildcardPath | undefined;
    for (const each of matches) if (!best || this.#wins(each, best)) best = each;
    return best?.permissions;
  }

  #wins(a: WildcardPath, b: WildcardPath): boolean {
    const differInCaseOnly =
      this.#denials !== 'as-written' && a.path !== b.path && lowerCase(a.path) === lowerCase(b.path);
    return differInCaseOnly ? denies(a) === (this.#denials === 'any-case') : beats(a, b);
  }

  /** Returns the patterns that match a path. Among prefixes, only the longest one is included. */
  #matches(path: string, effort: Effort): readonly WildcardPath[] {
    effort.spend(this.#prefixLengths.length);
    const prefix = this.#longestPrefix(path);
    const prefixes = prefix ? [prefix] : [];
    if (this.#wildcards.length === 0) return prefixes;

    const segments = path.split('/').map((text) => ({ text, open: false }));
    const wildcards = this.#index.meeting({ segments, isPrefix: false }, effort);
    const found = [...prefixes, ...wildcards.map((index) => this.#wildcards[index]!)];
    if (this.#deniedWildcards.length === 0) return found;
    const inLowerCase = segments.map(({ text, open }) => ({ text: lowerCase(text), open }));
    const denials = this.#deniedIndex.meeting({ segments: inLowerCase, isPrefix: false }, effort);
    return [...found, ...denials.map((index) => this.#deniedWildcards[index]!)];
  }

  #longestPrefix(path: string): WildcardPath | undefined {
    for (const length of this.#prefixLengths) {
      if (length > path.length) continue;
      const prefix = path.slice(0, length);
      const permissions = this.#ruleFor(prefix, this.#prefixes, this.#deniedPrefixes);
      if (permissions) {
        return {
          path: `${prefix}*`,
          text: prefix,
          firstWildcard: length,
          isPrefix: true,
          segments: [],
          wildcards: 0,
          permissions,
        };
      }
    }
    return undefined;
  }
}

/** Whether a pattern denies or allows lists. {@link ListRule} `both` prefers such patterns. */
export function decidesOnLists({ capabilities }: Permissions): boolean {
  return capabilities.has('deny') || capabilities.has('list');
}

function denies({ permissions }: Pick<WildcardPath, 'permissions'>): boolean {
  return permissions.capabilities.has('deny');
}

/** Returns the rules that deny, by their texts in lower case. */
function denialsOf(rules: RulesByText): RulesByText {
  const denials = [...rules].filter(([, permissions]) => denies({ permissions }));
  return new Map(denials.map(([path, permissions]) => [lowerCase(path), permissions]));
}

/** Collects the permissions of rules by their paths. */
class Grouped {
  readonly #byPath = new Map<string, [Permissions, ...Permissions[]]>();

  add(path: string, permissions: Permissions): void {
    const others = this.#byPath.get(path);
    if (others) others.push(permissions);
    else this.#byPath.set(path, [permissions]);
  }

  merged(): RulesByText {
    return new Map(Array.from(this.#byPath, ([path, all]) => [path, mergePermissions(all)]));
  }
}

/** Whether the permissions of a rule suffice for a request. */
export function permits(
  permissions: Permissions,
  { operation, data, wrapTtl }: AclRequest,
  rules: ParameterRules,
  effort: Effort = UNCOUNTED,
): boolean {
  if (!permissions.capabilities.has(capabilityFor(operation))) return false;
  if (!permitsWrapping(permissions, wrapTtl)) return false;
  return !readsParameters(operation) || parametersAllow(permissions, data ?? {}, rules, effort);
}

/** Whether constraints on parameters apply to an operation. */
export function readsParameters(operation: AclOperation): boolean {
  return operation !== 'delete' && operation !== 'list' && operation !== 'renew' && operation !== 'revoke';
}

export function capabilityFor(operation: AclOperation): AclCapability {
  return operation === 'renew' || operation === 'revoke' || operation === 'help' ? 'update' : operation;
}

/**
 * Whether a wrapping TTL is permitted. If merged rules have a minimum above the maximum, no TTL is
 * permitted.
 */
export function permitsWrapping(
  { minWrappingTtl: min, maxWrappingTtl: max }: Permissions,
  wrapTtl: number | undefined,
): boolean {
  if (max > 0 && (wrapTtl === undefined || wrapTtl > max)) return false;
  return !(min > 0 && (wrapTtl === undefined || wrapTtl < min));
}

function grants({ capabilities }: Permissions): boolean {
  return capabilities.size > 0 && !capabilities.has('deny');
}
