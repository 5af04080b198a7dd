import { report } from '../messages';
import { VaultError, type ManagedKey } from '../../client';
import { MANAGED_KEY, MOUNTS_PATH, type FieldValues } from '../../model';
import { DiagnosticError } from '../../plugin';
import {
  backedState,
  objectIn,
  type StoredFields,
  type RequestContext,
  type StoredKind,
  type StoredObject,
  type AttributeValues,
  serverErrorOf,
} from '../objects';
import { inUse, uuidNotRead } from './messages';
import { KEY_IDENTIFICATION, type KeyIdentity } from './key-identification';

/** A managed key on one cluster. */
export type StoredKey = StoredObject<ManagedKey, FieldValues, KeyIdentity>;

/** How managed keys are read and written. */
export const STORED_KEY: StoredKind<ManagedKey, FieldValues, KeyIdentity> = {
  definition: MANAGED_KEY,
  identification: KEY_IDENTIFICATION,
  calls: ({ managedKeys }, { type, name }) => ({
    read: (options) => managedKeys.read(type, name, options),
    write: (fields, options) => managedKeys.write(type, name, fields, options),
    delete: (options) => managedKeys.delete(type, name, options),
  }),
};

/** The attributes of a key from the server. */
export function storedFieldsOf({ type, fields, hidden, heldSecrets }: ManagedKey): StoredFields {
  return { type, fields: { ...fields }, hidden, secrets: heldSecrets };
}

/**
 * The attributes of a key in the state. If the key was deleted and created again, the state keeps
 * only values that the server returns.
 */
export function keyState(key: ManagedKey, prior: AttributeValues): AttributeValues {
  const known = isAnother(key, prior) ? {} : undefined;
  return {
    ...backedState(MANAGED_KEY, storedFieldsOf(key), prior, known),
    uuid: key.uuid ?? prior.uuid ?? null,
  };
}

/** Whether the key in the state was deleted and created again outside of Terraform. */
export function isAnother(key: ManagedKey, { uuid }: AttributeValues): boolean {
  return (uuid ?? null) !== null && key.uuid !== undefined && key.uuid !== uuid;
}

/** Returns the UUID that the server gave a key; null, with a warning, if it cannot be read now. */
export async function uuidOf(key: StoredKey, context: RequestContext): Promise<string | null> {
  try {
    return (await key.read())?.uuid ?? null;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    report(context.diagnostics, 'warning', uuidNotRead(key.subject, error));
    return null;
  }
}

/**
 * Deletes a key.
 *
 * @throws DiagnosticError that names the mounts that list the key, if the server refuses because of
 *   them.
 */
export async function deleteKey(key: StoredKey, context: RequestContext): Promise<void> {
  try {
    await key.delete();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const mounts = await mountsThatList(key, context);
    throw mounts.length > 0 ? inUse(key.subject, mounts, error) : error;
  }
}

function isRefusal(error: unknown): error is DiagnosticError {
  return serverErrorOf(error)?.code === 'invalid_request';
}

/** Returns the paths of the mounts that list a key; empty if they could not be determined. */
async function mountsThatList(
  { identity, subject }: StoredKey,
  context: RequestContext,
): Promise<readonly string[]> {
  try {
    const client = await context.providerData.client(identity, subject.title, context);
    const mounts = await client.read(MOUNTS_PATH, { signal: context.signal });
    return Object.entries(mounts?.data ?? {})
      .filter(([, mount]) => allowedKeys(mount).includes(identity.name))
      .map(([path]) => path);
  } catch (error) {
    if (VaultError.is(error)) return [];
    throw error;
  }
}

function allowedKeys(mount: unknown): readonly unknown[] {
  const keys = objectIn(objectIn({ mount }, 'mount'), 'config').allowed_managed_keys;
  return Array.isArray(keys) ? keys : [];
}
