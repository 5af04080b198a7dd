import { refusal, type Assumption } from './assumption';

/** The behavior of managed keys that public sources leave open. */
export const MANAGED_KEY_ASSUMPTIONS = {
  hsmBuilds: {
    open: 'Which builds of the server have `pkcs11` managed keys.',
    alternatives: {
      enterprise: {
        says:
          'Those with `hsm` in their name, and plain `+ent` as well, so that the default version has all backends. ' +
          'Others, such as `+ent.fips1403`, refuse the type.',
        includes: (version: string) => /\+ent($|.*hsm)/.test(version),
      },
      hsm: {
        says: 'Those with `hsm` in their name.',
        includes: (version: string) => /\+ent.*hsm/.test(version),
      },
    },
  },
  managedKeyNamespaces: {
    open: 'Whether managed keys can be written outside the root namespace: the documentation says both.',
    alternatives: {
      everywhere: {
        says: 'Every namespace has its own managed keys, in all versions.',
        rootNamespaceOnly: false,
      },
      root: { says: 'Managed keys exist only in the root namespace.', rootNamespaceOnly: true },
    },
  },
  managedKeyWrites: {
    open: 'What an update of a managed key does to fields that it leaves out.',
    alternatives: {
      merge: {
        says: 'They keep their values; an empty text clears one.',
        merge: <Fields extends object>(before: Fields, sent: Fields): Fields => ({ ...before, ...sent }),
      },
      replace: {
        says: 'They get their defaults.',
        merge: <Fields extends object>(_before: Fields, sent: Fields): Fields => sent,
      },
    },
  },
  managedKeyNames: {
    open: 'What the server does with upper-case letters in the names of managed keys.',
    alternatives: {
      folded: { says: 'Names are folded to lower case, with a warning.', refused: false },
      refused: { says: 'Names with upper case are refused with 400.', refused: true },
    },
  },
  managedKeyNameTaken: refusal(
    "The refusal of a managed key's name that another backend has taken.",
    'with a text that names the backend.',
    (name: string, type: string) =>
      `managed key name "${name}" is in use by a key of type ${type}; names are unique across all types`,
  ),
  managedKeyInUse: refusal(
    'The refusal to delete a managed key that mounts list in `allowed_managed_keys`.',
    "with a text that names the mounts. Mounts of the key's own namespace count, in all versions.",
    (name: string, mounts: readonly string[]) =>
      `cannot delete managed key "${name}": it is listed in allowed_managed_keys of the mounts ${mounts.join(', ')}`,
  ),
  testSignFailed: refusal(
    'The refusal of a test signature that fails.',
    'with the reason, which names the field if one is at fault.',
    (name: string, reason: string) => `managed key "${name}": ${reason}`,
  ),
  testSignMissing: refusal(
    'The refusal of a test signature with a managed key that does not exist.',
    'with a text that names the key.',
    (name: string) => `no managed key named "${name}" of this type`,
    404,
  ),
  testSignUsages: {
    open: 'The usages that a test signature requires.',
    alternatives: {
      sign: { says: 'Only `sign`, although the signature is also verified.', required: ['sign'] },
      both: { says: '`sign` and `verify`.', required: ['sign', 'verify'] },
    },
  },
} as const satisfies Readonly<Record<string, Assumption>>;
