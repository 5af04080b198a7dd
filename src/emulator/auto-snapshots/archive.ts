import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Header, Pack, Parser, ReadEntry } from 'tar';
import {
  type Json,
  type JsonObject,
  isJsonEntry,
  isJsonObject,
  parseJson,
  stringifyJson,
} from '../core/primitives/json';
import { sha256 } from '../core/primitives/identifiers';
import type { Storage } from '../core/primitives/storage';
import { timestamp } from '../core/primitives/clock';
import type { ClusterParts } from '../core/request/parts';

/** A cluster's data at one moment. */
export interface Snapshot {
  readonly meta: SnapshotMeta;
  /** Every key of the cluster's storage, with its value. */
  readonly entries: readonly (readonly [key: string, value: Json])[];
}

export interface SnapshotMeta extends JsonObject {
  readonly Version: 1;
  readonly ID: string;
  readonly ClusterID: string;
  readonly ClusterName: string;
  /** The time in the format of RFC 3339. */
  readonly Created: string;
  /** The number of keys. */
  readonly Index: number;
}

/** The error for a snapshot that cannot be read. The message has the reason. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';

  /**
   * @param otherKey whether the snapshot was encrypted with another unseal key than the given one.
   */
  constructor(
    message: string,
    readonly otherKey = false,
  ) {
    super(message);
  }
}

/** The maximum size of a snapshot in bytes, both compressed and uncompressed. */
export const LONGEST_SNAPSHOT = 256 * 1024 * 1024;

/** The files of the archive, with the names that Vault uses. */
const META_FILE = 'meta.json';
const STATE_FILE = 'state.bin';
const SUMS_FILE = 'SHA256SUMS';

const CIPHER = 'aes-256-gcm';
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Takes a snapshot of a cluster's current data. Stored values never change, so they are not copied.
 */
export function takeSnapshot(host: SnapshotHost, time: number): Snapshot {
  const entries = host.storage.keys('').map((key) => [key, host.storage.get(key) as Json] as const);
  const { id, name } = host;
  return {
    meta: {
      Version: 1,
      ID: 'bolt-snapshot',
      ClusterID: id,
      ClusterName: name,
      Created: timestamp(time),
      Index: entries.length,
    },
    entries,
  };
}

/** Replaces the content of a cluster's storage by that of the snapshot. */
export function restoreSnapshot(storage: Storage, { entries }: Snapshot): void {
  storage.clear('');
  for (const [key, value] of entries) storage.put(key, value);
}

/**
 * Writes a snapshot as a gzipped tar archive of three files, like Vault: `meta.json` describes the
 * snapshot, `state.bin` has a line of JSON `[key, value]` for each key, and `SHA256SUMS` has the
 * checksums of both. The emulator encrypts `state.bin` with AES-256-GCM and the unseal key: nonce,
 * ciphertext, tag. Vault encrypts it like its storage.
 *
 * @param unsealKey the unseal key of the cluster, in base64.
 */
export async function packSnapshot({ meta, entries }: Snapshot, unsealKey: string): Promise<Buffer> {
  const lines = entries.map((entry) => `${stringifyJson(entry)}\n`).join('');
  const contents = {
    [META_FILE]: Buffer.from(stringifyJson(meta)),
    [STATE_FILE]: encrypt(Buffer.from(lines), unsealKey),
  };
  const sums = Object.entries(contents).map(([name, content]) => `${sha256(content)}  ${name}\n`);

  const pack = new Pack({ gzip: true, portable: true });
  for (const [path, content] of [
    ...Object.entries(contents),
    [SUMS_FILE, Buffer.from(sums.join(''))] as const,
  ]) {
    const entry = new ReadEntry(
      new Header({ path, type: 'File', mode: 0o600, size: content.length, mtime: new Date(meta.Created) }),
    );
    entry.end(content);
    pack.add(entry);
  }
  pack.end();
  return pack.concat();
}

/**
 * Reads a snapshot that an emulator wrote.
 *
 * @param unsealKey the unseal key, in base64, of the cluster that the snapshot was taken of.
 * @throws SnapshotError if the snapshot is incomplete, damaged, or of another cluster.
 */
