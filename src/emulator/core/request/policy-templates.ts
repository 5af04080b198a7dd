import type { AclPolicy } from '../../../model';
import type { Alias, Entity } from '../../engines/identity/entities';

const TEMPLATE = /\{\{\s*(.*?)\s*\}\}/g;

/** A policy as it counts for one entity: rules whose templates have no value for it are left out. */
export function policyForEntity(policy: AclPolicy, entity: Entity): AclPolicy {
  const rules = policy.rules.flatMap((rule) => {
    const path = fill(rule.path, entity);
    return path === undefined ? [] : [{ ...rule, path }];
  });
  return { ...policy, rules };
}

function fill(path: string, entity: Entity): string | undefined {
  let isComplete = true;
  const filled = path.replace(TEMPLATE, (_, selector: string) => {
    const value = entityValue(selector, entity);
    isComplete &&= value !== undefined;
    return value ?? '';
  });
  return isComplete ? filled : undefined;
}

function entityValue(selector: string, entity: Entity): string | undefined {
  if (selector === 'identity.entity.id') return entity.id;
  if (selector === 'identity.entity.name') return entity.name;
  const [, accessor, ofAlias = ''] = /^identity\.entity\.aliases\.([^.]+)\.(.+)$/.exec(selector) ?? [];
  const alias = entity.aliases.find(({ mountAccessor }) => mountAccessor === accessor);
  return alias && aliasValue(ofAlias, alias);
}

function aliasValue(selector: string, alias: Alias): string | undefined {
  if (selector === 'id') return alias.id;
  if (selector === 'name') return alias.name;
  const [, kind, key = ''] = /^(metadata|custom_metadata)\.(.+)$/.exec(selector) ?? [];
  if (kind === 'metadata') return alias.metadata?.[key];
  return kind === 'custom_metadata' ? alias.customMetadata[key] : undefined;
}
