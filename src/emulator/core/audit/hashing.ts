import type { Json, JsonObject } from '../primitives/json';
import type { DeviceSettings } from './device-settings';

/** Converts values to a form that a device may log. */
export class Hashing {
  readonly #hash: (text: string) => string;
  readonly #settings: Pick<DeviceSettings, 'raw' | 'hashesAccessors'>;

  constructor(hash: (text: string) => string, settings: Pick<DeviceSettings, 'raw' | 'hashesAccessors'>) {
    this.#hash = hash;
    this.#settings = settings;
  }

  /** Converts a secret; `undefined` if it is empty. */
  secret(text: string | undefined): string | undefined {
    if (text === undefined || text === '') return undefined;
    return this.#settings.raw ? text : this.#hash(text);
  }

  accessor(text: string | undefined): string | undefined {
    return this.#settings.hashesAccessors ? this.secret(text) : text || undefined;
  }

  /**
   * Hashes every text at any depth, except the names of members and everything below `clearKeys`.
   */
  data(data: JsonObject, clearKeys: readonly string[]): JsonObject {
    return this.#settings.raw ? data : this.#members(data, clearKeys);
  }

  #members(data: JsonObject, clearKeys: readonly string[]): JsonObject {
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [
        key,
        this.#value(value, clearKeys, clearKeys.includes(key)),
      ]),
    );
  }

  #value(value: Json, clearKeys: readonly string[], isClear: boolean): Json {
    if (typeof value === 'string') return isClear ? value : this.#hash(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      return (value as readonly Json[]).map((each) => this.#value(each, clearKeys, isClear));
    }
    return this.#members(value as JsonObject, clearKeys);
  }
}
