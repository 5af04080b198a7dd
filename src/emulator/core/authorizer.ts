import { Acl, type AclPolicy } from '../../model';
import type { Namespace, ServerFlavour, TokenEntry } from './backend';
import type { NamespaceStore } from './namespaces';
import type { PolicyStore } from './policies';

interface Compiled {
  readonly acl: Acl;
  readonly namespaceId: string;
  readonly policies: readonly string[];
}

/** What tokens may do. ACLs are compiled when first asked for, shared by tokens with equal policies, and kept. */
export class Authorizer {
  private readonly compiled = new Map<string, Compiled>();

  constructor(
    private readonly policies: PolicyStore,
    private readonly namespaces: NamespaceStore,
    private readonly server: ServerFlavour,
  ) {
    policies.onAclChange((namespaceId, name) => {
      for (const [key, entry] of this.compiled) {
        if (entry.namespaceId === namespaceId && entry.policies.includes(name)) this.compiled.delete(key);
      }
    });
  }

  /** @param within the namespace whose policies count; by default the token's own. */
  aclFor(token: TokenEntry, within: Namespace | undefined = this.namespaces.byId(token.namespaceId)): Acl {
    if (within === undefined) return new Acl([]);
    const key = `${within.id} ${token.policies.join(' ')}`;
    const known = this.compiled.get(key);
    if (known !== undefined) return known.acl;
    const acl = this.compile(within, token.policies);
    this.compiled.set(key, { acl, namespaceId: within.id, policies: token.policies });
    return acl;
  }

  private compile(namespace: Namespace, names: readonly string[]): Acl {
    if (names.includes('root')) return Acl.root();
    const policies = names.map((name) => this.policies.compiled(namespace, name));
    return new Acl(
      policies.filter((policy): policy is AclPolicy => policy !== undefined),
      { perElementLists: this.server.atLeast(1, 21) },
    );
  }
}
