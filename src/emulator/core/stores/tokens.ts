import type { LoginLimits, Namespace, TokenEntry } from '../backend';
import type { EmulatorClock } from '../primitives/clock';
import { newAccessor, randomText } from '../primitives/identifiers';
import type { Storage } from '../primitives/storage';
import { type MountTtls, calculateTtl } from './ttl';

/** The properties of a new token. TTLs are in seconds. */
interface TokenRequest {
  /** The token's text if the caller chose it. Default: a generated one. */
  readonly id?: string;
  readonly type?: TokenEntry['type'];
  readonly namespace: Namespace;
  readonly policies: readonly string[];
  readonly displayName: string;
  readonly path: string;
  /** The parent's id; absent for orphans. */
  readonly parent?: string;
  readonly role?: string;
  readonly entityId?: string;
  readonly boundCidrs?: readonly string[];
  readonly metadata?: Readonly<Record<string, string>> | null;
  /** The TTL; 0 for a token that does not expire. */
  readonly ttlSeconds: number;
  readonly explicitMaxTtlSeconds?: number;
  readonly maxTtlSeconds?: number;
  readonly periodSeconds?: number;
  readonly renewable?: boolean;
  readonly numUses?: number;
}

const STORAGE_PREFIX = 'core/tokens/';

/** The tokens of a cluster. Expired tokens are removed when they are accessed. */
export class TokenStore {
  readonly #byId = new Map<string, TokenEntry>();
  readonly #idByAccessor = new Map<string, string>();
  readonly #childrenOf = new Map<string, Set<string>>();

  readonly #storage: Storage;
  readonly #clock: EmulatorClock;
  /** Called after a token was removed. */
  readonly #onRevoke: (token: TokenEntry) => void;

  constructor(
    storage: Storage,
    clock: EmulatorClock,

    onRevoke: (token: TokenEntry) => void,
  ) {
    this.#storage = storage;
    this.#clock = clock;
    this.#onRevoke = onRevoke;
    this.load();
  }

  /** Loads all tokens from the storage again. */
  load(): void {
    this.#byId.clear();
    this.#idByAccessor.clear();
    this.#childrenOf.clear();
    for (const id of this.#storage.keys(STORAGE_PREFIX)) {
      const entry = this.#storage.get<TokenEntry>(STORAGE_PREFIX + id);
      if (entry !== undefined) this.#remember(entry);
    }
  }

  create(request: TokenRequest): TokenEntry {
    const type = request.type ?? 'service';
    const now = this.#clock.now();
    const entry: TokenEntry = {
      id: request.id ?? newId(type, request.namespace),
      accessor: type === 'batch' ? '' : newAccessor() + suffix(request.namespace),
      type,
      namespaceId: request.namespace.id,
      displayName: request.displayName,
      policies: request.policies,
      metadata: request.metadata ?? null,
      path: request.path,
      parent: request.parent ?? '',
      ...(request.role !== undefined && { role: request.role }),
      ...(request.entityId !== undefined && { entityId: request.entityId }),
      ...(request.boundCidrs !== undefined && { boundCidrs: request.boundCidrs }),
      createdAt: now,
      ...(request.ttlSeconds > 0 && { expiresAt: now + request.ttlSeconds * 1000 }),
      creationTtlSeconds: request.ttlSeconds,
      explicitMaxTtlSeconds: request.explicitMaxTtlSeconds ?? 0,
      maxTtlSeconds: request.maxTtlSeconds ?? 0,
      periodSeconds: request.periodSeconds ?? 0,
      renewable: type === 'service' && request.ttlSeconds > 0 && (request.renewable ?? true),
      usesLeft: request.numUses ?? 0,
    };
    this.#store(entry);
    return entry;
  }

  /** Returns a valid token: neither it nor an ancestor has expired or was revoked. */
  lookup(id: string): TokenEntry | undefined {
    const entry = this.#byId.get(id);
    if (entry === undefined) return undefined;
    const ended = entry.expiresAt !== undefined && entry.expiresAt <= this.#clock.now();
    if (ended || (entry.parent !== '' && this.lookup(entry.parent) === undefined)) {
      this.revoke(entry);
      return undefined;
    }
    return entry;
  }

  byAccessor(accessor: string): TokenEntry | undefined {
    const id = this.#idByAccessor.get(accessor);
    return id === undefined ? undefined : this.lookup(id);
  }

