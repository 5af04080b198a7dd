import type { ManagedKey } from '../../client';
import {
  differingManagedKeyFields,
  MANAGED_KEY,
  MANAGED_KEY_BACKENDS,
  sameMeaning,
  type Field,
  type FieldValues,
} from '../../model';
import { importedSecrets, storedSecrets, versionName, withSecrets, withWriteOnly } from '../objects';
import { backendOf, flatten, type Values } from './backends';

/**
 * What is written of a key: what is planned, and what has to be said so that the server forgets the rest. Defaults that
 * the configuration leaves out are the server's business.
 *
 * @param stored what the server holds, side by side; nothing where there is no key yet.
 */
export function fieldsToWrite(plan: Values, config: Values, stored: Values = {}): FieldValues {
  const backend = backendOf(plan);
  const given = flatten(config, backend);
  const planned = withSecrets(backend.definition, withWriteOnly(backend, flatten(plan, backend), given));
  const fields = Object.entries(backend.definition.fields).filter(([, { identity }]) => !identity);
  return Object.fromEntries(
    fields.flatMap(([name, field]) => {
      const value = planned[name] ?? null;
      const isLeftOut = (given[name] ?? null) === null && sameMeaning(field, value, undefined);
      if (!isLeftOut) return [[name, value]];
      // A version without its secret: whoever wrote the secret takes care of it.
      if (isGiven(planned[versionName(name)])) return [];
      return isHeld(name, field, stored) ? [[name, emptyValue(field)]] : [];
    }),
  );
}

function isHeld(name: string, field: Field, stored: Values): boolean {
  if (!field.sensitive) return !sameMeaning(field, stored[name], undefined);
  return [stored[name], stored[versionName(name)]].some(isGiven);
}

function isGiven(value: unknown): boolean {
  return (value ?? null) !== null;
}

/** What clears a field: its default, or what stands for nothing. */
function emptyValue({ type, default: fallback }: Field): unknown {
  return fallback ?? (type === 'integer' ? 0 : '');
}

/** Whether the server holds what was written, as far as it tells. */
export function isAsWritten(key: ManagedKey, written: Values): boolean {
  const backend = MANAGED_KEY_BACKENDS[key.type];
  const stored = { fields: { ...key.fields, name: key.name }, hidden: key.hidden };
  return differingManagedKeyFields(backend, flatten(written, backend), stored).length === 0;
}

/** Whether somebody has deleted the key of a state and made it again. */
export function isAnother(key: ManagedKey, { uuid }: StateOfKey): boolean {
  return uuid !== null && key.uuid !== undefined && key.uuid !== uuid;
}

type StateOfKey = Values & { readonly uuid: string | null };

/** The state of an imported key, before it was read: where it is, and versions for secrets that are held. */
export function importedState<S extends StateOfKey>(location: S, { type, heldSecrets }: ManagedKey): S {
  return { ...location, [type]: importedSecrets(heldSecrets) };
}

/**
 * What a state says of a key: what it said before where that means the same, or where the server does not tell; else what
 * the server holds. Of a key that was made again nothing is known that the server does not tell.
 *
 * @param prior the state before; after an import, see {@link importedState}.
 */
export function stateOf(key: ManagedKey, prior: StateOfKey): Values {
  const backend = MANAGED_KEY_BACKENDS[key.type];
  const priorBlock = (prior[key.type] ?? {}) as Values;
  const known = isAnother(key, prior) ? {} : priorBlock;
  const blocks = Object.values(MANAGED_KEY_BACKENDS).map(({ type }) => [type, null] as const);
  return {
    ...prior,
    ...readFields(MANAGED_KEY.fields, key, prior),
    uuid: key.uuid ?? prior.uuid,
    ...Object.fromEntries(blocks),
    [key.type]: { ...readFields(backend.fields, key, priorBlock, known), ...storedSecrets(backend, known) },
  };
}

/** @param kept what stays of fields that the server does not tell. */
function readFields(
  fields: Readonly<Record<string, Field>>,
  { fields: held, hidden }: ManagedKey,
  prior: Values,
  kept: Values = prior,
): Values {
  const told: FieldValues = { ...held };
  const shown = Object.entries(fields).filter(([, { identity, sensitive }]) => !identity && !sensitive);
  return Object.fromEntries(
    shown.map(([name, field]) => [
      name,
      hidden.includes(name)
        ? (kept[name] ?? field.default ?? null)
        : readValue(name, field, told[name], prior[name] ?? null),
    ]),
  );
}

/** @param prior null also where a default has yet to be shown, after an import. */
function readValue(name: string, field: Field, held: unknown, prior: unknown): unknown {
  const toShow = prior === null && field.default !== undefined;
  return !toShow && sameMeaning(field, held, prior) ? prior : (held ?? field.default ?? null);
}
