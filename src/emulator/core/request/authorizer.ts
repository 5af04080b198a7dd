import { Acl, aclOptionsFor, type AclEntity, type AclPolicy } from '../../../model';
import type { Namespace, ServerFlavour, TokenEntry } from '../backend';
import { type Entity, entitiesOf } from '../../engines/identity/entities';
import type { MountTable } from '../stores/mounts';
import type { NamespaceStore } from '../stores/namespaces';
import type { PolicyStore } from '../stores/policies';

interface Compiled {
  readonly acl: Acl;
  readonly namespaceId: string;
  readonly policies: readonly string[];
}

/** What tokens may do. ACLs are compiled when first asked for, shared by tokens of equal policies and entity, and kept. */
export class Authorizer {
  readonly #compiled = new Map<string, Compiled>();

  readonly #policies: PolicyStore;
  readonly #namespaces: NamespaceStore;
  readonly #mounts: MountTable;
  readonly #server: ServerFlavour;

  constructor(policies: PolicyStore, namespaces: NamespaceStore, mounts: MountTable, server: ServerFlavour) {
    this.#policies = policies;
    this.#namespaces = namespaces;
    this.#mounts = mounts;
    this.#server = server;
    policies.onChange((kind, namespaceId, name) => {
      if (kind !== 'acl') return;
      for (const [key, entry] of this.#compiled) {
        if (entry.namespaceId === namespaceId && entry.policies.includes(name)) this.#compiled.delete(key);
      }
    });
  }

  /** Compiles everything again when it is requested. */
  clear(): void {
    this.#compiled.clear();
  }

  /** @param within the namespace whose policies count; by default the token's own. */
  aclFor(token: TokenEntry, within: Namespace | undefined = this.#namespaces.byId(token.namespaceId)): Acl {
    if (within === undefined) return new Acl([]);
    const key = `${within.id} ${token.entityId ?? ''} ${token.policies.join(' ')}`;
    const known = this.#compiled.get(key);
    if (known !== undefined) return known.acl;
    const acl = this.#compile(within, token);
    this.#compiled.set(key, { acl, namespaceId: within.id, policies: token.policies });
    return acl;
  }

  #compile(namespace: Namespace, token: TokenEntry): Acl {
    if (token.policies.includes('root')) return Acl.root();
    const entity = this.#entityOf(token);
    const policies = token.policies
      .map((name) => this.#policies.compiled(namespace, name))
      .filter((policy): policy is AclPolicy => policy !== undefined);
    return new Acl(policies, {
      ...aclOptionsFor(this.#server.version),
      ...(entity && { identity: { entity: asInTemplates(entity) } }),
    });
  }

  #entityOf({ entityId, namespaceId }: TokenEntry): Entity | undefined {
    const namespace = entityId === undefined ? undefined : this.#namespaces.byId(namespaceId);
    return namespace && entitiesOf(this.#mounts, namespace)?.get(entityId ?? '');
  }
}

function asInTemplates({ id, name, aliases }: Entity): AclEntity {
  return {
    id,
    name,
    aliases: aliases.map(({ metadata, ...alias }) => ({ ...alias, metadata: metadata ?? {} })),
  };
}
