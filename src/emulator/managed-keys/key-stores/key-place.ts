import type { FieldValues } from '../../../model';
import type { KeyMaterial } from './key-material';

/**
 * A place in a backend where a key is, or could be: what a managed key means. Asking a backend for one throws a
 * KeyStoreError where it refuses the credentials, or has no such place.
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
