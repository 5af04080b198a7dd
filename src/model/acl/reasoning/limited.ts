import { Acl, type AclDecision, type AclOperation, type AclOptions, type AclRequest } from '../acl';
import { UNCOUNTED, type Effort } from '../effort';
import type { Permissions } from '../permissions';
import { found } from './differences';
import { allOf } from './limited-permissions';
import { intersect } from './pattern';
import { PatternIndex } from './pattern-index';
import { AclPolicySet, type Clause, type ClauseMode, type MergedRule } from './policy-set';

/** Policies with limits, such as the ceiling of an agent: a request must be permitted by all. */
export class LimitedPolicySet extends AclPolicySet {
  readonly #own: AclPolicySet;
  readonly #known = new Map<ClauseMode, readonly Clause[]>();

  constructor(
    own: AclPolicySet,
    override readonly limits: readonly AclPolicySet[],
  ) {
    super(own.policies, own.options);
    this.#own = own;
  }

  override get names(): readonly string[] {
    return [this.#own, ...this.limits].flatMap(({ names }) => names);
  }

  override get characters(): number {
    return [this.#own, ...this.limits].reduce((sum, { characters }) => sum + characters, 0);
  }

  override aclWith(options: AclOptions): Acl {
    return new LimitedAcl([this.#own, ...this.limits].map((each) => each.aclWith(options)));
  }

  /**
   * Returns the clauses in the order in which they decide: each is a clause of the policies
   * together with one of each limit.
   */
  override clauses(mode: ClauseMode, effort: Effort): readonly Clause[] {
    return found(this.#known, mode, () =>
      this.limits.reduce(
        (clauses, limit) => limitedClauses(clauses, limit.clauses(mode, effort), effort),
        this.#own.clauses(mode, effort),
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

/** The permissions that several sets have in common. */
class LimitedAcl extends Acl {
  readonly #parts: readonly Acl[];

  constructor(parts: readonly Acl[]) {
    super([]);
    this.#parts = parts;
  }

  override allow(request: AclRequest, effort: Effort = UNCOUNTED): AclDecision {
    const decisions = this.#parts.map((part) => part.allow(request, effort));
    return { allowed: decisions.every(({ allowed }) => allowed), sudo: decisions.every(({ sudo }) => sudo) };
  }

  override permissionsFor(
    path: string,
    operation: AclOperation,
    effort: Effort = UNCOUNTED,
  ): Permissions | undefined {
    const [first, ...others] = this.#parts.map((part) => part.permissionsFor(path, operation, effort));
    return others.reduce((all, each) => all && each && allOf(all, each), first);
  }
}
