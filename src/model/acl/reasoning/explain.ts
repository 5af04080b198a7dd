import {
  type Acl,
  capabilityFor,
  decidesOnLists,
  permitsWrapping,
  type AclRequest,
  type ListRule,
} from '../acl';
import type { AclCapability } from '../policy';
import { isRootPath } from './root-paths';
import { Effort } from '../effort';
import { mayBeFilledAs } from '../template-paths';
import { isTemplated } from '../template';
import { beats, kindOfPath, rankOf } from '../wildcard-path';
import { checksFor } from './further-checks';
import { permitsValue } from './parameter-values';
import { LimitedPolicySet, type AclLimit } from './limited';
import { matchesPattern } from './pattern';
import type { AclPolicySet, MergedRule } from './policy-set';

/** The reason why a rule that matches a request does not decide on it. */
export type LostBy =
  /** The other rule names the path itself. */
  | 'exact'
  /** The other rule's first `+` or `*` comes later. */
  | 'first-wildcard'
  /** The other rule does not end with `*`. */
  | 'prefix'
  /** The other rule has fewer `+`. */
  | 'wildcards'
  /** The other rule is longer. */
  | 'length'
  /** The other rule comes later in the alphabet. */
  | 'order'
  /**
   * The other rule matches the list in the form (with or without its final slash) that takes
   * precedence.
   */
  | 'slash'
  /** The other rule denies or allows lists; this one does neither. */
  | 'no-list'
  /** Another rule is a longer prefix of the path. */
  | 'longer-prefix';

export type AclRefusal =
  | { readonly kind: 'no-rule' }
  | { readonly kind: 'denied' }
  | { readonly kind: 'capability'; readonly missing: AclCapability }
  | { readonly kind: 'wrapping'; readonly min: number; readonly max: number }
  | { readonly kind: 'parameter-required'; readonly parameter: string }
  | { readonly kind: 'parameter'; readonly parameter: string }
  /** The path also requires `sudo`. */
  | { readonly kind: 'sudo' }
  /** The policies permit the request, but one of their limits refuses it. */
  | { readonly kind: 'limit'; readonly limit: AclLimit['name']; readonly refusal: AclRefusal };

export interface AclExplanation {
  /** The request as the server decides on it: a list with its final slash. */
  readonly request: AclRequest;
  /** Whether the policies permit it, `sudo` included where the path needs it. */
  readonly allowed: boolean;
  /** Whether the path needs the capability `sudo`. */
  readonly needsSudo: boolean;
  /** The rule that decides. */
  readonly rule: MergedRule | undefined;
  /** The reason why it is refused. */
  readonly refusal: AclRefusal | undefined;
  /** The other rules that match the path. */
  readonly others: readonly { readonly rule: MergedRule; readonly lostBy: LostBy }[];
  /** The further checks of a permitted request: control groups and MFA methods. */
  readonly checks: readonly string[];
  /**
   * The rules that may match as well, but whose templates could not be filled in without an
   * identity.
   */
  readonly unfilled: readonly MergedRule[];
  /** The open questions about the server's version on which the decision depends, as sentences. */
  readonly open: readonly string[];
  /** How each limit of the policies decides. Absent if they have none. */
  readonly limits?: readonly AclLimitExplanation[];
}

export interface AclLimitExplanation {
  readonly name: AclLimit['name'];
  readonly explanation: AclExplanation;
}

/**
 * Explains how a set of policies decides on a request.
 *
 * @throws TooComplexError if it takes more steps than `effort` has. Default: the limit for the
 * length of the policies and the request.
 */
export function explainRequest(
  set: AclPolicySet,
  asked: AclRequest,
  effort = Effort.for([set, { names: [], characters: JSON.stringify(asked).length }]),
): AclExplanation {
  if (set instanceof LimitedPolicySet) return explainLimited(set, asked, effort);
  const request = asServerSees(asked);
  const { operation, path } = request;
  const isList = operation === 'list' && path !== '';
  const segments = (isList ? path.slice(0, -1) : path).split('/');
  const matching = set
    .clauses(isList ? 'list' : 'path', effort)
    .filter(({ pattern }) => matchesPattern(pattern, segments, effort));
  const [first, ...rest] = matching;
  const rule = first?.rule;
  const needsSudo =
    operation !== 'help' &&
    set.namespaces.some((each) => {
      effort.spend(1);
      return path.startsWith(each) && isRootPath(path.slice(each.length), effort);
    });
  const refusal = refusalOf(set, request, rule, needsSudo, effort);
  const others = [...new Set(rest.map((clause) => clause.rule))].filter((other) => other !== rule);
  return {
    request,
    allowed: !refusal,
    needsSudo,
    rule,
    refusal,
    others: others.map((other) => ({ rule: other, lostBy: lostBy(first!.rule, other, set.options.lists) })),
    checks: rule && operation !== 'help' ? checksFor(rule.checks, capabilityFor(operation)) : [],
    unfilled: set.rules.filter(
      (other) => isTemplated(other.path) && other !== rule && mayBeFilledAs(other.path, path, effort),
    ),
    open: openQuestions(set, request, needsSudo, effort),
  };
}

