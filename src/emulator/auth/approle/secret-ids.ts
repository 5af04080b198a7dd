import { type EmulatorClock, timestamp } from '../../core/primitives/clock';
import { codedError } from '../../core/errors';
import { sha256, uuid } from '../../core/primitives/identifiers';
import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';

/** A secret id without the secret. Times are milliseconds since 1970. */
export interface SecretId extends JsonObject {
  readonly accessor: string;
  /** Uses left; 0 means no limit. */
  readonly usesLeft: number;
  /** The requested TTL in seconds; 0 means no limit. */
  readonly ttl: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly updatedAt: number;
  readonly metadata: Readonly<Record<string, string>>;
  readonly cidrs: readonly string[];
  readonly tokenCidrs: readonly string[];
}

/** The secret ids of one role. They are stored as hashes, and removed after they expire. */
export class SecretIds {
  readonly #storage: Storage;

  readonly #clock: EmulatorClock;

  constructor(mountStorage: Storage, roleName: string, clock: EmulatorClock) {
    this.#clock = clock;
    this.#storage = mountStorage.view(`secret-id/${roleName}/`);
  }

  /** @throws LogicalError 500 if the secret is registered already. */
  register(
    secret: string,
    entry: Pick<SecretId, 'usesLeft' | 'ttl' | 'metadata' | 'cidrs' | 'tokenCidrs'>,
    lifetimeSeconds: number,
  ): SecretId {
    if (this.get(secret) !== undefined) {
      throw codedError(500, 'failed to store secret_id: SecretID is already registered');
    }
    const now = this.#clock.now();
    const secretId: SecretId = {
      ...entry,
      accessor: uuid(),
      createdAt: now,
      expiresAt: lifetimeSeconds === 0 ? null : now + lifetimeSeconds * 1000,
      updatedAt: now,
    };
    this.#storage.put(sha256(secret), secretId);
    return secretId;
  }

  get(secret: string): SecretId | undefined {
    return this.#live(sha256(secret));
  }

  byAccessor(accessor: string): SecretId | undefined {
    return this.all().find((entry) => entry.accessor === accessor);
  }

  all(): SecretId[] {
    return this.#storage
      .list('')
      .map((key) => this.#live(key))
      .filter((entry) => entry !== undefined);
  }

  /** Counts a use of a secret id whose uses are limited; the last use removes the secret id. */
  use(secret: string, entry: SecretId): void {
    if (entry.usesLeft === 1) this.#storage.delete(sha256(secret));
    else if (entry.usesLeft > 1) {
      this.#storage.put(sha256(secret), {
        ...entry,
        usesLeft: entry.usesLeft - 1,
        updatedAt: this.#clock.now(),
      });
    }
  }

  destroy(accessor: string): void {
    for (const key of this.#storage.list('')) {
      if (this.#storage.get<SecretId>(key)?.accessor === accessor) this.#storage.delete(key);
    }
  }

  destroyAll(): void {
    this.#storage.clear('');
  }

  #live(key: string): SecretId | undefined {
    const entry = this.#storage.get<SecretId>(key);
    if (entry === undefined || entry.expiresAt === null || entry.expiresAt > this.#clock.now()) return entry;
    this.#storage.delete(key);
    return undefined;
  }
}

/** Returns the fields that lookups show of a secret id. */
export function describeSecretId(entry: SecretId): JsonObject {
  return {
    cidr_list: entry.cidrs,
    creation_time: timestamp(entry.createdAt),
    expiration_time: entry.expiresAt === null ? '0001-01-01T00:00:00Z' : timestamp(entry.expiresAt),
    last_updated_time: timestamp(entry.updatedAt),
    metadata: entry.metadata,
    secret_id_accessor: entry.accessor,
    secret_id_num_uses: entry.usesLeft,
    secret_id_ttl: entry.ttl,
    token_bound_cidrs: entry.tokenCidrs,
  };
}
