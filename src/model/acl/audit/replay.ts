import { Acl, parameterRulesOf, type AclOptions } from '../acl';
import type { NamedAclPolicy } from '../reasoning';
import { Effort, TooComplexError } from '../effort';
import { mayBeFilledAs } from '../template-paths';
import { filledRules, isTemplated } from '../template';
import { replay, type Replayed } from './decide';
import type { AuditedRequest } from './entry';

interface Compiled {
  readonly names: readonly string[];
  readonly acl: Acl;
  readonly isTemplated: boolean;
  /** The templated paths of rules whose templates need more of an identity than a log contains. */
  readonly perhaps: readonly string[];
  /** The length of the policies. */
  readonly characters: number;
}

/** The number of sets of policies that are kept in memory: a log may name many entities. */
const MOST_SETS = 1000;

/** Decides on logged requests by the given policies. */
export class ReplayedPolicies {
  readonly #policies = new Map<string, NamedAclPolicy>();
  readonly #options: AclOptions;
  readonly #sets = new Map<string, Compiled | undefined>();

  /**
   * @param policies the policies. Each applies to the tokens with its name, in its own namespace
   * and the namespaces below.
   */
  constructor(policies: readonly NamedAclPolicy[], options: AclOptions = {}) {
    for (const named of policies) this.#policies.set(named.policy.namespace + named.name, named);
    this.#options = options;
  }

  /**
   * Decides on a logged request.
   *
   * @returns `unknown` if the decision depends on a hashed value or on an identity, if a policy
   *   is not known, or if it would take too long.
   */
  decide(audited: AuditedRequest): Replayed {
    if (audited.policies.includes('root')) return 'allowed';
    const compiled = this.#compiledFor(audited);
    if (!compiled) return 'unknown';
    const { request, characters } = audited;
    const effort = Effort.for([compiled, { names: [], characters }]);
    try {
      if (compiled.perhaps.some((path) => mayBeFilledAs(path, request.path, effort))) return 'unknown';
      return replay(compiled.acl, audited, parameterRulesOf(this.#options), effort);
    } catch (error) {
      if (error instanceof TooComplexError) return 'unknown';
      throw error;
    }
  }

  /** Returns the names of a token's policies that are not known. */
  missing({ policies, namespace }: AuditedRequest): readonly string[] {
    return policies.filter((name) => name !== 'root' && !this.#policyOf(name, namespace));
  }

  #compiledFor(audited: AuditedRequest): Compiled | undefined {
    const { namespace, policies, entityId } = audited;
    const shared = this.#kept(JSON.stringify([namespace, policies]), audited);
    return shared?.isTemplated
      ? this.#kept(JSON.stringify([namespace, policies, entityId]), audited)
      : shared;
  }

  #kept(key: string, audited: AuditedRequest): Compiled | undefined {
    if (!this.#sets.has(key)) {
      if (this.#sets.size >= MOST_SETS) this.#sets.clear();
      this.#sets.set(key, this.#compile(audited));
    }
    return this.#sets.get(key);
  }

  #compile({ policies, namespace, entityId }: AuditedRequest): Compiled | undefined {
    const known: NamedAclPolicy[] = [];
    for (const name of policies) {
      const found = this.#policyOf(name, namespace);
      if (!found) return undefined;
      known.push(found);
    }
    const identity = { entity: { id: entityId } };
    const templated = known.flatMap(({ policy }) =>
      policy.rules.filter(({ path }) => isTemplated(path)).map((rule) => ({ ...policy, rules: [rule] })),
    );
    const filling = { identity, now: 0, refuseGlobs: true, refuseSlashes: false };
    const unfilled =
      entityId === '' ? [] : templated.filter((each) => filledRules(each, filling).length === 0);
    return {
      acl: new Acl(
        known.map(({ policy }) => policy),
        { ...this.#options, identity },
      ),
      isTemplated: templated.length > 0,
      perhaps: unfilled.flatMap(({ namespace: within, rules }) => rules.map((rule) => within + rule.path)),
      names: policies,
      characters: known.reduce((sum, { policy }) => sum + JSON.stringify(policy).length, 0),
    };
  }

  /**
   * Returns the policy of a name. A token belongs to the namespace of its request, or to one above
   * it.
   */
  #policyOf(name: string, namespace: string): NamedAclPolicy | undefined {
    const parts = namespace.split('/').slice(0, -1);
    for (let length = parts.length; length >= 0; length--) {
      const within = parts.slice(0, length).map((part) => `${part}/`);
      const found = this.#policies.get(within.join('') + name);
      if (found) return found;
    }
    return undefined;
  }
}