export async function readSnapshot(archive: Buffer, unsealKey: string): Promise<Snapshot> {
  const files = await unpack(archive);
  const file = (name: string): Buffer => {
    const content = files.get(name);
    if (content === undefined) throw new SnapshotError(`the snapshot has no ${name}`);
    return content;
  };
  const sums = file(SUMS_FILE).toString();
  for (const name of [META_FILE, STATE_FILE]) {
    if (!sums.includes(`${sha256(file(name))}  ${name}\n`)) {
      throw new SnapshotError(`the snapshot's ${name} does not match ${SUMS_FILE}`);
    }
  }
  const meta = jsonOf(META_FILE, file(META_FILE).toString());
  if (!isMeta(meta)) throw new SnapshotError(`the snapshot's ${META_FILE} is not that of an emulator`);
  const lines = decrypt(file(STATE_FILE), unsealKey).toString().trimEnd().split('\n');
  const entries = lines.map((line) => jsonOf(STATE_FILE, line));
  if (!entries.every(isJsonEntry)) {
    throw new SnapshotError(`the snapshot's ${STATE_FILE} is not that of an emulator`);
  }
  return { meta, entries };
}

function jsonOf(name: string, text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw new SnapshotError(`the snapshot's ${name} is not valid JSON`);
  }
}

function isMeta(value: Json): value is SnapshotMeta {
  return (
    isJsonObject(value) &&
    value['Version'] === 1 &&
    ['ID', 'ClusterID', 'ClusterName', 'Created'].every((name) => typeof value[name] === 'string') &&
    typeof value['Index'] === 'number'
  );
}

const gunzipLimited = promisify(gunzip);

/** @throws SnapshotError if the archive is not compressed, or larger than the maximum. */
async function uncompressed(archive: Buffer): Promise<Buffer> {
  try {
    const content = await gunzipLimited(archive, { maxOutputLength: LONGEST_SNAPSHOT });
    // The tar parser would decompress the content again, without a limit.
    if (content[0] === 0x1f) throw new Error('it is compressed twice');
    return content;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new SnapshotError(
      code === 'ERR_BUFFER_TOO_LARGE'
        ? `the snapshot is too large: uncompressed, it has more than ${LONGEST_SNAPSHOT} bytes`
        : `this is not a snapshot: ${message}`,
    );
  }
}

async function unpack(archive: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const content = await uncompressed(archive);
  const contents: Promise<[string, Buffer]>[] = [];
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({ strict: true, zstd: false });
    parser.on('entry', (entry: ReadEntry) => {
      contents.push(contentOf(entry));
    });
    parser.on('end', resolve);
    parser.on('error', (error) =>
      reject(new SnapshotError(`this is not a snapshot: ${(error as Error).message}`)),
    );
    parser.end(content);
  });
  return new Map(await Promise.all(contents));
}

async function contentOf(entry: ReadEntry): Promise<[string, Buffer]> {
  return [entry.path, await entry.concat()];
}

function encrypt(plain: Buffer, unsealKey: string): Buffer {
  const nonce = randomBytes(NONCE_LENGTH);
  const encryption = createCipheriv(CIPHER, Buffer.from(unsealKey, 'base64'), nonce);
  return Buffer.concat([nonce, encryption.update(plain), encryption.final(), encryption.getAuthTag()]);
}

function decrypt(content: Buffer, unsealKey: string): Buffer {
  if (content.length < NONCE_LENGTH + TAG_LENGTH)
    throw new SnapshotError(`the snapshot's ${STATE_FILE} is not that of an emulator`);
  const decryption = createDecipheriv(
    CIPHER,
    Buffer.from(unsealKey, 'base64'),
    content.subarray(0, NONCE_LENGTH),
  );
  decryption.setAuthTag(content.subarray(-TAG_LENGTH));
  try {
    return Buffer.concat([
      decryption.update(content.subarray(NONCE_LENGTH, -TAG_LENGTH)),
      decryption.final(),
    ]);
  } catch {
    throw new SnapshotError('the unseal key does not belong to the cluster of the snapshot', true);
  }
}

/** The parts of a cluster that a snapshot is taken of. */
export interface SnapshotHost extends Pick<
  ClusterParts,
  'id' | 'name' | 'clock' | 'server' | 'storage' | 'sealed'
> {
  /** The unseal key in base64. */
  readonly unsealKey: string;
}
