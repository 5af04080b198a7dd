import type { AclAlias, AclEntity, AclGroup, AclIdentity } from '../../../model';
import { readTextFile } from '../../../policy/text-file';
import { isRecord, parseForeignJson, visible, type JsonRecord } from '../../../text';
import { UserError } from '../../errors';
import { readNamed } from '../../named-files';

const EXPECTED =
  'Expected: {"entity": {"id": "…", "name": "…", "metadata": {…}, "aliases": […]}, "groups": […]}.';

/**
 * Reads an identity from a file: an entity and its groups, with the fields of the API.
 *
 * @throws UserError if it cannot be read, or does not contain an identity.
 */
export function identityInFile(file: string): AclIdentity {
  const read = readJson(file);
  const { entity, groups = [], ...others } = isRecord(read) ? read : {};
  const isIdentity =
    isRecord(read) &&
    Object.keys(others).length === 0 &&
    isRecord(entity) &&
    Array.isArray(groups) &&
    groups.every(isRecord);
  if (!isIdentity) throw new UserError(`${visible(file)} is not an identity\n${EXPECTED}`);
  return { entity: entityOf(entity), groups: groups.map(groupOf) };
}

function readJson(file: string): unknown {
  const text = readNamed(file, () => readTextFile(file));
  try {
    return parseForeignJson(text);
  } catch (error) {
    throw new UserError(`${visible(`${file} is not JSON: ${(error as Error).message}`)}\n${EXPECTED}`);
  }
}

/** Returns an entity from the answer of the API. */
export function entityOf(values: JsonRecord): AclEntity {
  const { aliases } = values;
  return { ...named(values), aliases: (Array.isArray(aliases) ? aliases : []).filter(isRecord).map(aliasOf) };
}

/** Returns a group from the answer of the API. */
export function groupOf(values: JsonRecord): AclGroup {
  return { ...named(values), id: textOf(values['id']) };
}

function aliasOf(values: JsonRecord): AclAlias {
  return {
    ...named(values),
    mountAccessor: textOf(values['mount_accessor']),
    customMetadata: textsByName(values['custom_metadata']),
  };
}

function named({ id, name, metadata }: JsonRecord): Pick<AclEntity, 'id' | 'name' | 'metadata'> {
  return { id: textOf(id), name: textOf(name), metadata: textsByName(metadata) };
}

function textsByName(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(isRecord(value) ? value : {}).flatMap(([name, text]) =>
      typeof text === 'string' ? [[name, text]] : [],
    ),
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
