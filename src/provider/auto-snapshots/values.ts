import type { AutoSnapshot, AutoSnapshotFields } from '../../client';
import {
  autoSnapshotOf,
  differingSnapshotFields,
  emptySnapshotValue,
  parseDuration,
  sameSnapshotValue,
  type Field,
  type FieldValues,
  type SnapshotStorageType,
} from '../../model';
import { isKnown, UNKNOWN, type Unknown } from '../../plugin';
import { secretFields, versionName, withSecrets, writeOnlyName } from '../objects';
import { COMMON_FIELDS, STORAGE_TYPES } from './schema';

/** A configuration, plan or state as Terraform has it: common attributes, and a block for the storage type. */
export type Values = Readonly<Record<string, unknown>>;

/** The storage types whose blocks are given. */
export function storageTypesIn(values: Values): readonly SnapshotStorageType[] {
  return STORAGE_TYPES.filter(({ block }) => (values[block] ?? null) !== null);
}

/** The storage type of a plan, as far as its blocks are known. */
export function plannedStorageType(plan: Values): string | Unknown {
  const [storage] = storageTypesIn(plan);
  return storage && isKnown(plan[storage.block]) ? storage.type : UNKNOWN;
}

/** Common attributes and those of a block side by side, by the model's names but for the secrets' attributes. */
export function flatten(values: Values, { type, block }: SnapshotStorageType): Values {
  return { ...values, storage_type: type, ...(values[block] as Values) };
}

/** The fields that a configuration or a state gives, with the defaults of those that it leaves out. */
export function fieldsOf(values: Values): AutoSnapshotFields {
  const [storage] = storageTypesIn(values);
  if (!storage) throw new Error('every configuration and state has a storage block');
  const { definition } = storage;
  const given = withSecrets(definition, flatten(values, storage));
  const fields = Object.entries(definition.fields)
    .filter(([, { identity }]) => !identity)
    .map(([name, field]) => [name, given[name] ?? field.default] as const)
    .filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(fields) as unknown as AutoSnapshotFields),
    interval: Math.trunc(parseDuration(given.interval as string)),
  };
}

/** The secrets of a configuration that are stored nowhere but on the server, by the model's names. */
export function writeOnlySecrets(config: Values): Readonly<Record<string, string>> {
  const secrets = storageTypesIn(config).flatMap(({ block, definition }) => {
    const values = config[block] as Values;
    return secretFields(definition).map((name) => [name, values[writeOnlyName(name)] ?? null] as const);
  });
  return Object.fromEntries(secrets.filter((secret): secret is [string, string] => secret[1] !== null));
}

/** Whether the server holds what was written. Secrets that are not known any more may be any. */
export function holds(stored: AutoSnapshot, written: AutoSnapshotFields): boolean {
  const definition = autoSnapshotOf(written.storage_type);
  const forgotten = secretFields(definition).filter((name) => !(name in written));
  return differingSnapshotFields(definition, { ...stored }, { ...written, name: stored.name }).every((name) =>
    forgotten.includes(name),
  );
}

/**
 * What is to be written over what the server holds: it keeps the fields that a write leaves out, so that those which are
 * not wanted any more are cleared.
 *
 * @param kept the secrets that are none of Terraform's business. They are written as they are.
 */
export function overwriting(
  stored: AutoSnapshot,
  wanted: AutoSnapshotFields,
  kept: readonly string[],
): AutoSnapshotFields {
  const held: FieldValues = { ...stored };
  const left = Object.entries(autoSnapshotOf(stored.storage_type).fields).filter(
    ([name, field]) =>
      !field.identity && !(name in wanted) && !sameSnapshotValue(field, held[name], undefined),
  );
  return {
    ...Object.fromEntries(
      left.map(([name, field]) => [name, kept.includes(name) ? held[name] : emptySnapshotValue(field)]),
    ),
    ...wanted,
  };
}

/**
 * The secrets of a block that are not in the configuration, and never were: whoever wrote them takes care of them.
 * A version without its secret says as much.
 */
export function foreignSecrets(plan: Values, state: Values): readonly string[] {
  return storageTypesIn(plan).flatMap(({ block, definition }) => {
    const isManaged = (values: Values, name: string) =>
      ((values[block] as Values | null)?.[name] ?? null) !== null;
    return secretFields(definition).filter(
      (name) =>
        state[block] !== null &&
        (isManaged(plan, versionName(name)) ||
          !(isManaged(state, name) || isManaged(state, versionName(name)))),
    );
  });
}

/**
 * What a state says of a configuration: what it said before where that means the same, else what the server holds.
 * Secrets that the server holds are compared, and never stored.
 *
 * @param prior the state before. After an import it holds neither fields nor a block.
 * @param changed the write-only secrets that somebody else has changed: without a version they are planned anew.
 */
export function stateOf(stored: AutoSnapshot, prior: Values, changed: readonly string[]): Values {
  const held: FieldValues = { ...stored };
  const common = Object.entries(COMMON_FIELDS).map(([name, field]) => [
    name,
    valueOf(field, held[name], prior[name] ?? null),
  ]);
  const blocks = STORAGE_TYPES.map((storage) => [
    storage.block,
    storage.type === stored.storage_type
      ? blockOf(storage, held, (prior[storage.block] ?? {}) as Values)
      : null,
  ]);
  return {
    ...Object.fromEntries(common),
    storage_type: stored.storage_type,
    ...Object.fromEntries(blocks),
  } as Values;

  function blockOf({ fields }: SnapshotStorageType, held: FieldValues, block: Values): Values {
    const attributes = Object.entries(fields).flatMap(([name, field]): (readonly [string, unknown])[] =>
      field.sensitive
        ? [
            [name, held[name] === block[name] ? (held[name] ?? null) : null],
            [writeOnlyName(name), null],
            [versionName(name), changed.includes(name) ? null : (block[versionName(name)] ?? null)],
          ]
        : [[name, valueOf(field, held[name], block[name] ?? null)]],
    );
    return Object.fromEntries(attributes);
  }
}

/** @param prior null also where a default has yet to be shown, after an import. */
function valueOf(field: Field, held: unknown, prior: unknown): unknown {
  const toShow = prior === null && field.default !== undefined;
  return !toShow && sameSnapshotValue(field, held, prior) ? prior : shownValue(field, held);
}

/** How Terraform shows what the server holds. */
export function shownValue(field: Field, held: unknown): unknown {
  const value = held ?? field.default ?? null;
  return typeof value === 'number' && field.type === 'duration' ? String(value) : value;
}
