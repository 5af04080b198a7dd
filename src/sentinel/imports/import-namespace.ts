import { copy } from '../values/host';
import { MapValue, type Value } from '../values/value';

/** An import as policies see it: members that are read with a selector. */
export abstract class ImportNamespace {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  abstract member(name: string): Value | undefined;

  abstract memberNames(): Iterable<string>;

  /** Returns the import as a value. Only data can be read without a selector. */
  whole(): Value | undefined {
    return undefined;
  }
}

/** A standard import. */
export class StandardNamespace extends ImportNamespace {
  readonly #members: Readonly<Record<string, Value>>;

  constructor(name: string, members: Readonly<Record<string, Value>>) {
    super(name);
    this.#members = members;
  }

  override member(name: string): Value | undefined {
    return Object.hasOwn(this.#members, name) ? this.#members[name] : undefined;
  }

  override memberNames(): Iterable<string> {
    return Object.keys(this.#members);
  }
}

/** Data from a test or a configuration, copied because the policy may change it. */
export class DataNamespace extends ImportNamespace {
  readonly #data: Value;

  constructor(name: string, data: Value) {
    super(name);
    this.#data = copy(data);
  }

  override member(name: string): Value | undefined {
    return this.#data instanceof MapValue ? this.#data.select(name) : undefined;
  }

  override memberNames(): Iterable<string> {
    return this.#data instanceof MapValue ? [...this.#data.entries.keys()].map(String) : [];
  }

  override whole(): Value {
    return this.#data;
  }
}
