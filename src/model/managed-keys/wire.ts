import type { Field, FieldValues } from '../definition/field';
import type { ManagedKeyBackend } from './backend';
import { isRedacted, REDACTED } from './redacted';
import { valueForm, type UsagesAs } from './value-forms';

/** In what servers answer where they do not know a backend: an unknown one, or PKCS#11 without support for HSMs. */
export const UNSUPPORTED_MANAGED_KEY_TYPE = 'unsupported managed key type';

/** What servers leave out of their answers where it is not set, instead of showing that it is empty. */
const LEFT_OUT_FIELDS: readonly string[] = ['slot', 'force_rw_session'];

/** A managed key as a server gives it back. */
export interface StoredManagedKey {
  /** Stays over updates; a key that was deleted and made again has another one. */
  readonly uuid?: string;
  /** The fields that say something, in the one form. Secrets are never among them, even where the server shows them. */
  readonly fields: FieldValues;
  /** The fields of which nothing is told: secrets, what the server keeps to itself, and what it does not know. */
  readonly hidden: readonly string[];
  /** The secrets that the server holds, by its own account: it shows something in their place. */
  readonly heldSecrets: readonly string[];
}

/** Brings fields as people write them, or as servers answer, into the one form. Fields that the backend has not are left out. */
export function normalizeManagedKey({ definition }: ManagedKeyBackend, fields: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(definition.fields)
      .map(([name, field]) => [name, valueForm(name, field).fromWire(fields[name])] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Reads what a server answers. */
export function decodeManagedKey(type: ManagedKeyBackend, data: FieldValues): StoredManagedKey {
  const { fields } = type.definition;
  const told = normalizeManagedKey(type, data);
  // Servers before the version of a field do not show it, and hold nothing in it.
  const isLeftOut = (name: string) => LEFT_OUT_FIELDS.includes(name) || fields[name]?.since !== undefined;
  const isUntold = (name: string) => told[name] === undefined && !isLeftOut(name);
  const isHidden = (name: string) =>
    isUntold(name) || told[name] === REDACTED || fields[name]?.sensitive === true;
  const isHeldSecret = (name: string) =>
    fields[name]?.sensitive === true && told[name] !== undefined && told[name] !== '';
  const says = (name: string, value: unknown) => value !== '' && !(name === 'slot' && isNoSlot(data));
  const { UUID: uuid } = data;
  return {
    ...(typeof uuid === 'string' && uuid !== '' && { uuid }),
    fields: Object.fromEntries(
      Object.entries(told).filter(([name, value]) => !isHidden(name) && says(name, value)),
    ),
    hidden: Object.keys(fields).filter(isHidden),
    heldSecrets: Object.keys(fields).filter(isHeldSecret),
  };
}

/** A slot that was never given may be shown as 0, which is also the number of a slot. */
function isNoSlot({ slot, token_label: label }: FieldValues): boolean {
  return slot === 0 && label !== undefined && label !== '';
}

/** The fields of a request, as the interface document writes them. What is left out stays out. */
export function encodeManagedKey({ definition }: ManagedKeyBackend, fields: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(definition.fields)
      .filter(
        ([name, { identity }]) => identity !== true && fields[name] !== undefined && fields[name] !== null,
      )
      .map(([name, field]) => {
        const { fromWire, toRequest } = valueForm(name, field);
        return [name, toRequest(fromWire(fields[name]))];
      }),
  );
}

/** What a server answers: typed, with defaults for what is not set, and with secrets redacted. */
export function showManagedKey(
  { type, definition }: ManagedKeyBackend,
  fields: FieldValues,
  uuid: string,
  usagesAs: UsagesAs,
): FieldValues {
  const isSet = (name: string) => fields[name] !== undefined && fields[name] !== '';
  const show = (name: string, field: Field) =>
    isSet(name) && isRedacted(name, field)
      ? REDACTED
      : valueForm(name, field).toAnswer(fields[name] ?? field.default, usagesAs);
  const shown = Object.entries(definition.fields)
    .filter(([name]) => isSet(name) || !LEFT_OUT_FIELDS.includes(name))
    .map(([name, field]) => [name, show(name, field)] as const);
  return { UUID: uuid, type, ...Object.fromEntries(shown) };
}
