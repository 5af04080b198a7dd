import { uuid } from '../../core/identifiers';
import type { JsonObject } from '../../core/json';
import type { Storage } from '../../core/storage';

export type Stored<T> = T & { readonly id: string };

/** What a key store keeps of one kind. */
export class Records<T extends JsonObject> {
  constructor(private readonly storage: Storage) {}

  all(): readonly Stored<T>[] {
    return this.storage.keys('').map((id) => ({ ...(this.storage.get(id) as unknown as T), id }));
  }

  find(fits: (record: T) => boolean): Stored<T> | undefined {
    return this.all().find(fits);
  }

  /** @param id of the record that is replaced; a new one by default. */
  put(record: T, id: string = uuid()): Stored<T> {
    this.storage.put(id, record);
    return { ...record, id };
  }

  /** @returns whether it was there. */
  remove(id: string): boolean {
    const known = this.storage.get(id) !== undefined;
    this.storage.delete(id);
    return known;
  }
}
