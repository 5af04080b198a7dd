import type { Alias, Entity, IdentityGroup, GroupAlias } from './records';

/** Finds records of one kind. Names are compared in lower case. */
export interface Finder<T> {
  byId(id: string): T | undefined;
  byName(namespace: { readonly id: string }, name: string): T | undefined;
  byAlias(mountAccessor: string, name: string): T | undefined;
  byAliasId(id: string): T | undefined;
  /** Returns the records of a namespace by id, as the server lists them. */
  in(namespace: { readonly id: string }): T[];
}

/** Records of one kind in memory. */
export class RecordIndex<T extends Entity | IdentityGroup> implements Finder<T> {
  readonly #aliasesOf: (record: T) => readonly (Alias | GroupAlias)[];
  readonly #byId = new Map<string, T>();
  readonly #byName = new Map<string, T>();
  readonly #byAlias = new Map<string, T>();
  readonly #byAliasId = new Map<string, T>();

  constructor(aliasesOf: (record: T) => readonly (Alias | GroupAlias)[]) {
    this.#aliasesOf = aliasesOf;
  }

  byId(id: string): T | undefined {
    return this.#byId.get(id);
  }

  byName(namespace: { readonly id: string }, name: string): T | undefined {
    return this.#byName.get(key(namespace.id, name));
  }

  byAlias(mountAccessor: string, name: string): T | undefined {
    return this.#byAlias.get(key(mountAccessor, name));
  }

  byAliasId(id: string): T | undefined {
    return this.#byAliasId.get(id);
  }

  in({ id: namespaceId }: { readonly id: string }): T[] {
    return [...this.#byId.values()]
      .filter((each) => each.namespaceId === namespaceId)
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  add(record: T): void {
    this.#byId.set(record.id, record);
    this.#byName.set(key(record.namespaceId, record.name), record);
    for (const alias of this.#aliasesOf(record)) {
      this.#byAlias.set(key(alias.mountAccessor, alias.name), record);
      this.#byAliasId.set(alias.id, record);
    }
  }

  remove(record: T): void {
    this.#byId.delete(record.id);
    forget(this.#byName, key(record.namespaceId, record.name), record);
    for (const alias of this.#aliasesOf(record)) {
      forget(this.#byAlias, key(alias.mountAccessor, alias.name), record);
      forget(this.#byAliasId, alias.id, record);
    }
  }
}

function key(place: string, name: string): string {
  return `${place} ${name.toLowerCase()}`;
}

/** Removes a record, unless another record has taken its key in the meantime. */
export function forget<T>(map: Map<string, T>, at: string, record: T): void {
  if (map.get(at) === record) map.delete(at);
}