  /** Returns all valid tokens of a namespace, oldest first. */
  list(namespace: Namespace): TokenEntry[] {
    return [...this.#byId.keys()]
      .map((id) => this.lookup(id))
      .filter((entry): entry is TokenEntry => entry?.namespaceId === namespace.id);
  }

  /**
   * Counts a use of a token whose uses are limited. After the last use, the caller has to revoke
   * the token.
   */
  use(entry: TokenEntry): { readonly last: boolean } {
    if (entry.usesLeft === 0) return { last: false };
    if (entry.usesLeft > 1) this.#store({ ...entry, usesLeft: entry.usesLeft - 1 });
    return { last: entry.usesLeft === 1 };
  }

  /**
   * @param limits the current limits of the login that created the token, which may have changed
   *   since.
   * @returns the renewed token; `undefined` if it is past its maximum TTL.
   */
  renew(
    entry: TokenEntry,
    increment: number,
    mount: MountTtls,
    limits: LoginLimits = ownLimits(entry),
  ): { token: TokenEntry | undefined; warnings: readonly string[] } {
    const now = this.#clock.now();
    const { ttl, warnings } = calculateTtl(
      {
        increment,
        ttl: limits.ttlSeconds,
        period: limits.periodSeconds,
        maxTtl: limits.maxTtlSeconds,
        explicitMaxTtl: entry.explicitMaxTtlSeconds,
      },
      mount,
      Math.floor((now - entry.createdAt) / 1000),
    );
    if (ttl === undefined) return { token: undefined, warnings };
    // The request itself may have used the token once.
    const latest = this.#byId.get(entry.id) ?? entry;
    const token = { ...latest, expiresAt: now + ttl * 1000, lastRenewedAt: now };
    this.#store(token);
    return { token, warnings };
  }

  /** Revokes a token and its descendants. */
  revoke(entry: TokenEntry): void {
    const children = [...(this.#childrenOf.get(entry.id) ?? [])];
    this.#remove(entry);
    for (const id of children) {
      const child = this.#byId.get(id);
      if (child !== undefined) this.revoke(child);
    }
  }

  /** Revokes a token; its children become orphans. */
  revokeOrphaning(entry: TokenEntry): void {
    for (const id of this.#childrenOf.get(entry.id) ?? []) {
      const child = this.#byId.get(id);
      if (child !== undefined) this.#store({ ...child, parent: '' });
    }
    this.#remove(entry);
  }

  /** Revokes every token that matches, and its descendants. */
  revokeWhere(fits: (entry: TokenEntry) => boolean): void {
    for (const entry of [...this.#byId.values()]) if (fits(entry)) this.revoke(entry);
  }

  #store(entry: TokenEntry): void {
    this.#storage.put(STORAGE_PREFIX + entry.id, { ...entry });
    this.#remember(entry);
  }

  #remember(entry: TokenEntry): void {
    this.#byId.set(entry.id, entry);
    if (entry.accessor !== '') this.#idByAccessor.set(entry.accessor, entry.id);
    if (entry.parent === '') return;
    const siblings = this.#childrenOf.get(entry.parent) ?? new Set();
    this.#childrenOf.set(entry.parent, siblings.add(entry.id));
  }

  #remove(entry: TokenEntry): void {
    this.#byId.delete(entry.id);
    this.#idByAccessor.delete(entry.accessor);
    this.#childrenOf.delete(entry.id);
    this.#childrenOf.get(entry.parent)?.delete(entry.id);
    this.#storage.delete(STORAGE_PREFIX + entry.id);
    this.#onRevoke(entry);
  }
}

function ownLimits(entry: TokenEntry): LoginLimits {
  return {
    ttlSeconds: entry.creationTtlSeconds,
    maxTtlSeconds: entry.maxTtlSeconds,
    periodSeconds: entry.periodSeconds,
  };
}

function newId(type: TokenEntry['type'], namespace: Namespace): string {
  const text = type === 'batch' ? `hvb.${randomText(100)}` : `hvs.${randomText(24)}`;
  return text + suffix(namespace);
}

/** Returns the suffix of tokens and accessors for a namespace; empty for the root namespace. */
function suffix(namespace: Namespace): string {
  return namespace.path === '' ? '' : `.${namespace.id}`;
}
