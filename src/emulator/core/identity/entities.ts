import type { Namespace } from '../backend';
import { uuid } from '../primitives/identifiers';
import type { IdentityStore } from './identity-store';
import type { Alias, Entity } from './records';

/** Creates an entity for the first login of a user. */
export function newEntity(identity: IdentityStore, namespace: Namespace): Entity {
  return {
    id: uuid(),
    name: generatedName('entity', (each) => identity.entities.byName(namespace, each) !== undefined),
    namespaceId: namespace.id,
    createdAt: identity.now,
    updatedAt: identity.now,
    metadata: null,
    policies: [],
    disabled: false,
    mergedEntityIds: null,
    aliases: [],
  };
}

/** Returns a generated name for an entity or group that was created without one. */
export function generatedName(kind: 'entity' | 'group', isTaken: (name: string) => boolean): string {
  for (;;) {
    const name = `${kind}_${Math.floor(Math.random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0')}`;
    if (!isTaken(name)) return name;
  }
}

/** Returns an entity with an alias that replaces the one with the same id, or is appended. */
export function withAlias(entity: Entity, alias: Alias): Entity {
  const isKnown = entity.aliases.some(({ id }) => id === alias.id);
  const aliases = isKnown
    ? entity.aliases.map((each) => (each.id === alias.id ? alias : each))
    : [...entity.aliases, alias];
  return { ...entity, aliases };
}

/** Whether an alias has this name at this auth method. */
export function isAt(alias: Alias, mountAccessor: string, name: string): boolean {
  return alias.mountAccessor === mountAccessor && alias.name.toLowerCase() === name.toLowerCase();
}

export function isSameTexts(
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
