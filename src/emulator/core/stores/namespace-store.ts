import { namespacePathProblem, normalizeNamespace, RESERVED_NAMESPACE_NAMES } from '../../../model';
import type { Namespace } from '../backend';
import { invalidRequest, openRefusal } from '../errors';
import { randomText } from '../primitives/identifiers';
import type { Storage } from '../primitives/storage';

export const ROOT_NAMESPACE: Namespace = { id: 'root', path: '', customMetadata: {} };

const STORAGE_PREFIX = 'core/namespaces/';

/**
 * Returns a namespace's path in the server's form: without a leading slash, with a trailing one;
 * empty for the root namespace.
 */
function canonicalNamespacePath(path: string): string {
  const trimmed = normalizeNamespace(path);
  return trimmed === '' || trimmed === 'root' ? '' : `${trimmed}/`;
}

/** The namespaces of a cluster. */
export class NamespaceStore {
  readonly #byPath = new Map<string, Namespace>();
  readonly #byIdentifier = new Map<string, Namespace>();

  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.load();
  }

  /** Loads all namespaces from the storage again. */
  load(): void {
    this.#byPath.clear();
    this.#byIdentifier.clear();
    this.#remember(ROOT_NAMESPACE);
    for (const id of this.#storage.list(STORAGE_PREFIX)) this.refresh(id);
  }

  /** Loads one namespace from the storage again; it may have been deleted. */
  refresh(id: string): Namespace | undefined {
    const before = this.#byIdentifier.get(id);
    if (before !== undefined) this.#forget(before);
    const stored = this.#storage.get<Namespace>(STORAGE_PREFIX + id);
    if (stored !== undefined) this.#remember(stored);
    return stored;
  }

  all(): Namespace[] {
    return [...this.#byPath.values()];
  }

  get(path: string): Namespace | undefined {
    return this.#byPath.get(path);
  }

  byId(id: string): Namespace | undefined {
    return this.#byIdentifier.get(id);
  }

  /**
   * Finds the namespace of a request. The header names a namespace, and the path may start with
   * further namespaces below it. A header that does not name a namespace becomes the start of the
   * path.
   *
   * @returns the namespace and the rest of the path.
   */
  resolve(header: string, path: string): { namespace: Namespace; path: string } {
    const prefix = canonicalNamespacePath(header);
    const start = this.#byPath.get(prefix);
    if (start === undefined) return this.resolve('', prefix + path);
    if (this.#byPath.size === 1) return { namespace: start, path };
    let namespace = start;
    let consumed = 0;
    for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      const below = this.#byPath.get(start.path + path.slice(0, slash + 1));
      if (below === undefined) break;
      namespace = below;
      consumed = slash + 1;
    }
    return { namespace, path: path.slice(consumed) };
  }

  /** Returns the namespaces from the root namespace to the given one. */
  lineage(namespace: Namespace): readonly Namespace[] {
    const { path } = namespace;
    if (path === '') return [namespace];
    const ends = [...path.matchAll(/\//g)].map(({ index }) => index + 1);
    return [0, ...ends].flatMap((end) => this.#byPath.get(path.slice(0, end)) ?? []);
  }

  /** Returns the namespaces directly below `parent`, by name. */
  children(parent: Namespace): Namespace[] {
    return [...this.#byPath.values()]
      .filter(({ path }) => path !== parent.path && path.startsWith(parent.path))
      .filter(({ path }) => path.indexOf('/', parent.path.length) === path.length - 1)
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * Creates a namespace.
   *
   * @param name relative to `parent`; all segments but the last must exist.
   */
  create(parent: Namespace, name: string, customMetadata: Readonly<Record<string, string>>): Namespace {
    const reserved = name.split('/').find((segment) => RESERVED_NAMESPACE_NAMES.includes(segment));
    if (reserved !== undefined)
      throw invalidRequest(`"${reserved}/" is a reserved path and cannot be used as a namespace name`);
    if (namespacePathProblem(name)) throw invalidRequest(`"${name}" is not a valid namespace path`);
    const path = `${parent.path}${name}/`;
    if (!this.#byPath.has(parentPath(path))) {
      throw openRefusal('nestedNamespaceNames', name);
    }
    return this.#store({ id: randomText(5), path, customMetadata });
  }

  update(namespace: Namespace, customMetadata: Readonly<Record<string, string>>): Namespace {
    return this.#store({ ...namespace, customMetadata });
  }

  delete(namespace: Namespace): void {
    this.#storage.delete(STORAGE_PREFIX + namespace.id);
    this.#forget(namespace);
  }

  #store(namespace: Namespace): Namespace {
    this.#storage.put(STORAGE_PREFIX + namespace.id, { ...namespace });
    this.#remember(namespace);
    return namespace;
  }

  #forget(namespace: Namespace): void {
    this.#byPath.delete(namespace.path);
    this.#byIdentifier.delete(namespace.id);
  }

  #remember(namespace: Namespace): void {
    this.#byPath.set(namespace.path, namespace);
    this.#byIdentifier.set(namespace.id, namespace);
  }
}

/** Returns the path of the parent namespace. */
function parentPath(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}
