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
 * The values of a schema in four stages:
 * - `config`: the user's configuration during planning; anything may be unknown.
 * - `apply`: the configuration at apply: everything is known, write-only values are included.
 * - `plan`: the planned values; computed ones may be unknown, write-only ones are null.
 * - `state`: the stored values.
 */
type Stage = 'config' | 'apply' | 'plan' | 'state';

/** The configuration during planning. */
export type Config<S> = SchemaValues<S, 'config'>;
/** The configuration at apply, the only values that include write-only ones. */
export type AppliedConfig<S> = SchemaValues<S, 'apply'>;
/** The planned values. */
export type Plan<S> = SchemaValues<S, 'plan'>;
/** The stored values, which handlers return. */
export type State<S> = SchemaValues<S, 'state'>;

// The values of an arbitrary schema are only known to have names.
type SchemaValues<S, X extends Stage> = Schema extends S
  ? Readonly<Record<string, unknown>>
  : S extends Schema<infer A, infer B>
    ? Readonly<AttributeValues<A, X> & BlockValues<B, X>>
    : never;

type AttributeValues<A extends Attributes, X extends Stage> = {
  readonly [K in keyof A]: AttributeValue<A[K], X>;
};
type BlockValues<B extends Blocks, X extends Stage> = { readonly [K in keyof B]: BlockValue<B[K], X> };

type AttributeValue<A extends Attribute, X extends Stage> =
  A extends NestedAttribute<infer Inner, infer N, infer P>
    ? AtStage<Nest<N, AttributeValues<Inner, X>>, P, X>
    : A extends ValueAttribute<infer T, infer P>
      ? AtStage<X extends 'config' ? WithUnknown<T> : T, P, X>
      : never;

type Nest<N, T> = N extends 'single' ? T : N extends 'map' ? { readonly [key: string]: T } : readonly T[];

/** The additional types of an attribute's value with presence `P`, besides `T`. */
type AtStage<T, P extends Presence, X extends Stage> = X extends 'config'
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

type BlockValue<K extends Block, X extends Stage> =
  K extends Block<infer A, infer B, infer N>
    ? | (N extends 'single'
          ? (AttributeValues<A, X> & BlockValues<B, X>) | null
          : readonly (AttributeValues<A, X> & BlockValues<B, X>)[])
      | (X extends 'config' ? Unknown : never)
    : never;

/** The schema of a definition without blocks. */
export type SchemaOf<A extends Attributes, B extends Blocks = NoBlocks> = Schema<A, B>;
