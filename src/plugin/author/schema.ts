import { TYPES, type Dynamic, type Type } from '../values/type';
import type { TerraformNumber } from '../values/number';
import type { PlanModifier } from './plan-modifiers';
import type { Validator } from './validators';

/**
 * Who sets an attribute, as far as its TypeScript type depends on it. `defaulted` is optional with a default, and so
 * never null in plan and state; `computed` covers optional and computed.
 */
export type Presence = 'required' | 'optional' | 'computed' | 'defaulted' | 'write_only';

/** The options of any attribute. Exactly one of required, optional, computed, or optional and computed. */
export interface AttributeOptions<T> {
  /** Must be in the configuration. */
  readonly required?: boolean;
  /** May be in the configuration. */
  readonly optional?: boolean;
  /** The provider sets it; with `optional`, only if the configuration does not. */
  readonly computed?: boolean;
  /** The planned value of an optional attribute that is not set. Makes it computed, as Terraform requires. */
  readonly default?: T;
  /** A secret: hidden in Terraform's output and masked in logs and diagnostics. It is stored in the state. */
  readonly sensitive?: boolean;
  /**
   * Which texts of a sensitive attribute are masked: a word that messages need may stand in it, which is no secret.
   * In a map or an object, `key` is the name of the entry that holds the text.
   *
   * @default - all
   */
  readonly isSecret?: (text: string, key?: string) => boolean;
  /**
   * For a nested attribute of the provider's configuration: unknown names in it are errors. Terraform drops unknown names
   * from an attribute whose type it knows, without an error, so it is not told the type of this one.
   *
   * @default false
   */
  readonly strict?: boolean;
  /** In the configuration only: null in plan and state. Needs Terraform 1.11. */
  readonly writeOnly?: boolean;
  /** What it is for, as Markdown. */
  readonly description?: string;
  /** A warning for users who set it, with what to use instead. */
  readonly deprecated?: string;
  /** Called with values that are known and not null. */
  readonly validators?: readonly Validator<T>[];
  readonly planModifiers?: readonly PlanModifier[];
  /**
   * Whether two values mean the same: `24h` and `86400`. Then the state keeps the form that it has, when the resource is
   * planned and when it is read. Called with values that are wholly known; when the resource is read also with null.
   *
   * @default - only equal values do
   */
  readonly sameMeaning?: (one: unknown, other: unknown) => boolean;
}

/** The options of an attribute whatever its type. */
export type AnyOptions = Omit<AttributeOptions<never>, 'default'> & { readonly default?: unknown };

/** The flags of {@link AttributeOptions} that decide about TypeScript types. */
interface Flags<R, C, D, W> {
  readonly required?: R;
  readonly computed?: C;
  readonly default?: D;
  readonly writeOnly?: W;
}

type PresenceOf<R, C, D, W> = W extends true
  ? 'write_only'
  : R extends true
    ? 'required'
    : [D] extends [undefined]
      ? C extends true
        ? 'computed'
        : 'optional'
      : 'defaulted';

/** An attribute with a value of one type. */
export interface ValueAttribute<T = unknown, P extends Presence = Presence> {
  readonly kind: 'value';
  readonly type: Type<T>;
  readonly options: AnyOptions;
  /** Exists for the type checker only. */
  readonly presence?: P;
}

/** An attribute that holds one object, or a list, set or map of objects, whose attributes have options of their own. */
export interface NestedAttribute<
  A extends Attributes = Attributes,
  N extends AttributeNesting = AttributeNesting,
  P extends Presence = Presence,
> {
  readonly kind: 'nested';
  readonly nesting: N;
  readonly attributes: A;
  readonly options: AnyOptions;
  /** Exists for the type checker only. */
  readonly presence?: P;
}

export type AttributeNesting = 'single' | 'list' | 'set' | 'map';
export type Attribute = ValueAttribute | NestedAttribute;
export interface Attributes {
  readonly [name: string]: Attribute;
}

/** A nested block: `name { ... }`. A list or set of blocks that is left out is empty, a single one is null. */
export interface Block<
  A extends Attributes = Attributes,
  B extends Blocks = Blocks,
  N extends BlockNesting = BlockNesting,
> {
  readonly nesting: N;
  readonly attributes: A;
  readonly blocks: B;
  readonly options: BlockOptions;
}

