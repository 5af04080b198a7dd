import { existsSync } from 'node:fs';
import type { FieldValues } from '../../../model';
import type { FieldSchemas, FieldData } from '../../core/input/field-schemas';
import type { Storage } from '../../core/primitives/storage';
import { allNeeded, collection, givenKey, KEY_FIELDS, needed } from './collection';
import { KeyStoreError } from './errors';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyPlace, textOf } from './key-place';
import { Records } from './records';

const CREDENTIAL_FIELDS = {
  path: { type: 'string', description: "Path of a credentials file that is on the server's machine." },
} as const satisfies FieldSchemas;

const KEY_RING_FIELDS = {
  project: { type: 'string', description: 'Project of the key ring.' },
  region: { type: 'string', description: 'Region of the key ring.' },
  key_ring: { type: 'string', description: 'Name of the key ring.' },
} as const satisfies FieldSchemas;

const NEW_KEY_FIELDS = {
  ...KEY_RING_FIELDS,
  crypto_key: { type: 'string', description: 'Name of the key.' },
  crypto_key_version: { type: 'string', description: 'Version of the key. Default: 1.' },
  ...KEY_FIELDS,
} as const satisfies FieldSchemas;

type CredentialsFile = FieldData<typeof CREDENTIAL_FIELDS>;

type KeyRing = FieldData<typeof KEY_RING_FIELDS>;

interface GcpKey extends KeyMaterial {
  readonly ring: KeyRing;
  readonly crypto_key: string;
  readonly crypto_key_version: string;
}

const FIRST_VERSION = '1';
/** The project and region of the server's environment, for managed keys without their own. */
const PROJECT = 'emulator';
const REGION = 'global';

export type GcpKms = ReturnType<typeof gcpKms>;

/**
 * An emulated Google Cloud KMS. Every key ring exists until some are added; then only those exist.
 */
export function gcpKms(storage: Storage) {
  const files = new Records<CredentialsFile>(storage.view('credentials/'));
  const rings = new Records<KeyRing>(storage.view('key-rings/'));
  const knownKeys = new Records<GcpKey>(storage.view('keys/'));

  return {
    credentials: collection(files, CREDENTIAL_FIELDS, {
      make: (given) => allNeeded(CREDENTIAL_FIELDS, given),
      same: (one, other) => one.path === other.path,
      show: (file) => file,
    }),

    keyRings: collection(rings, KEY_RING_FIELDS, {
      make: (given) => allNeeded(KEY_RING_FIELDS, given),
      same: sameRing,
      show: (ring) => ring,
    }),

    keys: collection(knownKeys, NEW_KEY_FIELDS, {
      make: async (given) => {
        const { crypto_key_version = FIRST_VERSION } = given;
        const place = {
          ring: allNeeded(KEY_RING_FIELDS, given),
          crypto_key: needed(given, 'crypto_key'),
          crypto_key_version,
        };
        return { ...(await givenKey(given)), ...place };
      },
      same: (one, other) => sameKey(one, other) && one.crypto_key_version === other.crypto_key_version,
      show: ({ id, ring, crypto_key, crypto_key_version, ...key }) => {
        const { project, region, key_ring } = ring;
        return { id, project, region, key_ring, crypto_key, crypto_key_version, ...showMaterial(key) };
      },
    }),

    place: (fields: FieldValues): KeyPlace => {
      checkCredentials(files, textOf(fields, 'credentials'));
      const ring = {
        project: textOf(fields, 'project', PROJECT),
        region: textOf(fields, 'region', REGION),
        key_ring: textOf(fields, 'key_ring'),
      };
      checkRing(rings, ring);
      const crypto_key = textOf(fields, 'crypto_key');
      const crypto_key_version = textOf(fields, 'crypto_key_version', FIRST_VERSION);
      const versions = () => knownKeys.all().filter((key) => sameKey(key, { ring, crypto_key }));
      const find = () => versions().find((key) => key.crypto_key_version === crypto_key_version);
      return {
        title: `${ringName(ring)}/cryptoKeys/${crypto_key}/cryptoKeyVersions/${crypto_key_version}`,
        find,
        put: (material) => {
          const before = find();
          if (before === undefined && (versions().length > 0 || crypto_key_version !== FIRST_VERSION)) {
            throw new KeyStoreError(
              `crypto_key_version: there is no version ${JSON.stringify(crypto_key_version)} of the key, and a new ` +
                `key begins with ${JSON.stringify(FIRST_VERSION)}`,
            );
          }
          knownKeys.put({ ...material, ring, crypto_key, crypto_key_version }, before?.id);
        },
      };
    },
  };
}

function sameRing(one: KeyRing, other: KeyRing): boolean {
  return one.project === other.project && one.region === other.region && one.key_ring === other.key_ring;
}

/** Whether two records are versions of the same key. */
function sameKey(
  one: Pick<GcpKey, 'ring' | 'crypto_key'>,
  other: Pick<GcpKey, 'ring' | 'crypto_key'>,
): boolean {
  return sameRing(one.ring, other.ring) && one.crypto_key === other.crypto_key;
}

/** Returns the name of a key ring in Google's format. */
function ringName({ project, region, key_ring }: KeyRing): string {
  return `projects/${project}/locations/${region}/keyRings/${key_ring}`;
}

/**
 * @param path empty for the credentials of the server's environment, which the emulator accepts.
 */
function checkCredentials(files: Records<CredentialsFile>, path: string): void {
  if (path === '' || files.find((file) => file.path === path) !== undefined || existsSync(path)) return;
  // If the field holds the credentials themselves instead of a path, they must not be logged.
  const shown = /[{\n]/.test(path) ? 'the text in credentials' : path;
  throw new KeyStoreError(
    `error initializing GCP CKMS wrapper client: failed to create KMS client: open ${shown}: no such file or directory`,
  );
}

function checkRing(rings: Records<KeyRing>, ring: KeyRing): void {
  const known = rings.all();
  if (known.length > 0 && !known.some((each) => sameRing(each, ring))) {
    throw new KeyStoreError(`key_ring: ${ringName(ring)} does not exist (NOT_FOUND)`);
  }
}
