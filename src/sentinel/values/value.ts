import type { SourceText, Span } from '../source/source-text';

/**
 * The value of a Sentinel expression: `boolean`, `bigint` (int), `number` (float), `string` (bytes,
 * see `text.ts`), `null`, undefined, list, map or function.
 */
export type Value = boolean | bigint | number | string | null | Undefined | List | MapValue | Callable;

export type List = Value[];

export type Callable = NativeFunction | Closure;

/** Sentinel's `undefined`, with the position where it arose. */
export class Undefined {
  readonly source: SourceText | undefined;
  readonly span: Span | undefined;

  constructor(source?: SourceText, span?: Span) {
    this.source = source;
    this.span = span;
  }

  /** The position as `file:line:column`, if it is known. */
  get place(): string | undefined {
    return this.source && this.span && this.source.place(this.span.start);
  }
}

/** An undefined without a place: the result of a built-in function. */
export const UNDEFINED = new Undefined();

/** Returns a value, or undefined if it is missing. JavaScript's `??` would replace null as well. */
export function orUndefined(value: Value | undefined): Value {
  return value === undefined ? UNDEFINED : value;
}

/** The key of a map. Integral floats are stored as ints, which they equal. */
export type Key = string | bigint | number | boolean;

/** A map. Its entries keep the order in which they were added. */
export class MapValue {
  readonly entries: Map<Key, Value>;

  constructor(entries?: Iterable<readonly [Key, Value]>) {
    this.entries = new Map(entries);
  }

  get(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  /** Returns the result of `map.NAME`: an entry or, for values of imports, a method. */
  select(name: string): Value | undefined {
    return this.entries.get(name);
  }

  get size(): number {
    return this.entries.size;
  }
}

/** A map that an import returned, with methods besides its entries. */
export class ImportedObject extends MapValue {
  readonly #methods: Readonly<Record<string, NativeFunction>>;
  /** The data of the methods, used by the import only. */
  readonly state: unknown;

  constructor(
    entries: Iterable<readonly [Key, Value]>,
    methods: Readonly<Record<string, NativeFunction>>,
    state: unknown,
  ) {
    super(entries);
    this.#methods = methods;
    this.state = state;
  }

  override select(name: string): Value | undefined {
    const entry = super.select(name);
    if (entry !== undefined) return entry;
    return Object.hasOwn(this.#methods, name) ? this.#methods[name] : undefined;
  }

  get methods(): Readonly<Record<string, NativeFunction>> {
    return this.#methods;
  }
}

/** The parts of a run that functions of imports use. */
export interface RunContext {
  /** Counts the memory of a result, in characters or elements. */
  allocate(size: number): void;
  /** Calls a function of the policy. If `lenient`, arguments beyond its parameters are left out. */
  call(callee: Callable, args: readonly Value[], lenient?: boolean): Value;
  print(text: string): void;
  /** The time in nanoseconds since 1970: the same for the whole run. */
  readonly now: bigint;
}

/** A function that is not written in Sentinel. */
export class NativeFunction {
  readonly name: string;
  readonly run: (args: readonly Value[], caller: RunContext) => Value;
  readonly fewest: number;
  readonly most: number;

  constructor(
    name: string,
    [fewest, most]: readonly [number, number],
    run: (args: readonly Value[], caller: RunContext) => Value,
  ) {
    this.name = name;
    this.fewest = fewest;
    this.most = most;
    this.run = run;
  }
}

/** A function that is written in the policy. The evaluator defines its contents. */
export abstract class Closure {
  abstract readonly parameterCount: number;
}

/** The maximum length of a message, which may quote values and the argument of `error`. */
const LONGEST_MESSAGE = 10_000;

/** An error in a built-in function. The evaluator adds the position of the call. */
export class NativeFault extends Error {
  constructor(message: string) {
    super(message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`);
  }
}

export function isCallable(value: Value): value is Callable {
  return value instanceof NativeFunction || value instanceof Closure;
}

/** Returns the name of a value's type, as `types.type_of` does. */
export function typeName(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return 'float';
    case 'string':
      return 'string';
    default:
      break;
  }
  if (value === null) return 'null';
  if (value instanceof Undefined) return 'undefined';
  if (Array.isArray(value)) return 'list';
  return value instanceof MapValue ? 'map' : 'function';
}

/** Returns the name of a value's type with its article: `an int`. */
export function aType(value: Value): string {
  const name = typeName(value);
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Converts a value to the key of a map; `undefined` if it cannot be one. */
export function keyOf(value: Value): Key | undefined {
  switch (typeof value) {
    case 'string':
    case 'bigint':
    case 'boolean':
      return value;
    case 'number':
      return Number.isInteger(value) ? BigInt(value) : value;
    default:
      return undefined;
  }
}
