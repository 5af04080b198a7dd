import type { LanguageVersion } from '../language/features';

/**
 * The known type of a value that a host passes to policies: a map with known keys, a list with the
 * shape of its elements, one of several words, a whole number, a function, or a type by its name.
 */
export type Shape =
  { readonly [key: string]: Shape } | readonly [Shape] | Words | WholeNumbers | Returning | NamedShape;

type NamedShape = 'any' | 'text' | 'int' | 'float' | 'bool' | 'null' | 'undefined';

/** A text that is always one of some words. */
export class Words {
  readonly words: readonly string[];
  /** A noun for each word, with its article: `an operation`. */
  readonly noun: string;

  constructor(words: readonly string[], noun: string) {
    this.words = words;
    this.noun = noun;
  }
}

/** An int in a range. */
export class WholeNumbers {
  readonly least: bigint;
  /** The greatest number; absent without a limit. */
  readonly greatest: bigint | undefined;

  constructor(least: bigint, greatest?: bigint) {
    this.least = least;
    this.greatest = greatest;
  }
}

/** A function, with the shape of its result. */
export class Returning {
  readonly result: () => Shape;
  /** The name of the function, if it is built into the language. */
  readonly name: string | undefined;

  constructor(result: () => Shape, name?: string) {
    this.result = result;
    this.name = name;
  }
}

/** The shape of all entries of a map whose keys are not known. */
export const ANY_KEY = '*';

/** A map with known keys, or with any keys. */
export type MapShape = { readonly [key: string]: Shape };

export function isMapShape(shape: Shape | undefined): shape is MapShape {
  return (
    typeof shape === 'object' &&
    !Array.isArray(shape) &&
    !(shape instanceof Words || shape instanceof WholeNumbers || shape instanceof Returning)
  );
}

/**
 * Returns the name of a shape's type, as `types.type_of` does; `undefined` if the type is not
 * known.
 */
export function typeOfShape(shape: Shape | undefined): string | undefined {
  if (shape === undefined || shape === 'any') return undefined;
  if (typeof shape === 'string') return shape === 'text' ? 'string' : shape;
  if (shape instanceof Words) return 'string';
  if (shape instanceof WholeNumbers) return 'int';
  if (shape instanceof Returning) return 'function';
  return isMapShape(shape) ? 'map' : 'list';
}

/** The names and features that a host offers its policies. */
export interface PolicyEnvironment {
  /** The names that policies have without an import. */
  readonly globals: Readonly<Record<string, Shape>>;
  /** The imports that policies may use. */
  readonly imports: readonly string[];
  /** The imports that must be enabled on the host, with the setting that enables them. */
  readonly optionalImports?: Readonly<Record<string, string>>;
  /** The language features that the host supports. Default: all. */
  readonly language?: LanguageVersion;
  /** Whether parameters can be given a value. If not, every parameter must have a default. */
  readonly hasParameters: boolean;
  /**
   * Checks comparisons of a value with a literal text. Returns `undefined` if there is nothing to
   * report.
   */
  readonly comparedText?: (path: string, operator: string, text: string) => ComparisonDoubt | undefined;
}

/** The reason why a comparison can never hold. */
export interface ComparisonDoubt {
  readonly problem: string;
  readonly hint?: string;
}
