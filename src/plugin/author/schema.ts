import { TYPES, type Dynamic, type Type } from '../values/type';
import type { TerraformNumber } from '../values/number';
import type { PlanModifier } from './plan-modifiers';
import type { Validator } from './validators';

/**
 * The party that sets an attribute, for its TypeScript type. `defaulted` is optional with a
 * default, and so never null in plan and state; `computed` covers optional and computed.
 */
export type Presence = 'required' | 'optional' | 'computed' | 'defaulted' | 'write_only';

/**
 * The options of any attribute. Exactly one of required, optional, computed, or optional and
 * computed must be set.
 */
export interface AttributeOptions<T> {
  /** Whether the configuration must contain it. */
  readonly required?: boolean;
  /** Whether the configuration may contain it. */
  readonly optional?: boolean;
  /** Whether the provider sets it; with `optional`, only if the configuration does not. */
  readonly computed?: boolean;
  /**
   * The planned value of an optional attribute that is not set. Makes it computed, which Terraform
   * requires.
   */
  readonly default?: T;
  /**
   * Whether it is a secret: hidden in Terraform's output and masked in logs and diagnostics. It is
   * stored in the state.
   */
  readonly sensitive?: boolean;
  /**
   * Whether a text of a sensitive attribute is masked. Return false for words that messages need
   * and that are not secret. In a map or an object, `key` is the name of the entry with the text.
   *
   * @default - all
   */
  readonly isSecret?: (text: string, key?: string) => boolean;
  /**
   * For a nested attribute of the provider's configuration: whether unknown names in it are errors.
   * Terraform silently drops unknown names from attributes whose type it knows, so the type of a
   * strict attribute is hidden from it.
   *
   * @default false
   */
  readonly strict?: boolean;
  /** Whether it is in the configuration only, and null in plan and state. Needs Terraform 1.11. */
  readonly writeOnly?: boolean;
  /** The purpose, as Markdown. */
  readonly description?: string;
  /** A warning for users who set it, with the replacement. */
  readonly deprecated?: string;
  /** Called with values that are known and not null. */
  readonly validators?: readonly Validator<T>[];
  readonly planModifiers?: readonly PlanModifier[];
  /**
   * Whether two values have the same meaning: `24h` and `86400`. A plan or a read then keeps the
   * stored form of the value. The values are wholly known; in a read, they may be null.
   *
   * @default - only equal values do
   */
  readonly sameMeaning?: (one: unknown, other: unknown) => boolean;
}

/** The options of an attribute of any type. */
export type AnyOptions = Omit<AttributeOptions<never>, 'default'> & { readonly default?: unknown };

/** The flags of {@link AttributeOptions} that determine TypeScript types. */
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
  /** Only for the type checker. */
  readonly presence?: P;
}

/**
 * An attribute that holds one object, or a list, set or map of objects, whose attributes have their
 * own options.
 */
export interface NestedAttribute<
  A extends Attributes = Attributes,
  N extends AttributeNesting = AttributeNesting,
  P extends Presence = Presence,
> {
  readonly kind: 'nested';
  readonly nesting: N;
  readonly attributes: A;
  readonly options: AnyOptions;
  /** Only for the type checker. */
  readonly presence?: P;
}

export type AttributeNesting = 'single' | 'list' | 'set' | 'map';
export type Attribute = ValueAttribute | NestedAttribute;
export interface Attributes {
  readonly [name: string]: Attribute;
}

/**
 * A nested block: `name { ... }`. Without blocks, a list or set of blocks is empty, and a single
 * block is null.
 */
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
  /** The minimum number of blocks; for a single block, 1 makes it required. */
  readonly minItems?: number;
  readonly maxItems?: number;
}

export type BlockNesting = 'single' | 'list' | 'set';
export interface Blocks {
  readonly [name: string]: Block;
}
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- no blocks at all, unlike a record of any blocks
export type NoBlocks = {};

/** The schema of a resource, data source, ephemeral resource or of the provider's configuration. */
export interface Schema<A extends Attributes = Attributes, B extends Blocks = Blocks> {
  /**
   * The version, which is increased when the format of the state changes; see `upgrade` of a
   * resource. Default: 0.
   */
  readonly version?: number;
  /** The purpose, as Markdown. */
  readonly description?: string;
  /** A warning for its users, with the replacement. */
  readonly deprecated?: string;
  readonly attributes: A;
  readonly blocks?: B;
}

type OptionsOf<T, R, C, D, W> = Omit<AttributeOptions<T>, keyof Flags<R, C, D, W>> & Flags<R, C, D, W>;

/**
 * Defines an attribute of any type; for the usual types, {@link string} and similar functions are
 * shorter.
 */
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
/** Any number without rounding: see {@link TerraformNumber}. */
export const number: Of<TerraformNumber> = (options) => attribute(TYPES.number, options);
export const bool: Of<boolean> = (options) => attribute(TYPES.bool, options);
/** A value whose type the user chooses. */
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

/**
 * Defines one value with attributes of its own type; unlike those of a nested attribute, its
 * attributes have no options.
 */
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

/** One object whose attributes have their own options. */
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
