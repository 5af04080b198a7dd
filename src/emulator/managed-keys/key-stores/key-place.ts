import type { FieldValues } from '../../../model';
import type { KeyMaterial } from './key-material';

/**
 * A location in a backend that a managed key refers to, with or without a key. A backend throws a
 * KeyStoreError if it refuses the credentials, or if the location does not exist.
 */
export interface KeyPlace {
  /**
   * The text for messages, the same for all managed keys of the place: `alias/signing in
   * us-east-1`.
   */
  readonly title: string;
  /**
   * Returns the key.
   *
   * @throws KeyStoreError if the key exists and cannot be used.
   */
  find(): KeyMaterial | undefined;
  /**
   * Stores a key, and replaces the present one.
   *
   * @throws KeyStoreError if the backend does not accept keys there.
   */
  put(key: KeyMaterial): void;
}

/** Returns a text field of a managed key; the fallback if it is missing or empty. */
export function textOf(fields: FieldValues, name: string, fallback = ''): string {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : fallback;
}
