import type {
  MountBackend,
  BackendFactory,
  MountConfig,
  MountContext,
  MountEntry,
  Namespace,
  ServerFlavour,
} from '../backend';
import { BackendRouter } from './backend-router';
import type { EmulatorClock } from '../primitives/clock';
import { newMountAccessor, uuid } from '../primitives/identifiers';
import type { JsonObject } from '../primitives/json';
import type { Storage } from '../primitives/storage';

/** The server's default and maximum TTL: 32 days. */
export const SYSTEM_LEASE_TTL_SECONDS = 32 * 24 * 3600;

/** A mount: its entry, and the backend that handles its requests. */
export interface Mounted {
  readonly entry: MountEntry;
  readonly backend: MountBackend;
  readonly router: BackendRouter;
  readonly context: MountContext;
}

/**
 * A mount whose backend is created at the first request: most mounts of a cluster are never used.
 */
class Attached implements Mounted {
  readonly #factory: BackendFactory;
  #backend: MountBackend | undefined;
  #router: BackendRouter | undefined;

  constructor(
    readonly entry: MountEntry,
    readonly context: MountContext,
    factory: BackendFactory,
  ) {
    this.#factory = factory;
  }

  get backend(): MountBackend {
    return (this.#backend ??= this.#factory(this.context));
  }

  get router(): BackendRouter {
    return (this.#router ??= new BackendRouter(this.backend));
  }
}

interface MountOptions {
  readonly description?: string;
  readonly local?: boolean;
  readonly sealWrap?: boolean;
  readonly externalEntropyAccess?: boolean;
  readonly options?: Readonly<Record<string, string>> | null;
  readonly config?: JsonObject;
  /**
   * The accessor. Default: a new one for the type. Mounts of the server itself have others: that of
   * `sys` starts with `system_`.
   */
  readonly accessor?: string;
}

export interface BackendTypes {
  readonly secret: ReadonlyMap<string, BackendFactory>;
  readonly auth: ReadonlyMap<string, BackendFactory>;
}

/**
 * The error for an unknown type, or a path that is in use. The message is the whole text of the
 * refusal.
 */
export class MountError extends Error {}

const STORAGE_PREFIX = 'core/mounts/';

/**
 * The mounts of all namespaces. Paths end with a slash; those of auth methods start with `auth/`.
 */
export class MountTable {
  readonly #tables = new Map<string, Map<string, Mounted>>();

  readonly #storage: Storage;
  readonly #clock: EmulatorClock;
  readonly #server: ServerFlavour;
  /** Called after a mount was removed, to revoke what it issued. */
  readonly #onUnmount: (entry: MountEntry) => void;

  constructor(
    storage: Storage,
    clock: EmulatorClock,
    server: ServerFlavour,
    readonly types: BackendTypes,

    onUnmount: (entry: MountEntry) => void,
  ) {
    this.#storage = storage;
    this.#clock = clock;
    this.#server = server;
    this.#onUnmount = onUnmount;
  }

  /** Loads the mounts from the storage, in place of the present ones. */
  load(): void {
    this.#tables.clear();
    const entries = this.#storage
      .keys(STORAGE_PREFIX)
      .flatMap((key) => this.#storage.get<MountEntry>(STORAGE_PREFIX + key) ?? []);
    // Local mounts first: a replicated mount replaces a local one at the same path, as it does when
    // it arrives.
    for (const entry of entries.filter(({ local }) => local)) this.#attach(entry);
    for (const entry of entries.filter(({ local }) => !local)) this.#attach(entry);
  }

  /** Handles a mount that replication created, changed or removed in the storage. */
  refresh(namespaceId: string, id: string): void {
    const table = this.#tables.get(namespaceId);
    const before = [...(table?.values() ?? [])].find(({ entry }) => entry.uuid === id)?.entry;
    const stored = this.#storage.get<MountEntry>(`${STORAGE_PREFIX}${namespaceId}/${id}`);
    if (before !== undefined && before.path !== stored?.path) {
      table?.delete(before.path);
      this.#onUnmount(before);
    }
    if (stored !== undefined) this.#attach(stored);
  }

  /** Returns the mounts of one kind in a namespace, sorted by path. */
  list(namespace: Namespace, kind: MountEntry['kind']): MountEntry[] {
    return [...(this.#tables.get(namespace.id)?.values() ?? [])]
      .map(({ entry }) => entry)
      .filter((entry) => entry.kind === kind)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Returns the mount with exactly this path. */
  get(namespace: Namespace, path: string): Mounted | undefined {
    return this.#tables.get(namespace.id)?.get(path);
  }

  byAccessor(accessor: string): MountEntry | undefined {
    for (const table of this.#tables.values()) {
      for (const { entry } of table.values()) if (entry.accessor === accessor) return entry;
    }
    return undefined;
  }

  /**
   * Returns the mount of a path: the one whose path it starts with. There is only one, since mounts
   * never overlap.
   */
  find(namespace: Namespace, path: string): Mounted | undefined {
    const table = this.#tables.get(namespace.id);
    if (table === undefined) return undefined;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const mounted = table.get(path.slice(0, slash + 1));
      if (mounted !== undefined) return mounted;
    }
    return table.get(`${path}/`);
  }

  /** @throws MountError if the type is unknown, or the path overlaps with another mount's. */
  mount(
    namespace: Namespace,
    kind: MountEntry['kind'],
    path: string,
    type: string,
    options: MountOptions = {},
  ): MountEntry {
    if (!this.types[kind].has(type)) {
      throw new MountError(`plugin not found in the catalog: ${type}`);
    }
    const neighbor = this.#overlapping(namespace, path);
    if (neighbor !== undefined)
      throw new MountError(`path is already in use at ${neighbor.path.replace(/^auth\//, '')}`);
    const entry: MountEntry = {
      path,
      kind,
      type,
      namespaceId: namespace.id,
      accessor: options.accessor ?? newMountAccessor(kind === 'auth' ? `auth_${type}` : type),
      uuid: uuid(),
      description: options.description ?? '',
      local: options.local ?? false,
      sealWrap: options.sealWrap ?? false,
      externalEntropyAccess: options.externalEntropyAccess ?? false,
      options: options.options ?? null,
      config: { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false, ...options.config },
    };
    this.#store(entry);
    this.#attach(entry);
    return entry;
  }

  /** Replaces parts of a mount's tuning. */
  tune(
    entry: MountEntry,
    changes: Partial<Pick<MountEntry, 'description' | 'options' | 'config'>>,
  ): MountEntry {
    const tuned = { ...entry, ...changes };
    this.#store(tuned);
    this.#attach(tuned);
    return tuned;
  }

  /** Moves a mount with its data. */
  move(entry: MountEntry, namespace: Namespace, path: string): MountEntry {
    const neighbor = this.#overlapping(namespace, path);
    if (neighbor !== undefined)
      throw new MountError(`path already in use at "${namespace.path}${neighbor.path}"`);
    this.#forget(entry);
    this.#onUnmount(entry);
    const moved = { ...entry, namespaceId: namespace.id, path };
    this.#store(moved);
    this.#attach(moved);
    return moved;
  }

  /** Removes a mount and its data. */
  unmount(entry: MountEntry): void {
    this.#storage.clear(dataPrefix(entry));
    this.#forget(entry);
    this.#onUnmount(entry);
  }

  /** Removes all mounts of a namespace. */
  unmountAll(namespace: Namespace): void {
    for (const { entry } of this.#tables.get(namespace.id)?.values() ?? []) this.unmount(entry);
    this.#tables.delete(namespace.id);
  }

  #overlapping(namespace: Namespace, path: string): MountEntry | undefined {
    const table = this.#tables.get(namespace.id);
    for (const { entry } of table?.values() ?? []) {
      if (path.startsWith(entry.path) || entry.path.startsWith(path)) return entry;
    }
    return undefined;
  }

  /**
   * Returns a mount with its data in another storage of the cluster, such as that of a snapshot.
   */
  over(entry: MountEntry, storage: Storage): Mounted {
    return this.#mounted(entry, this.types[entry.kind].get(entry.type)!, storage);
  }

  #attach(entry: MountEntry): void {
    const factory = this.types[entry.kind].get(entry.type);
    if (factory === undefined) return;
    const table = this.#tables.get(entry.namespaceId) ?? new Map<string, Mounted>();
    this.#tables.set(entry.namespaceId, table);
    table.set(entry.path, this.#mounted(entry, factory, this.#storage));
  }

  #mounted(entry: MountEntry, factory: BackendFactory, storage: Storage): Mounted {
    const context: MountContext = {
      mount: entry,
      storage: storage.view(dataPrefix(entry)),
      clock: this.#clock,
      server: this.#server,
      leaseTtls: () => leaseTtls(entry.config),
    };
    return new Attached(entry, context, factory);
  }

  #store(entry: MountEntry): void {
    this.#storage.put(storageKey(entry), { ...entry });
  }

  #forget(entry: MountEntry): void {
    this.#storage.delete(storageKey(entry));
    this.#tables.get(entry.namespaceId)?.delete(entry.path);
  }
}

/** Returns a mount's TTLs in seconds; 0 in its configuration means the server's default. */
export function leaseTtls(config: MountConfig): { default: number; max: number } {
  const max = config.max_lease_ttl === 0 ? SYSTEM_LEASE_TTL_SECONDS : config.max_lease_ttl;
  const ttl = config.default_lease_ttl === 0 ? SYSTEM_LEASE_TTL_SECONDS : config.default_lease_ttl;
  return { default: Math.min(ttl, max), max };
}

function storageKey(entry: MountEntry): string {
  return `${STORAGE_PREFIX}${entry.namespaceId}/${entry.uuid}`;
}

function dataPrefix(entry: MountEntry): string {
  return `logical/${entry.uuid}/`;
}