/** Explains the decision of the policies and of each of their limits. */
function explainLimited(
  { own, limits }: LimitedPolicySet,
  asked: AclRequest,
  effort: Effort,
): AclExplanation {
  const explained = explainRequest(own, asked, effort);
  const byLimits = limits.map(({ name, alternatives }): AclLimitExplanation => {
    const each = alternatives.map((set) => explainRequest(set, asked, effort));
    const explanation = each.find(({ allowed }) => allowed) ?? each.find(({ rule }) => rule) ?? each[0]!;
    return { name, explanation };
  });
  const all = [explained, ...byLimits.map(({ explanation }) => explanation)];
  const refusing = byLimits.find(({ explanation }) => !explanation.allowed);
  const refusal =
    explained.refusal ??
    (refusing && { kind: 'limit', limit: refusing.name, refusal: refusing.explanation.refusal! });
  return {
    ...explained,
    allowed: !refusal,
    refusal,
    checks: [...new Set(all.flatMap(({ checks }) => checks))],
    open: [...new Set(all.flatMap(({ open }) => open))],
    limits: byLimits,
  };
}

/** Returns the open questions for which another answer would change the decision. */
function openQuestions(
  set: AclPolicySet,
  request: AclRequest,
  needsSudo: boolean,
  effort: Effort,
): readonly string[] {
  const { alternatives = [], ...options } = set.options;
  const isAllowed = (acl: Acl) => {
    const { allowed, sudo } = acl.allow(request, effort);
    return allowed && (sudo || !needsSudo);
  };
  const allowed = isAllowed(set.acl);
  const about = alternatives
    .filter((each) => isAllowed(set.aclWith({ ...options, ...each.options })) !== allowed)
    .map((each) => each.about);
  return [...new Set(about)];
}

/**
 * Returns the request as the server sees it: without leading slashes, and for lists with a final
 * slash.
 */
function asServerSees(request: AclRequest): AclRequest {
  const path = request.path.replace(/^\/+/, '');
  const isFolder = request.operation === 'list' && path !== '' && !path.endsWith('/');
  return { ...request, path: isFolder ? `${path}/` : path };
}

function refusalOf(
  set: AclPolicySet,
  request: AclRequest,
  rule: MergedRule | undefined,
  needsSudo: boolean,
  effort: Effort,
): AclRefusal | undefined {
  const { operation, data = {}, wrapTtl } = request;
  const { allowed, sudo } = set.acl.allow(request, effort);
  if (allowed) return needsSudo && !sudo ? { kind: 'sudo' } : undefined;
  const permitted = set.permitted(rule);
  if (!permitted) return { kind: 'no-rule' };
  const { permissions } = permitted;
  const { capabilities, minWrappingTtl: min, maxWrappingTtl: max } = permissions;
  if (capabilities.has('deny')) return { kind: 'denied' };
  const missing = capabilityFor(operation);
  if (!capabilities.has(missing)) return { kind: 'capability', missing };
  if (!permitsWrapping(permissions, wrapTtl)) return { kind: 'wrapping', min, max };
  const required = permissions.requiredParameters.find((name) => !Object.hasOwn(data, name.toLowerCase()));
  if (required !== undefined) return { kind: 'parameter-required', parameter: required };
  const parameter = Object.entries(data).find(
    ([name, value]) => !permitsValue(permitted, name, value, effort),
  )?.[0];
  if (parameter === undefined)
    throw new Error(`the refusal of ${operation} ${request.path} could not be explained`);
  return { kind: 'parameter', parameter };
}

function lostBy(winner: MergedRule, loser: MergedRule, lists: ListRule | undefined): LostBy {
  if (kindOfPath(winner.path) === 'exact') return kindOfPath(loser.path) === 'exact' ? 'slash' : 'exact';
  const [a, b] = [rankOf(winner.path), rankOf(loser.path)];
  if (beats(b, a)) {
    if (lists !== 'both') return 'slash';
    return decidesOnLists(loser.permissions) ? 'longer-prefix' : 'no-list';
  }
  if (a.firstWildcard !== b.firstWildcard) return 'first-wildcard';
  if (a.isPrefix !== b.isPrefix) return 'prefix';
  if (a.wildcards !== b.wildcards) return 'wildcards';
  return a.text.length === b.text.length ? 'order' : 'length';
}
