import { VaultError, type VaultClient } from '../../client';
import type { EntityFacts, GroupFacts, IdentityFacts, TokenFacts } from '../../enforcement';

/** The identity of Terraform on a cluster, from the facts that the server returns. */
export interface CallerFacts {
  readonly token: TokenFacts;
  /** The policies of the token, and those of its identity in the namespace of the token. */
  readonly policies: readonly string[];
  /** `null`: the token has no entity. `undefined`: the server does not report it. */
  readonly identity: IdentityFacts | null | undefined;
}

type Answer = Readonly<Record<string, unknown>>;

/**
 * Looks up Terraform's own token and its entity.
 *
 * @returns `undefined` if the server does not return them
 */
export async function lookUpCaller(
  client: VaultClient,
  signal?: AbortSignal,
): Promise<CallerFacts | undefined> {
  try {
    const { data } = await client.token.lookupSelf({ signal });
    const entityId = textOf(data.entity_id);
    return {
      token: tokenFacts(data, entityId),
      policies: [...textsOf(data.policies), ...textsOf(data.identity_policies)],
      identity: entityId === '' ? null : await identityOf(client, entityId, signal),
    };
  } catch (error) {
    if (VaultError.is(error)) return undefined;
    throw error;
  }
}

async function identityOf(
  client: VaultClient,
  id: string,
  signal: AbortSignal | undefined,
): Promise<IdentityFacts | undefined> {
  try {
    const entity = await client.read(`identity/entity/id/${id}`, { signal });
    if (!entity) return undefined;
    const ids = [...textsOf(entity.data.direct_group_ids), ...textsOf(entity.data.inherited_group_ids)];
    const groups = await Promise.all(
      [...new Set(ids)].map((group) => client.read(`identity/group/id/${group}`, { signal })),
    );
    if (groups.includes(undefined)) return undefined;
    return {
      entity: entityFacts(entity.data),
      groups: groups.flatMap((group) => (group ? groupFacts(group.data) : [])),
    };
  } catch (error) {
    if (VaultError.is(error)) return undefined;
    throw error;
  }
}

function tokenFacts(data: Answer, entityId: string): TokenFacts {
  return {
    policies: textsOf(data.policies),
    path: textOf(data.path),
    displayName: textOf(data.display_name),
    numUses: numberOf(data.num_uses),
    role: textOf(data.role),
    entityId,
    period: numberOf(data.period),
    explicitMaxTtl: numberOf(data.explicit_max_ttl),
    creationTtl: numberOf(data.creation_ttl),
    createdAt: numberOf(data.creation_time) * 1000,
    metadata: metadataOf(data.meta),
    type: data.type === 'batch' ? 'batch' : 'service',
    namespace: { id: '', path: textOf(data.namespace_path) },
  };
}

function entityFacts(data: Answer): EntityFacts {
  return {
    ...namedFacts(data),
    aliases: listOf(data.aliases).map((alias) => ({
      ...timesOf(alias),
      id: textOf(alias.id),
      name: textOf(alias.name),
      mountAccessor: textOf(alias.mount_accessor),
      mountPath: textOf(alias.mount_path),
      mountType: textOf(alias.mount_type),
      metadata: metadataOf(alias.metadata),
      customMetadata: metadataOf(alias.custom_metadata),
      mergedFromEntityIds: textsOf(alias.merged_from_canonical_ids),
    })),
    mergedEntityIds: textsOf(data.merged_entity_ids),
  };
}

function groupFacts(data: Answer): GroupFacts {
  return {
    ...namedFacts(data),
    memberEntityIds: textsOf(data.member_entity_ids),
    parentGroupIds: textsOf(data.parent_group_ids),
  };
}

function namedFacts(data: Answer) {
  return {
    ...timesOf(data),
    id: textOf(data.id),
    name: textOf(data.name),
    metadata: metadataOf(data.metadata),
    policies: textsOf(data.policies),
  };
}

function timesOf(data: Answer): { readonly createdAt: number; readonly updatedAt: number } {
  return { createdAt: timeOf(data.creation_time), updatedAt: timeOf(data.last_update_time) };
}

function timeOf(value: unknown): number {
  const time = Date.parse(textOf(value));
  return Number.isNaN(time) ? 0 : time;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function listOf(value: unknown): readonly Answer[] {
  return Array.isArray(value) ? value.filter(isAnswer) : [];
}

function metadataOf(value: unknown): Readonly<Record<string, string>> {
  const entries = isAnswer(value) ? Object.entries(value) : [];
  return Object.fromEntries(entries.map(([key, each]) => [key, textOf(each)]));
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null;
}