export interface BlockOptions {
  readonly description?: string;
  readonly deprecated?: string;
  /** The fewest blocks allowed; for a single block 1 makes it required. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type BlockNesting = 'single' | 'list' | 'set';
export interface Blocks {
  readonly [name: string]: Block;
}
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no blocks at all, unlike a record of any blocks
export type NoBlocks = {};

/** The shape of a resource, data source, ephemeral resource or of the provider's configuration. */
export interface Schema<A extends Attributes = Attributes, B extends Blocks = Blocks> {
  /** Raised when the shape of the state changes; see `upgrade` of a resource. Zero if left out. */
  readonly version?: number;
  /** What it is for, as Markdown. */
  readonly description?: string;
  /** A warning for users of it, with what to use instead. */
  readonly deprecated?: string;
  readonly attributes: A;
  readonly blocks?: B;
}

type OptionsOf<T, R, C, D, W> = Omit<AttributeOptions<T>, keyof Flags<R, C, D, W>> & Flags<R, C, D, W>;

/** An attribute of any type; {@link string} and its kin are shorter for the usual ones. */
export function attribute<
  T,
  R extends boolean = false,
  C extends boolean = false,
  D extends T | undefined = undefined,
  W extends boolean = false,
>(type: Type<T>, options: OptionsOf<T, R, C, D, W>): ValueAttribute<T, PresenceOf<R, C, D, W>> {
  return { kind: 'value', type, options };
}

type Of<T> = <
  R extends boolean = false,
  C extends boolean = false,
  D extends T | undefined = undefined,
  W extends boolean = false,
>(
  options: OptionsOf<T, R, C, D, W>,
) => ValueAttribute<T, PresenceOf<R, C, D, W>>;

export const string: Of<string> = (options) => attribute(TYPES.string, options);
/** A whole number within ±(2^53 - 1). */
export const integer: Of<number> = (options) => attribute(TYPES.integer, options);
/** Any number, exactly: see {@link TerraformNumber}. */
export const number: Of<TerraformNumber> = (options) => attribute(TYPES.number, options);
export const bool: Of<boolean> = (options) => attribute(TYPES.bool, options);
/** A value whose type its user chooses. */
export const dynamic: Of<Dynamic> = (options) => attribute(TYPES.dynamic, options);

type CollectionOf = 'list' | 'set';
function collection(kind: CollectionOf) {
  return <
    T,
    R extends boolean = false,
    C extends boolean = false,
    D extends readonly T[] | undefined = undefined,
    W extends boolean = false,
  >(
    element: Type<T>,
    options: OptionsOf<readonly T[], R, C, D, W>,
  ) => attribute<readonly T[], R, C, D, W>(TYPES[kind](element), options);
}

/** Ordered values of one type. */
export const list = collection('list');
/** Values of one type without an order; an array in TypeScript. */
export const set = collection('set');

/** Values of one type by name. */
export function map<
  T,
  R extends boolean = false,
  C extends boolean = false,
  D extends Readonly<Record<string, T>> | undefined = undefined,
  W extends boolean = false,
>(
  element: Type<T>,
  options: OptionsOf<Readonly<Record<string, T>>, R, C, D, W>,
): ValueAttribute<Readonly<Record<string, T>>, PresenceOf<R, C, D, W>> {
  return attribute(TYPES.map(element), options);
}

/** One value with attributes of its own type; unlike a nested attribute its attributes have no options. */
export function object<
  A extends Readonly<Record<string, Type>>,
  R extends boolean = false,
  C extends boolean = false,
  W extends boolean = false,
>(
  attributes: A,
  options: OptionsOf<{ readonly [K in keyof A]: A[K] extends Type<infer T> ? T : never }, R, C, undefined, W>,
) {
  return attribute(TYPES.object(attributes), options);
}

function nested<N extends AttributeNesting>(nesting: N) {
  return <
    A extends Attributes,
    R extends boolean = false,
    C extends boolean = false,
    W extends boolean = false,
  >(
    attributes: A,
    options: OptionsOf<unknown, R, C, undefined, W>,
  ): NestedAttribute<A, N, PresenceOf<R, C, undefined, W>> => ({
    kind: 'nested',
    nesting,
    attributes,
    options,
  });
}

/** One object with attributes that have options of their own. */
export const singleNested = nested('single');
export const listNested = nested('list');
export const setNested = nested('set');
/** Objects by name. */
export const mapNested = nested('map');

type BlockContent<A extends Attributes, B extends Blocks> = BlockOptions & {
  readonly attributes: A;
  readonly blocks?: B;
};

function block<N extends BlockNesting>(nesting: N) {
  return <A extends Attributes, B extends Blocks = NoBlocks>({
    attributes,
    blocks,
    ...options
  }: BlockContent<A, B>): Block<A, B, N> => ({ nesting, attributes, blocks: blocks ?? ({} as B), options });
}

/** A block that appears at most once. */
export const singleBlock = block('single');
export const listBlock = block('list');
export const setBlock = block('set');
