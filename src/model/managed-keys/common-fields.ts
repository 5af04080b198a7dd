import type { Field } from '../definition/field';
import { sameBy } from '../definition/same-meaning';
import type { ValuesOf } from '../definition/typed-values';
import { DEFAULT_KEY_USAGES, KEY_USAGES, normalizeKeyUsages } from './usages';

/** The fields of every managed key, whatever its backend. */
export const COMMON_FIELDS = {
  name: {
    type: 'string',
    required: true,
    identity: true,
    doc: 'Name of the managed key, in lower case. It is unique among the managed keys of all backends in the namespace.',
  },
  allow_generate_key: {
    type: 'boolean',
    default: false,
    doc: 'Allows the server to generate the key in the backend if it does not exist.',
  },
  allow_replace_key: {
    type: 'boolean',
    default: false,
    doc: 'Allows the server to replace an existing key, by generating or importing one.',
  },
  allow_store_key: {
    type: 'boolean',
    default: false,
    doc: 'Allows the server to store one of its own private keys in the backend.',
  },
  any_mount: {
    type: 'boolean',
    default: false,
    doc:
      'Allows every mount in the namespace to use the key. Otherwise, a mount must list the name of the key in its ' +
      '`allowed_managed_keys`.',
  },
  usages: {
    type: 'string_set',
    default: DEFAULT_KEY_USAGES,
    sameMeaning: sameBy((usages) => String(normalizeKeyUsages(usages))),
    doc:
      `What the key may be used for: any of ${KEY_USAGES.map((usage) => `\`${usage}\``).join(', ')} (servers also call the last ` +
      'one `generate_random`).',
  },
} as const satisfies Readonly<Record<string, Field>>;
export type CommonValues = Omit<ValuesOf<typeof COMMON_FIELDS>, 'name'>;
