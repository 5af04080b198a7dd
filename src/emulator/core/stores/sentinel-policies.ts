import { compilePolicy, type SentinelPolicy } from '../../../enforcement';
import type { EnforcementLevel } from '../../../model';
import type { Namespace } from '../backend';
import type { PolicyStore } from './policy-store';

type Kind = SentinelPolicy['kind'];

/**
 * The RGPs and EGPs of all namespaces, ready for evaluation. Each is parsed on first use, and kept
 * until it changes.
 */
export class SentinelPolicies {
  readonly #policies: PolicyStore;
  /** The parsed policies by namespace id, kind and name. */
  readonly #compiled = new Map<string, SentinelPolicy>();
  /** The EGPs by namespace id. */
  readonly #egps = new Map<string, readonly SentinelPolicy[]>();

  constructor(policies: PolicyStore) {
    this.#policies = policies;
    policies.onChange((kind, namespaceId, name) => {
      if (kind === 'acl') return;
      this.#compiled.delete(`${namespaceId}/${kind}/${name}`);
      if (kind === 'egp') this.#egps.delete(namespaceId);
    });
  }

  /** Discards parsed policies; called after the whole storage was replaced. */
  clear(): void {
    this.#compiled.clear();
    this.#egps.clear();
  }

  /** Returns the EGPs of a namespace, by name. */
  egps(namespace: Namespace): readonly SentinelPolicy[] {
    const known = this.#egps.get(namespace.id);
    if (known !== undefined) return known;
    const egps = this.#policies
      .list(namespace, 'egp')
      .map((name) => this.#get(namespace, 'egp', name))
      .filter((policy) => policy !== undefined);
    this.#egps.set(namespace.id, egps);
    return egps;
  }

  /** @returns the RGP; `undefined` if there is no RGP with this name. */
  rgp(namespace: Namespace, name: string): SentinelPolicy | undefined {
    return this.#get(namespace, 'rgp', name);
  }

  #get(namespace: Namespace, kind: Kind, name: string): SentinelPolicy | undefined {
    const key = `${namespace.id}/${kind}/${name}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known;
    const stored = this.#policies.get(namespace, kind, name);
    if (stored === undefined) return undefined;
    const policy = compilePolicy({
      kind,
      name,
      namespace: namespace.path,
      // The level was checked when the policy was written.
      level: stored.enforcement_level as EnforcementLevel,
      ...(stored.paths && { paths: stored.paths }),
      text: stored.policy,
    });
    this.#compiled.set(key, policy);
    return policy;
  }
}
