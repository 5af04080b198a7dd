import { MapValue, Undefined, type Key, type List, type Value } from './value';
import { lookAt } from './walks';

/** The maximum number of characters of one value in a trace or a message. */
const LONGEST_TRACED = 10_000;
/** The maximum number of characters of one value that `print` shows. */
const LONGEST_PRINTED = 1_000_000;
/** The maximum depth to which nested lists and maps are shown. */
const DEEPEST_SHOWN = 1000;
const CUT = '…';

/** Returns a value as `print` shows it: a string as it is; in lists and maps, strings in quotes. */
export function show(value: Value): string {
  return typeof value === 'string' ? value : new Shown(LONGEST_PRINTED).of(value);
}

/** Returns a value in the notation of a policy, for traces and messages. */
export function showTraced(value: Value): string {
  return new Shown(LONGEST_TRACED).of(value);
}

/**
 * The text of one value. `…` replaces a list or map that contains itself, and everything beyond the
 * maximum length.
 */
class Shown {
  readonly #longest: number;
  #text = '';
  /** The lists and maps around the value that is being shown. */
  readonly #around: Value[] = [];

  constructor(longest: number) {
    this.#longest = longest;
  }

  of(value: Value): string {
    this.#add(value);
    lookAt(this.#text.length);
    if (this.#text.length <= this.#longest) return this.#text;
    return this.#text.slice(0, this.#longest) + CUT;
  }

  get #isFull(): boolean {
    return this.#text.length > this.#longest;
  }

  #add(value: Value): void {
    if (Array.isArray(value)) this.#within(value, () => this.#addList(value));
    else if (value instanceof MapValue) this.#within(value, () => this.#addMap(value));
    else this.#text += plain(value, this.#longest);
  }

  #within(collection: Value, add: () => void): void {
    if (this.#around.length >= DEEPEST_SHOWN || this.#around.includes(collection)) {
      this.#text += CUT;
      return;
    }
    this.#around.push(collection);
    add();
    this.#around.pop();
  }

  #addList(list: readonly Value[]): void {
    this.#text += '[';
    for (const [index, element] of list.entries()) {
      if (this.#isFull) return;
      if (index > 0) this.#text += ' ';
      this.#add(element);
    }
    this.#text += ']';
  }

  #addMap(map: MapValue): void {
    this.#text += '{';
    for (const [index, [key, entry]] of sortedEntries(map).entries()) {
      if (this.#isFull) return;
      if (index > 0) this.#text += ', ';
      this.#text += `${plain(key, this.#longest)}: `;
      this.#add(entry);
    }
    this.#text += '}';
  }
}

function plain(value: Exclude<Value, List | MapValue>, longest: number): string {
  if (value === null) return 'null';
  if (value instanceof Undefined) return 'undefined';
  if (typeof value === 'string') return quote(value.length > longest ? value.slice(0, longest + 1) : value);
  if (typeof value === 'number') return showFloat(value);
  return typeof value === 'object' ? 'func' : String(value);
}

function showFloat(value: number): string {
  if (value === Infinity) return '+Inf';
  if (value === -Infinity) return '-Inf';
  return String(value);
}

function quote(text: string): string {
  return JSON.stringify(text).replace(/\\udc([89a-f][0-9a-f])/g, '\\x$1');
}

/** Returns a map's entries, sorted by the text of their keys. */
export function sortedEntries(map: MapValue): [Key, Value][] {
  const order = (key: unknown): string => String(key);
  return [...map.entries].sort(([a], [b]) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
}
