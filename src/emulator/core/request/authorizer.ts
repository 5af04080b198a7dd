import { Acl, type AclIdentity, aclOptionsFor } from '../../../model';
import type { EmulatorClock } from '../primitives/clock';
import type { Namespace, ServerFlavour, TokenEntry } from '../backend';
import { derivedPolicies } from '../identity/derived-policies';
import type { IdentityStore } from '../identity/identity-store';
import { membershipsOf } from '../identity/memberships';
import type { Entity } from '../identity/records';
import type { NamespaceStore } from '../stores/namespace-store';
import type { PolicyStore } from '../stores/policy-store';

interface Compiled {
  readonly acl: Acl;
  /** The names of the policies with the ids of their namespaces: `root/default`. */
  readonly policies: ReadonlySet<string>;
  /** The other inputs that the ACL was compiled from. */
  readonly entity: Entity | undefined;
  readonly groupsVersion: number;
  /**
   * The second whose time was filled into templates; `undefined` if no template contains the time.
   */
  readonly second: number | undefined;
}

/**
 * Decides which requests tokens may make. ACLs are compiled on first use, shared by tokens with the
 * same policies and entity, and kept until a policy, the entity or a group changes. ACLs with
 * templates of the time are compiled again every second.
 */
export class Authorizer {
  readonly #compiled = new Map<string, Compiled>();

  readonly #policies: PolicyStore;
  readonly #namespaces: NamespaceStore;
  readonly #identity: IdentityStore;
  readonly #server: ServerFlavour;
  readonly #clock: EmulatorClock;

  constructor(
    policies: PolicyStore,
    namespaces: NamespaceStore,
    identity: IdentityStore,
    server: ServerFlavour,
    clock: EmulatorClock,
  ) {
    this.#policies = policies;
    this.#namespaces = namespaces;
    this.#identity = identity;
    this.#server = server;
    this.#clock = clock;
    policies.onChange((kind, namespaceId, name) => {
      if (kind !== 'acl') return;
      for (const [key, entry] of this.#compiled) {
        if (entry.policies.has(`${namespaceId}/${name}`)) this.#compiled.delete(key);
      }
    });
  }

  /** Discards all compiled ACLs. */
  clear(): void {
    this.#compiled.clear();
  }

  /**
   * Returns the ACL of a token.
   *
   * @param within the namespace of the token's own policies; by default the token's.
   */
  aclFor(token: TokenEntry, within: Namespace | undefined = this.#namespaces.byId(token.namespaceId)): Acl {
    if (within === undefined) return new Acl([]);
    const groups = token.entityId !== undefined && this.#identity.areGroupsForAll ? 'any' : '';
    const key = `${within.id} ${token.entityId ?? ''} ${groups} ${token.policies.join(' ')}`;
    const entity = token.entityId === undefined ? undefined : this.#identity.entityOrMerged(token.entityId);
    const known = this.#compiled.get(key);
    const isCurrent =
      known?.entity === entity &&
      (known?.second === undefined || known.second === this.#second()) &&
      (entity === undefined || known?.groupsVersion === this.#identity.groupsVersion);
    if (known !== undefined && isCurrent) return known.acl;
    const compiled = this.#compile(within, token, entity);
    this.#compiled.set(key, compiled);
    return compiled.acl;
  }

  #second(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  #compile(within: Namespace, token: TokenEntry, entity: Entity | undefined): Compiled {
    const { groupsVersion } = this.#identity;
    const names: [Namespace, string][] = token.policies.map((name) => [within, name]);
    for (const [namespaceId, derived] of derivedPolicies(this.#identity, this.#namespaces, token)) {
      const namespace = this.#namespaces.byId(namespaceId);
      if (namespace !== undefined)
        names.push(...derived.map((name): [Namespace, string] => [namespace, name]));
    }
    const policies = new Set(names.map(([{ id }, name]) => `${id}/${name}`));
    if (token.policies.includes('root')) {
      return { acl: Acl.root(), policies, entity, groupsVersion, second: undefined };
    }
    const rules = [...policies].flatMap((key) => {
      const [id = '', ...name] = key.split('/');
      const namespace = this.#namespaces.byId(id);
      return (namespace && this.#policies.compiled(namespace, name.join('/'))) ?? [];
    });
    const second = this.#second();
    const acl = new Acl(rules, {
      ...aclOptionsFor(this.#server.version),
      now: second,
      ...(entity && { identity: this.#asInTemplates(entity) }),
    });
    return {
      acl,
      policies,
      entity,
      groupsVersion,
      second: acl.changesWithTime ? second : undefined,
    };
  }

  #asInTemplates(entity: Entity): AclIdentity {
    const { direct, inherited } = membershipsOf(this.#identity, entity.id);
    return {
      entity: {
        ...withTexts(entity),
        aliases: entity.aliases.map((alias) => ({
          ...withTexts(alias),
          mountAccessor: alias.mountAccessor,
          customMetadata: alias.customMetadata ?? {},
        })),
      },
      groups: [...direct, ...inherited].map(withTexts),
    };
  }
}

function withTexts({ id, name, metadata }: Pick<Entity, 'id' | 'name' | 'metadata'>) {
  return { id, name, metadata: metadata ?? {} };
}
