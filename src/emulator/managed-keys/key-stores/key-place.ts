import type { FieldValues } from '../../../model';
import type { KeyMaterial } from './key-material';

/**
 * A location in a backend that a managed key refers to, with or without a key. A backend throws a KeyStoreError if it refuses
 * the credentials, or if the location does not exist.
 */
export interface KeyPlace {
  /** The place in words, the same for whoever means it: `alias/signing in us-east-1`. */
  readonly title: string;
  /** The key there. @throws KeyStoreError if there is one that cannot be used. */
  find(): KeyMaterial | undefined;
  /** Puts a key there, instead of any that was. @throws KeyStoreError if the backend takes no key there. */
  put(key: KeyMaterial): void;
}

/** A text field of a managed key; the fallback where it is left out or empty. */
export function textOf(fields: FieldValues, name: string, fallback = ''): string {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : fallback;
}
