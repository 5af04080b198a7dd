import type { Unknown } from '../values/unknown';
import type { WithUnknown } from '../values/type';
import type {
  Attribute,
  Attributes,
  Block,
  Blocks,
  NestedAttribute,
  NoBlocks,
  Presence,
  Schema,
  ValueAttribute,
} from './schema';

/**
 * The values of a schema, at the four places where they differ:
 * - `config`: what the user wrote, while planning; anything may be unknown.
 * - `apply`: the same when everything in it is known, write-only values included.
 * - `plan`: what apply sets out from; what the provider computes may be unknown, write-only values are null.
 * - `state`: what is stored.
 */
type Place = 'config' | 'apply' | 'plan' | 'state';

/** The configuration while planning. */
export type Config<S> = Values<S, 'config'>;
/** The configuration at apply: the only place where write-only values are. */
export type AppliedConfig<S> = Values<S, 'apply'>;
/** What is planned. */
export type Plan<S> = Values<S, 'plan'>;
/** What is stored, and what handlers return. */
export type State<S> = Values<S, 'state'>;

// Of a schema that may be any, nothing is known but that its values have names.
type Values<S, X extends Place> = Schema extends S
  ? Readonly<Record<string, unknown>>
  : S extends Schema<infer A, infer B>
    ? Readonly<AttributeValues<A, X> & BlockValues<B, X>>
    : never;

type AttributeValues<A extends Attributes, X extends Place> = {
  readonly [K in keyof A]: AttributeValue<A[K], X>;
};
type BlockValues<B extends Blocks, X extends Place> = { readonly [K in keyof B]: BlockValue<B[K], X> };

type AttributeValue<A extends Attribute, X extends Place> =
  A extends NestedAttribute<infer Inner, infer N, infer P>
    ? AtPlace<Nest<N, AttributeValues<Inner, X>>, P, X>
    : A extends ValueAttribute<infer T, infer P>
      ? AtPlace<X extends 'config' ? WithUnknown<T> : T, P, X>
      : never;

type Nest<N, T> = N extends 'single' ? T : N extends 'map' ? { readonly [key: string]: T } : readonly T[];

/** What the value of an attribute with presence `P` may be in addition to a `T`. */
type AtPlace<T, P extends Presence, X extends Place> = X extends 'config'
  ? T | Unknown | (P extends 'required' ? never : null)
  : P extends 'write_only'
    ? X extends 'apply'
      ? T | null
      : null
    : P extends 'required'
      ? T
      : P extends 'defaulted'
        ? X extends 'apply'
          ? T | null
          : T
        : P extends 'computed'
          ? X extends 'plan'
            ? T | null | Unknown
            : T | null
          : T | null;

type BlockValue<K extends Block, X extends Place> =
  K extends Block<infer A, infer B, infer N>
    ? | (N extends 'single'
          ? (AttributeValues<A, X> & BlockValues<B, X>) | null
          : readonly (AttributeValues<A, X> & BlockValues<B, X>)[])
      | (X extends 'config' ? Unknown : never)
    : never;

/** The schema of a definition without blocks. */
export type SchemaOf<A extends Attributes, B extends Blocks = NoBlocks> = Schema<A, B>;
