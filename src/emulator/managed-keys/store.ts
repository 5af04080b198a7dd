import type { FieldValues, ManagedKeyTypeName } from '../../model';
import type { Namespace } from '../core/backend';
import type { Storage } from '../core/primitives/storage';

/** A managed key as a cluster stores it. */
export interface ManagedKeyEntry {
  /** The UUID, which is generated when the key is created, and does not change. */
  readonly uuid: string;
  readonly name: string;
  readonly type: ManagedKeyTypeName;
  /** The written fields, in the model's normalized form. */
  readonly fields: FieldValues;
}

/** The managed keys of all namespaces. Names are in lower case, and unique across the backends. */
export class ManagedKeyStore {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  list(namespace: Namespace, type: ManagedKeyTypeName): string[] {
    return this.#storage.list(prefix(namespace)).filter((name) => this.get(namespace, name)?.type === type);
  }

  /** Returns the managed keys of all types. */
  all(namespace: Namespace): ManagedKeyEntry[] {
    return this.#storage.list(prefix(namespace)).flatMap((name) => this.get(namespace, name) ?? []);
  }

  get(namespace: Namespace, name: string): ManagedKeyEntry | undefined {
    return this.#storage.get<ManagedKeyEntry>(prefix(namespace) + name);
  }

  put(namespace: Namespace, entry: ManagedKeyEntry): void {
    this.#storage.put(prefix(namespace) + entry.name, { ...entry });
  }

  delete(namespace: Namespace, name: string): void {
    this.#storage.delete(prefix(namespace) + name);
  }

  deleteAll(namespace: Namespace): void {
    this.#storage.clear(prefix(namespace));
  }
}

function prefix(namespace: Namespace): string {
  return `core/managed-keys/${namespace.id}/`;
}
