import type { LogicalResponse, Namespace } from '../core/backend';
import { collect, invalidRequest } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import type { JsonObject } from '../core/primitives/json';
import type { Alias, Entity } from '../core/identity/records';

interface Merge {
  readonly to: string;
  readonly from: readonly string[];
  readonly aliasIdsToKeep: readonly string[];
}

/** Two aliases for the same auth method. The merged entity can only have one of them. */
interface Clash {
  readonly ofTo: Alias;
  readonly ofFrom: Alias;
  readonly from: Entity;
}

/**
 * Merges entities into one that has the aliases and the groups of all. Their policies are not
 * merged.
 *
 * @returns the conflicting aliases with status 400, or nothing.
 * @throws LogicalError 400 if an entity or an alias is not valid for the merge.
 */
export function mergeEntities(
  parts: ClusterParts,
  namespace: Namespace,
  { to, from, aliasIdsToKeep }: Merge,
): LogicalResponse | undefined {
  const { identity } = parts;
  const target = identity.entities.byId(to);
  if (target === undefined) throw invalidRequest('entity id to merge to is invalid');
  if (target.namespaceId !== namespace.id)
    throw invalidRequest("entity id to merge into does not belong to the request's namespace");
  if (from.length > 1 && aliasIdsToKeep.length > 1) {
    throw invalidRequest(
      'aliases conflicts cannot be resolved with multiple from entity ids - merge one entity at a time',
    );
  }
  const sources = [...new Set(from)].map((id) => sourceOf(parts, target, id));
  const clashes = sources.flatMap((source) => clashesOf(target, source));
  if (aliasIdsToKeep.length === 0) {
    refuseSharedAccessors(target, sources);
    if (clashes.length > 0) return describeClashes(parts, target, clashes);
  }
  const dropped = new Set(clashes.map((clash) => aliasToDrop(clash, aliasIdsToKeep)));
  let merged: Entity = { ...target, aliases: target.aliases.filter(({ id }) => !dropped.has(id)) };
  for (const source of sources) {
    const taken = source.aliases
      .filter(({ id }) => !dropped.has(id))
      .map((alias) => ({
        ...alias,
        mergedFromEntityIds: [...(alias.mergedFromEntityIds ?? []), source.id],
      }));
    merged = {
      ...merged,
      aliases: [...merged.aliases, ...taken],
      mergedEntityIds: [...(merged.mergedEntityIds ?? []), ...(source.mergedEntityIds ?? []), source.id],
    };
    moveMemberships(parts, source, target);
    identity.deleteEntity(source);
  }
  identity.putEntity(merged);
  return undefined;
}

function sourceOf({ identity }: ClusterParts, target: Entity, id: string): Entity {
  if (id === target.id) throw invalidRequest('to_entity_id should not be present in from_entity_ids');
  const source = identity.entities.byId(id);
  if (source === undefined) throw invalidRequest('entity id to merge from is invalid');
  if (source.namespaceId !== target.namespaceId)
    throw invalidRequest('entity id to merge from does not belong to this namespace');
  return source;
}

function clashesOf(target: Entity, from: Entity): Clash[] {
  return target.aliases.flatMap((ofTo) =>
    from.aliases
      .filter(({ mountAccessor }) => mountAccessor === ofTo.mountAccessor)
      .map((ofFrom) => ({ ofTo, ofFrom, from })),
  );
}

/**
 * Refuses entities with aliases for the same auth method. The server checks this only if the target
 * has aliases.
 */
function refuseSharedAccessors(target: Entity, sources: readonly Entity[]): void {
  if (target.aliases.length === 0) return;
  const ownerOf = new Map<string, string>();
  for (const { id, aliases } of sources) {
    for (const { mountAccessor } of aliases) {
      if ((ownerOf.get(mountAccessor) ?? id) !== id) {
        throw invalidRequest(
          `mount accessor ${mountAccessor} found in multiple fromEntities, merge should be done with one fromEntity at a time`,
        );
      }
      ownerOf.set(mountAccessor, id);
    }
  }
}

function aliasToDrop({ ofTo, ofFrom }: Clash, toKeep: readonly string[]): string {
  if (toKeep.includes(ofTo.id)) return ofFrom.id;
  if (toKeep.includes(ofFrom.id)) return ofTo.id;
  throw invalidRequest(
    'conflicting mount accessors in following alias IDs and neither were present in conflicting_alias_ids_to_keep: ' +
      `${ofFrom.id}, ${ofTo.id}`,
  );
}

function moveMemberships({ identity }: ClusterParts, source: Entity, target: Entity): void {
  for (const group of identity.groupsOfMember(source.id)) {
    const others = (group.memberEntityIds ?? []).filter((id) => id !== source.id);
    const left = identity.putGroup({ ...group, memberEntityIds: others });
    identity.putGroup({ ...left, memberEntityIds: [...new Set([...others, target.id])] });
  }
}

/** Returns the refusal with the conflicting aliases, so that the caller can choose. */
function describeClashes(parts: ClusterParts, target: Entity, clashes: readonly Clash[]): LogicalResponse {
  const texts = clashes.map(
    ({ ofTo, ofFrom, from }) =>
      `mountAccessor: ${ofTo.mountAccessor}, toEntity ID: ${target.id}, fromEntity ID: ${from.id}, ` +
      `conflicting toEntity alias ID: ${ofTo.id}, conflicting fromEntity alias ID: ${ofFrom.id}`,
  );
  const error = collect([
    'toEntity and at least one fromEntity have aliases with the same mount accessor, repeat the merge request ' +
      'specifying exactly one fromEntity, clashes: ',
    ...texts,
  ]);
  const shown = clashes.flatMap(({ ofTo, ofFrom, from }) => [
    clashingAlias(parts, target, ofTo),
    clashingAlias(parts, from, ofFrom),
  ]);
  return {
    raw: {
      status: 400,
      contentType: 'application/json',
      body: `${JSON.stringify({ errors: [error], data: shown })}\n`,
    },
  };
}

function clashingAlias({ mounts }: ClusterParts, entity: Entity, { name, mountAccessor }: Alias): JsonObject {
  const mount = mounts.byAccessor(mountAccessor);
  return {
    alias: name,
    entity: entity.name,
    entity_id: entity.id,
    mount: mount?.type ?? '',
    mount_path: mount?.path ?? '',
  };
}
