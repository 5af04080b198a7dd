/** Keeps one object for all equal values, so that equal states of a search are one object. */
import { ATOM, numbersOf } from '../model';

/** A value that is kept. */
interface Kept {
  readonly value: object;
  readonly number: number;
  /** The names in it that servers have invented, in the order of their first use. */
  readonly atoms: readonly string[];
}

type Kind = 'list' | 'record' | 'map' | 'set';

export class Values {
  /** The kept values, by a text of their kind and items. */
  readonly #byText = new Map<string, Kept>();
  readonly #byValue = new Map<object, Kept>();

  /**
   * Returns the one object for a value and all that are equal to it, with one object for each of
   * its parts. Properties without a value are left out.
   */
  one<T extends object>(value: T): T {
    return this.#keep(value).value as T;
  }

  /** Returns the one object for a value in which the names that servers invented are numbered. */
  numbered<T extends object>(value: T): T {
    const kept = this.#keep(value);
    return this.#renamed(kept, numbersOf(kept.atoms), new Map()).value as T;
  }

  #keep(value: object): Kept {
    const known = this.#byValue.get(value);
    if (known !== undefined) return known;
    if (value instanceof Error) return this.#kept(textOfError(value), () => value, []);
    const kind = kindOf(value);
    const atoms = new Set<string>();
    let text: string = kind;
    const items = itemsOf(value).map((item) => {
      if (typeof item === 'string') {
        // Without its length, a text with a comma would look like two texts.
        text += `,${item.length}:${item}`;
        if (item.includes('§')) item.match(ATOM)?.forEach((atom) => atoms.add(atom));
        return item;
      }
      if (typeof item !== 'object' || item === null) {
        text += `,${String(item)}`;
        return item;
      }
      const part = this.#keep(item);
      text += `,#${part.number}`;
      part.atoms.forEach((atom) => atoms.add(atom));
      return part.value;
    });
    return this.#kept(text, () => Object.freeze(made(kind, items)), [...atoms]);
  }

  #kept(text: string, make: () => object, atoms: readonly string[]): Kept {
    let kept = this.#byText.get(text);
    if (kept === undefined) {
      kept = { value: make(), number: this.#byText.size, atoms };
      this.#byText.set(text, kept);
      this.#byValue.set(kept.value, kept);
    }
    return kept;
  }

  /** @param done the results for the parts that are renamed already */
  #renamed(kept: Kept, names: ReadonlyMap<string, string>, done: Map<Kept, Kept>): Kept {
    if (kept.atoms.every((atom) => names.get(atom) === atom)) return kept;
    let renamed = done.get(kept);
    if (renamed === undefined) {
      const { value } = kept;
      const items = itemsOf(value).map((item) => {
        if (typeof item === 'string') return item.replace(ATOM, (atom) => names.get(atom)!);
        if (typeof item !== 'object' || item === null) return item;
        return this.#renamed(this.#keep(item), names, done).value;
      });
      renamed = this.#keep(made(kindOf(value), items));
      done.set(kept, renamed);
    }
    return renamed;
  }
}

function kindOf(value: object): Kind {
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'map';
  return value instanceof Set ? 'set' : 'record';
}

/** Returns the items of a value: those of a map or a record are its keys and values in turns. */
function itemsOf(value: object): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value instanceof Set) return [...(value as Set<unknown>)];
  const items: unknown[] = [];
  if (value instanceof Map) {
    for (const [key, each] of value as Map<unknown, unknown>) items.push(key, each);
    return items;
  }
  for (const key of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[key];
    if (each !== undefined && typeof each !== 'function') items.push(key, each);
  }
  return items;
}

function made(kind: Kind, items: readonly unknown[]): object {
  switch (kind) {
    case 'list':
      return items;
    case 'set':
      return new Set(items);
    case 'map': {
      const map = new Map<unknown, unknown>();
      for (let at = 0; at < items.length; at += 2) map.set(items[at], items[at + 1]);
      return map;
    }
    case 'record': {
      const record: Record<string, unknown> = {};
      for (let at = 0; at < items.length; at += 2) record[items[at] as string] = items[at + 1];
      return record;
    }
  }
}

/** Returns the text of an error, which is the same for all errors of one kind. */
function textOfError(error: Error): string {
  const facts = error as { code?: string; status?: number; mayHaveTakenEffect?: boolean };
  const cause = error.cause as typeof facts | undefined;
  return `error ${JSON.stringify([
    error.constructor.name,
    facts.code,
    facts.status,
    facts.mayHaveTakenEffect,
    cause?.code,
    cause?.status,
    cause?.mayHaveTakenEffect,
    error.message,
  ])}`;
}
