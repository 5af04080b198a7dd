import { existsSync } from 'node:fs';
import type { FieldValues } from '../../../model';
import { assumptions } from '../../assumptions';
import type { Decoded, FieldSchemas } from '../../core/fields';
import type { JsonObject } from '../../core/json';
import type { Storage } from '../../core/storage';
import { type Collection, givenKey, keyFields, needed } from './collection';
import { KeyStoreError } from './error';
import { type KeyMaterial, showMaterial } from './key-material';
import { type KeyBackend, type KeyPlace, textOf } from './key-place';
import { Records, type Stored } from './records';

const credentialFields = {
  path: { type: 'string', description: "Path of a credentials file that is on the server's machine." },
} as const satisfies FieldSchemas;

const keyRingFields = {
  project: { type: 'string', description: 'Project of the key ring.' },
  region: { type: 'string', description: 'Region of the key ring.' },
  key_ring: { type: 'string', description: 'Name of the key ring.' },
} as const satisfies FieldSchemas;

const newKeyFields = {
  ...keyRingFields,
  crypto_key: { type: 'string', description: 'Name of the key.' },
  crypto_key_version: { type: 'string', description: 'Version of the key. Default: 1.' },
  ...keyFields,
} as const satisfies FieldSchemas;

interface CredentialsFile extends JsonObject {
  readonly path: string;
}

interface KeyRing extends JsonObject {
  readonly project: string;
  readonly region: string;
  readonly key_ring: string;
}

interface GcpKey extends KeyMaterial, KeyRing {
  readonly crypto_key: string;
  readonly crypto_key_version: string;
  readonly [field: string]: string | number;
}

const firstVersion = '1';

/** Google Cloud KMS without Google. All key rings are there until some are filled in, and then only those. */
export class GcpKms implements KeyBackend {
  private readonly fileRecords: Records<CredentialsFile>;
  private readonly ringRecords: Records<KeyRing>;
  private readonly keyRecords: Records<GcpKey>;

  constructor(storage: Storage) {
    this.fileRecords = new Records(storage.view('credentials/'));
    this.ringRecords = new Records(storage.view('key-rings/'));
    this.keyRecords = new Records(storage.view('keys/'));
  }

  readonly credentials: Collection<typeof credentialFields, Stored<CredentialsFile>> = {
    fields: credentialFields,
    add: async (given) => {
      const path = needed(given, 'path');
      return this.fileRecords.find((file) => file.path === path) ?? this.fileRecords.put({ path });
    },
    list: () => this.fileRecords.all(),
    remove: (id) => this.fileRecords.remove(id),
  };

  readonly keyRings: Collection<typeof keyRingFields, Stored<KeyRing>> = {
    fields: keyRingFields,
    add: async (given) => {
      const ring = keyRing(given);
      return this.ringRecords.find((known) => sameRing(known, ring)) ?? this.ringRecords.put(ring);
    },
    list: () => this.ringRecords.all(),
    remove: (id) => this.ringRecords.remove(id),
  };

  readonly keys: Collection<typeof newKeyFields, ReturnType<typeof showKey>> = {
    fields: newKeyFields,
    add: async (given) => {
      const ring = keyRing(given);
      const crypto_key = needed(given, 'crypto_key');
      const crypto_key_version = given.crypto_key_version ?? firstVersion;
      const material = await givenKey(given);
      return showKey(this.keyRecords.put({ ...material, ...ring, crypto_key, crypto_key_version }));
    },
    list: () => this.keyRecords.all().map(showKey),
    remove: (id) => this.keyRecords.remove(id),
  };

  place(fields: FieldValues): KeyPlace {
    this.checkCredentials(fields);
    const { project, region } = assumptions.gcpSurroundings;
    const ring = {
      project: textOf(fields, 'project', project),
      region: textOf(fields, 'region', region),
      key_ring: textOf(fields, 'key_ring'),
    };
    const crypto_key = textOf(fields, 'crypto_key');
    const crypto_key_version = textOf(fields, 'crypto_key_version', firstVersion);
    this.checkRing(ring);
    const versions = () =>
      this.keyRecords.all().filter((key) => sameRing(key, ring) && key.crypto_key === crypto_key);
    const find = () => versions().find((key) => key.crypto_key_version === crypto_key_version);
    return {
      title: `${ringName(ring)}/cryptoKeys/${crypto_key}/cryptoKeyVersions/${crypto_key_version}`,
      find,
      put: (material) => {
        const before = find();
        if (before === undefined && (versions().length > 0 || crypto_key_version !== firstVersion)) {
          throw new KeyStoreError(
            `crypto_key_version: there is no version ${JSON.stringify(crypto_key_version)} of the key, and a new key begins with ${JSON.stringify(firstVersion)}`,
          );
        }
        this.keyRecords.put({ ...material, ...ring, crypto_key, crypto_key_version }, before?.id);
      },
    };
  }

  private checkCredentials(fields: FieldValues): void {
    const path = textOf(fields, 'credentials');
    // Without a path the server's own environment is asked, which works.
    if (path === '') return;
    if (this.fileRecords.find((file) => file.path === path) !== undefined || existsSync(path)) return;
    // Whoever writes the credentials themselves must not find them in a log.
    const shown = /[{\n]/.test(path) ? 'the text in credentials' : path;
    throw new KeyStoreError(
      `error initializing GCP CKMS wrapper client: failed to create KMS client: open ${shown}: no such file or directory`,
    );
  }

  private checkRing(ring: KeyRing): void {
    const known = this.ringRecords.all();
    if (known.length > 0 && !known.some((each) => sameRing(each, ring))) {
      throw new KeyStoreError(`key_ring: ${ringName(ring)} does not exist (NOT_FOUND)`);
    }
  }
}

/** As Google names it. */
function ringName({ project, region, key_ring }: KeyRing): string {
  return `projects/${project}/locations/${region}/keyRings/${key_ring}`;
}

function keyRing(given: Partial<Decoded<typeof keyRingFields>>): KeyRing {
  return {
    project: needed(given, 'project'),
    region: needed(given, 'region'),
    key_ring: needed(given, 'key_ring'),
  };
}

function sameRing(one: KeyRing, other: KeyRing): boolean {
  return one.project === other.project && one.region === other.region && one.key_ring === other.key_ring;
}

function showKey({ id, project, region, key_ring, crypto_key, crypto_key_version, ...key }: Stored<GcpKey>) {
  return {
    id,
    project,
    region,
    key_ring,
    crypto_key,
    crypto_key_version,
    ...showMaterial(key),
  };
}
