import type { AutoSnapshotFields } from '../../client';
import { parseDuration, AUTO_SNAPSHOT_BACKENDS, type AutoSnapshotBackend } from '../../model';
import { isKnown, UNKNOWN, type Unknown } from '../../plugin';
import { blocksIn, secretFields, withSecrets, withWriteOnly, writeOnlyName, type Choice } from '../objects';

/** A configuration, plan or state as Terraform has it: common attributes, and one block for the storage. */
export type Values = Readonly<Record<string, unknown>>;

export const STORAGE_TYPES = Object.values(AUTO_SNAPSHOT_BACKENDS);

/** The block of a storage says the storage type. */
export const STORAGE_BLOCKS: Choice = {
  attribute: 'storage_type',
  blocks: STORAGE_TYPES.map(({ block }) => block),
};

/** The storage types whose blocks are given: of a configuration that is valid, one. */
export function storageTypesIn(values: Values): readonly AutoSnapshotBackend[] {
  const given = blocksIn(values, STORAGE_BLOCKS.blocks);
  return STORAGE_TYPES.filter(({ block }) => given.includes(block));
}

/** The storage type of values that are known to have one. */
export function storageTypeOf(values: Values): AutoSnapshotBackend {
  const [storage] = storageTypesIn(values);
  if (!storage) throw new Error('every automated snapshot has the block of a storage');
  return storage;
}

/** The name of the storage type that a plan has a block for, as far as its blocks are known. */
export function plannedStorageType(plan: Values): string | Unknown {
  const [storage] = storageTypesIn(plan);
  return storage && isKnown(plan[storage.block]) ? storage.type : UNKNOWN;
}

/** The attributes of the block of a storage; none where there is no such block. */
export function blockIn(values: Values, { block }: AutoSnapshotBackend): Values {
  return (values[block] ?? {}) as Values;
}

/** Common attributes and those of the block side by side. */
export function flatten(values: Values, storage: AutoSnapshotBackend): Values {
  return { ...values, storage_type: storage.type, ...blockIn(values, storage) };
}

/** What is to be written: the plan, with the secrets that only the configuration has. */
export function toWrite(plan: Values, config: Values): Values {
  const storage = storageTypeOf(plan);
  const block = withWriteOnly(storage, blockIn(plan, storage), blockIn(config, storage));
  return { ...plan, [storage.block]: block };
}

/** The fields that a plan or a state gives, with the defaults of those that it leaves out. */
export function fieldsOf(values: Values): AutoSnapshotFields {
  const storage = storageTypeOf(values);
  const { fields } = storage.definition;
  const given = withSecrets(storage.definition, flatten(values, storage));
  const written = Object.entries(fields)
    .filter(([, { identity }]) => !identity)
    .map(([name, field]) => [name, given[name] ?? field.default] as const)
    .filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(written) as unknown as AutoSnapshotFields),
    interval: Math.trunc(parseDuration(given.interval as string)),
  };
}

/** The secrets of what is to be written that are stored nowhere but on the server, by the model's names. */
export function writeOnlySecrets(values: Values): Readonly<Record<string, string>> {
  const storage = storageTypeOf(values);
  const block = blockIn(values, storage);
  const secrets = secretFields(storage).map((name) => [name, block[writeOnlyName(name)] ?? ''] as const);
  return Object.fromEntries(secrets.filter((secret): secret is [string, string] => secret[1] !== ''));
}
