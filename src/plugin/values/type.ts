import type { TerraformNumber } from './number';
import type { Unknown } from './unknown';

/** A type of Terraform in the form of the protocol. */
export type TypeJson =
  | 'string'
  | 'number'
  | 'bool'
  | 'dynamic'
  | readonly ['list' | 'set' | 'map', TypeJson]
  | readonly ['tuple', readonly TypeJson[]]
  | readonly ['object', Readonly<Record<string, TypeJson>>];

/** A value whose type the user chooses. */
export class Dynamic {
  constructor(
    readonly type: TypeJson,
    readonly value: unknown,
  ) {}
}

type Shape =
  | { readonly kind: 'string' | 'integer' | 'number' | 'bool' | 'dynamic' }
  | { readonly kind: 'list' | 'set' | 'map'; readonly element: Type }
  | { readonly kind: 'tuple'; readonly elements: readonly Type[] }
  | { readonly kind: 'object'; readonly attributes: Readonly<Record<string, Type>> };

/**
 * The type of an attribute, an element, a parameter or a result; `T` is the type of its values in
 * TypeScript.
 */
export type Type<T = unknown> = Shape & {
  /** Whether `null` is allowed as an element, attribute or argument of this type. */
  readonly nullable?: boolean;
  /** Only for the type checker. */
  readonly valueType?: T;
};

export type ValueOf<X> = X extends Type<infer T> ? T : never;

/** `T`, which may be unknown as a whole or in parts. */
export type WithUnknown<T> =
  | Unknown
  | (T extends readonly (infer E)[]
      ? readonly WithUnknown<E>[]
      : T extends Dynamic | Decimalish
        ? T
        : T extends object
          ? { readonly [K in keyof T]: WithUnknown<T[K]> }
          : T);
type Decimalish = Exclude<TerraformNumber, number | bigint>;

const STRING: Type<string> = { kind: 'string' };
const INTEGER: Type<number> = { kind: 'integer' };
const NUMBER: Type<TerraformNumber> = { kind: 'number' };
const BOOL: Type<boolean> = { kind: 'bool' };
const DYNAMIC: Type<Dynamic> = { kind: 'dynamic' };

/** The types of values. Lists and sets are arrays, maps and objects are plain objects. */
export const TYPES = {
  string: STRING,
  /** A whole number within ±(2^53 - 1); others are refused when the configuration is validated. */
  integer: INTEGER,
  /** Any number without rounding. */
  number: NUMBER,
  bool: BOOL,
  /** Any type; the user chooses it. */
  dynamic: DYNAMIC,
  list: <T>(element: Type<T>): Type<readonly T[]> => ({ kind: 'list', element }),
  set: <T>(element: Type<T>): Type<readonly T[]> => ({ kind: 'set', element }),
  map: <T>(element: Type<T>): Type<Readonly<Record<string, T>>> => ({ kind: 'map', element }),
  tuple: <E extends readonly Type[]>(...elements: E): Type<{ readonly [K in keyof E]: ValueOf<E[K]> }> => ({
    kind: 'tuple',
    elements,
  }),
  object: <A extends Readonly<Record<string, Type>>>(
    attributes: A,
  ): Type<{ readonly [K in keyof A]: ValueOf<A[K]> }> => ({ kind: 'object', attributes }),
  /** Allows `null` in a list, set, map, tuple or object, or as an argument of a function. */
  nullable: <T>(type: Type<T>): Type<T | null> => ({ ...(type as Type<T | null>), nullable: true }),
};

/** Returns the type in the form of the protocol. */
export function typeJson(type: Type): TypeJson {
  switch (type.kind) {
    case 'list':
    case 'set':
    case 'map':
      return [type.kind, typeJson(type.element)];
    case 'tuple':
      return ['tuple', type.elements.map(typeJson)];
    case 'object':
      return [
        'object',
        Object.fromEntries(Object.entries(type.attributes).map(([name, t]) => [name, typeJson(t)])),
      ];
    case 'integer':
      return 'number';
    default:
      return type.kind;
  }
}

/** Returns the type for the protocol's form of it. */
export function typeOfJson(json: TypeJson): Type {
  if (typeof json === 'string') return { kind: json };
  const [kind, content] = json;
  switch (kind) {
    case 'tuple':
      return { kind, elements: content.map(typeOfJson) };
    case 'object':
      return {
        kind,
        attributes: Object.fromEntries(
          Object.entries(content).map(([name, type]) => [name, typeOfJson(type)]),
        ),
      };
    default:
      return { kind, element: typeOfJson(content) };
  }
}
