import type { Field, FieldValues } from '../definition/field';
import type { ManagedKeyBackend } from './managed-key-backend';
import { isRedacted, REDACTED } from './redacted';
import { valueForm, type UsagesAs } from './value-forms';

/**
 * The text of servers' answers for an unknown backend, and for PKCS#11 without support for HSMs.
 */
export const UNSUPPORTED_MANAGED_KEY_TYPE = 'unsupported managed key type';

/**
 * The fields that servers omit from their answers if they are not set, instead of returning them
 * empty.
 */
const LEFT_OUT_FIELDS: readonly string[] = ['slot', 'force_rw_session'];

/** A managed key as a server returned it. */
export interface StoredManagedKey {
  /**
   * The id of the key. Updates do not change it, but a key that was deleted and created again has
   * another one.
   */
  readonly uuid?: string;
  /**
   * The fields that are set, normalized. Secrets are never among them, even if the server shows
   * them.
   */
  readonly fields: FieldValues;
  /**
   * The fields with unknown values: secrets, and fields that the server does not show or does not
   * have.
   */
  readonly hidden: readonly string[];
  /** The secrets that the server holds: it returns a placeholder for them. */
  readonly heldSecrets: readonly string[];
}

/**
 * Normalizes fields that people wrote or a server returned. Fields that the backend does not have
 * are left out.
 */
export function normalizeManagedKey({ definition }: ManagedKeyBackend, fields: FieldValues): FieldValues {
  return Object.fromEntries(
    Object.entries(definition.fields)
      .map(([name, field]) => [name, valueForm(name, field).fromWire(fields[name])] as const)
      .filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Reads a managed key from a server's answer. */
export function decodeManagedKey(type: ManagedKeyBackend, data: FieldValues): StoredManagedKey {
  const { fields } = type.definition;
  const shown = normalizeManagedKey(type, data);
  // Servers before the first version of a field do not return it, and have no value for it.
  const isLeftOut = (name: string) => LEFT_OUT_FIELDS.includes(name) || fields[name]?.since !== undefined;
  const isNotShown = (name: string) => shown[name] === undefined && !isLeftOut(name);
  const isHidden = (name: string) =>
    isNotShown(name) || shown[name] === REDACTED || fields[name]?.sensitive === true;
  const isHeldSecret = (name: string) =>
    fields[name]?.sensitive === true && shown[name] !== undefined && shown[name] !== '';
  const isSet = (name: string, value: unknown) => value !== '' && !(name === 'slot' && isNoSlot(data));
  const { UUID: uuid } = data;
  return {
    ...(typeof uuid === 'string' && uuid !== '' && { uuid }),
    fields: Object.fromEntries(
      Object.entries(shown).filter(([name, value]) => !isHidden(name) && isSet(name, value)),
    ),
    hidden: Object.keys(fields).filter(isHidden),
    heldSecrets: Object.keys(fields).filter(isHeldSecret),
  };
}

/**
 * Whether no slot was configured. Servers may return 0 for it, but 0 is also the number of a slot:
 * with a token label, it means that no slot is set.
 */
function isNoSlot({ slot, token_label: label }: FieldValues): boolean {
  return slot === 0 && label !== undefined && label !== '';
}

/**
 * Returns the fields of a request, as the interface document writes them. An absent field stays
 * absent.
 */
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

/**
 * Returns a server's answer: typed values, defaults for fields that are not set, and redacted
 * secrets.
 */
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
