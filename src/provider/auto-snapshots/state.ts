import type { AutoSnapshot } from '../../client';
import {
  autoSnapshotOf,
  sameMeaning,
  AUTO_SNAPSHOT_BACKENDS,
  type Field,
  type FieldValues,
} from '../../model';
import { importedSecrets, secretFields, storedSecrets, versionName } from '../objects';
import { COMMON_FIELDS } from './schema';
import { blockIn, STORAGE_TYPES, type Values } from './values';

type Fields = Readonly<Record<string, Field>>;

/**
 * What a state says of a configuration: what it said before where that means the same, else what the server holds.
 * Secrets that the server holds are compared, and never stored.
 *
 * @param prior the state before; after an import, see {@link importedState}.
 * @param changed the write-only secrets that somebody else has changed: without a version they are planned anew.
 */
export function stateOf(stored: AutoSnapshot, prior: Values, changed: readonly string[]): Values {
  const held: FieldValues = { ...stored };
  const blocks = STORAGE_TYPES.map((storage) => {
    if (storage.type !== stored.storage_type) return [storage.block, null];
    const block = blockIn(prior, storage);
    const drifted = Object.entries(storage.fields).filter(
      ([name, field]) => (block[name] ?? null) !== null && !sameMeaning(field, held[name], block[name]),
    );
    const known = forget(block, [...changed, ...drifted.map(([name]) => name)]);
    return [storage.block, { ...readFields(storage.fields, held, block), ...storedSecrets(storage, known) }];
  });
  return {
    ...readFields(COMMON_FIELDS, held, prior),
    storage_type: stored.storage_type,
    ...(Object.fromEntries(blocks) as Values),
  };
}

/** The secrets that the server holds. It tells them in clear. */
export function heldSecrets(stored: AutoSnapshot): Readonly<Record<string, string>> {
  const held: FieldValues = { ...stored };
  const secrets = secretFields(autoSnapshotOf(stored.storage_type)).map(
    (name) => [name, held[name]] as const,
  );
  return Object.fromEntries(secrets.filter((secret): secret is [string, string] => isText(secret[1])));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The state of an imported configuration, before it was read: where it is, and versions for secrets that are held. */
export function importedState(location: Values, stored: AutoSnapshot): Values {
  const { block } = AUTO_SNAPSHOT_BACKENDS[stored.storage_type];
  return { ...location, [block]: importedSecrets(Object.keys(heldSecrets(stored))) };
}

/** A block without fields, and the versions of those that are secrets. */
function forget(block: Values, fields: readonly string[]): Values {
  const forgotten = fields.flatMap((name) => [name, versionName(name)]);
  return Object.fromEntries(Object.entries(block).filter(([name]) => !forgotten.includes(name)));
}

function readFields(fields: Fields, held: FieldValues, prior: Values): Values {
  const shown = Object.entries(fields).filter(([, { identity, sensitive }]) => !identity && !sensitive);
  return Object.fromEntries(
    shown.map(([name, field]) => [name, readValue(field, held[name], prior[name] ?? null)]),
  );
}

/** @param prior null also where a default has yet to be shown, after an import. */
function readValue(field: Field, held: unknown, prior: unknown): unknown {
  const toShow = prior === null && field.default !== undefined;
  return !toShow && sameMeaning(field, held, prior) ? prior : shownValue(field, held);
}

/** The fields of a configuration as a data source shows them. Secrets are not among them. */
export function shownFields(fields: Fields, stored: AutoSnapshot): Values {
  const held: FieldValues = { ...stored };
  const shown = Object.entries(fields).filter(([, { sensitive }]) => !sensitive);
  return Object.fromEntries(shown.map(([name, field]) => [name, shownValue(field, held[name])]));
}

/** How Terraform has what the server holds. */
function shownValue(field: Field, held: unknown): unknown {
  const value = held ?? field.default ?? null;
  return typeof value === 'number' && field.type === 'duration' ? String(value) : value;
}
