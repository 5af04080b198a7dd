import { uuid } from '../../core/primitives/identifiers';
import type { JsonObject } from '../../core/primitives/json';
import type { Storage } from '../../core/primitives/storage';

export type WithId<T> = T & { readonly id: string };

/** The records of one kind in a key store. */
export class Records<T extends JsonObject> {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get(id: string): T | undefined {
    return this.#storage.get<T>(id);
  }

  all(): readonly WithId<T>[] {
    return this.#storage.keys('').flatMap((id) => {
      const record = this.get(id);
      return record === undefined ? [] : [{ ...record, id }];
    });
  }

  find(fits: (record: T) => boolean): WithId<T> | undefined {
    return this.all().find(fits);
  }

  /** @param id the id of a record to replace. Default: a new id. */
  put(record: T, id: string = uuid()): WithId<T> {
    this.#storage.put(id, record);
    return { ...record, id };
  }

  /** @returns whether the record existed. */
  remove(id: string): boolean {
    const known = this.get(id) !== undefined;
    this.#storage.delete(id);
    return known;
  }
}
