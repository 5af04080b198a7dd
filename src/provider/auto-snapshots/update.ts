import type { AutoSnapshot, AutoSnapshotFields } from '../../client';
import { autoSnapshotOf, differingFields, emptyValue, sameMeaning, type FieldValues } from '../../model';
import { secretFields, versionName } from '../objects';
import { blockIn, storageTypesIn, type Values } from './values';

/** Whether the server holds what was written. Secrets that are not known any more may be any. */
export function holds(stored: AutoSnapshot, written: AutoSnapshotFields): boolean {
  const definition = autoSnapshotOf(written.storage_type);
  const forgotten = secretFields(definition).filter((name) => !(name in written));
  const differing = differingFields(definition.fields, { ...stored }, { ...written, name: stored.name });
  return differing.every((name) => forgotten.includes(name));
}

/**
 * What is to be written over what the server holds: it keeps the fields that a write leaves out, so that those which
 * are not wanted any more have to be cleared.
 *
 * @param foreign the secrets that are none of Terraform's business. They are written as they are.
 */
export function overwriting(
  stored: AutoSnapshot,
  wanted: AutoSnapshotFields,
  foreign: readonly string[],
): AutoSnapshotFields {
  const held: FieldValues = { ...stored };
  const left = Object.entries(autoSnapshotOf(stored.storage_type).fields).filter(
    ([name, field]) => !field.identity && !(name in wanted) && !sameMeaning(field, held[name], undefined),
  );
  const rest = left.map(([name, field]) => [name, foreign.includes(name) ? held[name] : emptyValue(field)]);
  return { ...(Object.fromEntries(rest) as FieldValues), ...wanted };
}

/**
 * The secrets that the configuration does not give, and did not give before: whoever wrote them takes care of them. A
 * version without its secret says as much.
 */
export function foreignSecrets(plan: Values, state: Values): readonly string[] {
  const [storage] = storageTypesIn(plan);
  if (!storage || !storageTypesIn(state).includes(storage)) return [];
  const [planned, before] = [blockIn(plan, storage), blockIn(state, storage)];
  return secretFields(storage).filter(
    (name) => isSet(planned, versionName(name)) || !(isSet(before, name) || isSet(before, versionName(name))),
  );
}

function isSet(block: Values, attribute: string): boolean {
  return (block[attribute] ?? null) !== null;
}
