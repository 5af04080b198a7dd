import type { AutoSnapshot, AutoSnapshotFields } from '../../client';
import {
  AUTO_SNAPSHOT,
  AUTO_SNAPSHOT_BACKENDS,
  autoSnapshotOf,
  differingFields,
  emptyValue,
  parseDuration,
  sameMeaning,
  secretFields,
  type FieldValues,
} from '../../model';
import {
  backedState,
  backendIn,
  backendsIn,
  flatten,
  givenIn,
  objectIn,
  secretsIn,
  versionName,
  writeOnlyName,
  type StoredFields,
  type AttributeValues,
} from '../objects';

/** The fields of a plan and its configuration, with defaults for the missing ones. */
export function fieldsToWrite(plan: AttributeValues, config: AttributeValues): AutoSnapshotFields {
  const { fields } = backendIn(AUTO_SNAPSHOT, plan).definition;
  const given = givenIn(AUTO_SNAPSHOT, plan, config);
  const written = Object.entries(fields)
    .filter(([, { identity }]) => !identity)
    .map(([name, field]) => [name, given[name] ?? field.default] as const)
    .filter(([, value]) => value !== undefined);
  // The schema guarantees that the values have the types of the definition.
  const values = Object.fromEntries(written) as AutoSnapshotFields;
  return { ...values, interval: Math.trunc(parseDuration(values.interval)) };
}

/** The write-only secrets of a configuration, by the names of the model. */
export function writeOnlySecrets(
  plan: AttributeValues,
  config: AttributeValues,
): ReadonlyMap<string, string> {
  const backend = backendIn(AUTO_SNAPSHOT, plan);
  const given = flatten(AUTO_SNAPSHOT, config, backend);
  const names = secretFields(backend);
  return secretsIn(backend, Object.fromEntries(names.map((name) => [name, given[writeOnlyName(name)]])));
}

/** The secrets of the server's configuration, which it returns in plain text. */
export function serverSecrets(stored: AutoSnapshot): ReadonlyMap<string, string> {
  return secretsIn(AUTO_SNAPSHOT_BACKENDS[stored.storage_type], { ...stored });
}

/** The attributes of a configuration as the server returned them. */
export function storedFieldsOf(stored: AutoSnapshot): StoredFields {
  return { type: stored.storage_type, fields: { ...stored }, secrets: [...serverSecrets(stored).keys()] };
}

/**
 * Whether the server holds the written values. A secret is not compared if its written value is not
 * known any more.
 */
export function holds(stored: AutoSnapshot, wanted: AttributeValues, config: AttributeValues): boolean {
  const { fields } = backendIn(AUTO_SNAPSHOT, wanted).definition;
  const written: FieldValues = fieldsToWrite(wanted, config);
  const differing = differingFields(fields, { ...stored }, { ...written, name: stored.name });
  return differing.every((name) => fields[name]?.sensitive === true && !(name in written));
}

/**
 * The attributes of a configuration in the state. Secrets that the server holds are compared, and
 * never stored.
 *
 * @param changed the write-only secrets that were changed outside of Terraform: without a version,
 * they are planned again.
 */
export function snapshotState(
  stored: AutoSnapshot,
  prior: AttributeValues,
  changed: readonly string[],
): AttributeValues {
  const { block, fields } = AUTO_SNAPSHOT_BACKENDS[stored.storage_type];
  const values: FieldValues = { ...stored };
  const before = objectIn(prior, block);
  const drifted = Object.entries(fields)
    .filter(
      ([name, field]) => (before[name] ?? null) !== null && !sameMeaning(field, values[name], before[name]),
    )
    .map(([name]) => name);
  return backedState(AUTO_SNAPSHOT, storedFieldsOf(stored), prior, without(before, [...changed, ...drifted]));
}

/** Returns a block without some of its fields, and without the versions of these fields. */
function without(block: AttributeValues, fields: readonly string[]): AttributeValues {
  const forgotten = fields.flatMap((name) => [name, versionName(name)]);
  return Object.fromEntries(Object.entries(block).filter(([name]) => !forgotten.includes(name)));
}

/**
 * Returns the fields of a write to an existing configuration. The server keeps absent fields, so
 * removed fields are written as empty.
 *
 * @param foreign the secrets that Terraform does not manage. They are written unchanged.
 */
export function overwriting(
  stored: AutoSnapshot,
  wanted: AutoSnapshotFields,
  foreign: readonly string[],
): AutoSnapshotFields {
  const values: FieldValues = { ...stored };
  const left = Object.entries(autoSnapshotOf(stored.storage_type).fields).filter(
    ([name, field]) => !field.identity && !(name in wanted) && !sameMeaning(field, values[name], undefined),
  );
  const rest: FieldValues = Object.fromEntries(
    left.map(([name, field]) => [name, foreign.includes(name) ? values[name] : emptyValue(field)]),
  );
  return { ...rest, ...wanted };
}

/**
 * The secrets that neither the present nor the previous configuration sets, because someone else
 * manages them. A secret is included as well if the configuration has only its version.
 */
export function foreignSecrets(plan: AttributeValues, state: AttributeValues): readonly string[] {
  const backend = backendIn(AUTO_SNAPSHOT, plan);
  if (!backendsIn(AUTO_SNAPSHOT, state).includes(backend)) return [];
  const [planned, before] = [objectIn(plan, backend.block), objectIn(state, backend.block)];
  return secretFields(backend).filter(
    (name) => isSet(planned, versionName(name)) || !(isSet(before, name) || isSet(before, versionName(name))),
  );
}

function isSet(block: AttributeValues, attribute: string): boolean {
  return (block[attribute] ?? null) !== null;
}
