import { Acl, type AclDecision, type AclOperation, type AclOptions, type AclRequest } from '../acl';
import { UNCOUNTED, type Effort } from '../effort';
import type { Permissions } from '../permissions';
import { found } from './differences';
import { allOf } from './limited-permissions';
import { intersect } from './pattern';
import { PatternIndex } from './pattern-index';
import { AclPolicySet, type Clause, type ClauseMode, type MergedRule } from './policy-set';

/** A limit of policies: one of its alternatives must permit a request. */
export interface AclLimit {
  readonly name: 'ceiling' | 'authorization details';
  readonly alternatives: readonly [AclPolicySet, ...AclPolicySet[]];
  /**
   * Returns one set that permits exactly what any of the alternatives permits.
   *
   * @throws if no set can express this.
   */
  readonly joined: () => AclPolicySet;
}

/** Returns the limit that the policies of a ceiling set. */
export function ceilingOf(set: AclPolicySet): AclLimit {
  return { name: 'ceiling', alternatives: [set], joined: () => set };
}

/**
 * Policies with limits, such as the ceiling of an agent. The policies and each limit must permit a
 * request.
 */
export class LimitedPolicySet extends AclPolicySet {
  readonly #known = new Map<ClauseMode, readonly Clause[]>();

  /** @param own the policies without their limits. */
  constructor(
    readonly own: AclPolicySet,
    readonly limits: readonly AclLimit[],
  ) {
    super(own.policies, own.options);
  }

  override get names(): readonly string[] {
    return this.#sets.flatMap(({ names }) => names);
  }

  override get characters(): number {
    return this.#sets.reduce((sum, { characters }) => sum + characters, 0);
  }

  override aclWith(options: AclOptions): Acl {
    const limits = this.limits.map(({ alternatives }) => alternatives.map((each) => each.aclWith(options)));
    return new LimitedAcl([[this.own.aclWith(options)], ...limits]);
  }

  get #sets(): readonly AclPolicySet[] {
    return [this.own, ...this.limits.flatMap(({ alternatives }) => alternatives)];
  }

  /**
   * Returns the clauses in the order in which they decide. Each combines a clause of the policies
   * with one clause of each limit.
   */
  override clauses(mode: ClauseMode, effort: Effort): readonly Clause[] {
    return found(this.#known, mode, () =>
      this.limits.reduce(
        (clauses, { joined }) => limitedClauses(clauses, joined().clauses(mode, effort), effort),
        this.own.clauses(mode, effort),
      ),
    );
  }
}

function limitedClauses(
  own: readonly Clause[],
  limits: readonly Clause[],
  effort: Effort,
): readonly Clause[] {
  const index = new PatternIndex(limits.map(({ pattern }) => pattern));
  const rules = new Map<MergedRule, Map<MergedRule, MergedRule>>();
  return own.flatMap(({ pattern, rule }) =>
    index.meeting(pattern, effort).map((at): Clause => {
      const limit = limits[at]!;
      const known = found(rules, rule, () => new Map<MergedRule, MergedRule>());
      return {
        pattern: intersect(pattern, limit.pattern, effort)!,
        rule: found(known, limit.rule, () => limitedRule(rule, limit.rule)),
      };
    }),
  );
}

function limitedRule(rule: MergedRule, limit: MergedRule): MergedRule {
  const checks = [...rule.checks, ...limit.checks];
  return {
    path: rule.path,
    permissions: allOf(rule.permissions, limit.permissions),
    checks: [...new Map(checks.map((each) => [JSON.stringify(each), each])).values()],
    origins: [...rule.origins, ...limit.origins],
  };
}

/**
 * Permissions that consist of several parts: one alternative of each part must permit a request.
 */
class LimitedAcl extends Acl {
  readonly #parts: readonly (readonly Acl[])[];

  constructor(parts: readonly (readonly Acl[])[]) {
    super([]);
    this.#parts = parts;
  }

  override allow(request: AclRequest, effort: Effort = UNCOUNTED): AclDecision {
    const decisions = this.#parts.map((part) => part.map((each) => each.allow(request, effort)));
    return {
      allowed: decisions.every((part) => part.some(({ allowed }) => allowed)),
      sudo: decisions.every((part) => part.some(({ sudo }) => sudo)),
    };
  }

  override permissionsFor(
    path: string,
    operation: AclOperation,
    effort: Effort = UNCOUNTED,
  ): Permissions | undefined {
    const [first, ...others] = this.#parts.map((part) =>
      part.map((each) => each.permissionsFor(path, operation, effort)).find((found) => found),
    );
    return others.reduce((all, each) => all && each && allOf(all, each), first);
  }
}
