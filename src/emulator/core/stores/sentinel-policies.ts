import { compilePolicy, type SentinelPolicy } from '../../../enforcement';
import type { EnforcementLevel } from '../../../model';
import type { Namespace } from '../backend';
import type { PolicyStore } from './policies';

type Kind = SentinelPolicy['kind'];

/** The RGPs and EGPs of all namespaces, ready to be evaluated. Each is parsed when it is first asked for, and kept until it changes. */
export class SentinelPolicies {
  readonly #policies: PolicyStore;
  /** By namespace id, kind and name. */
  readonly #compiled = new Map<string, SentinelPolicy>();
  /** By namespace id. */
  readonly #egps = new Map<string, readonly SentinelPolicy[]>();

  constructor(policies: PolicyStore) {
    this.#policies = policies;
    policies.onChange((kind, namespaceId, name) => {
      if (kind === 'acl') return;
      this.#compiled.delete(`${namespaceId}/${kind}/${name}`);
      if (kind === 'egp') this.#egps.delete(namespaceId);
    });
  }

  /** Is called after the whole storage was replaced. */
  clear(): void {
    this.#compiled.clear();
    this.#egps.clear();
  }

  /** The EGPs that are written in a namespace, by name. */
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

  /** @returns `undefined` if the name is that of an ACL policy, or of none. */
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
      // Checked when it was written.
      level: stored.enforcement_level as EnforcementLevel,
      ...(stored.paths && { paths: stored.paths }),
      text: stored.policy,
    });
    this.#compiled.set(key, policy);
    return policy;
  }
}
