import type { LanguageVersion } from '../language/features';

/** What is known about a value that a host gives to policies: a map with known keys, or anything. */
export type Shape = { readonly [key: string]: Shape } | 'any' | 'text';

/** The shape of all entries of a map whose keys are not known. */
export const ANY_KEY = '*';

/** What a host gives its policies. */
export interface Environment {
  /** Names that policies have without an import. */
  readonly globals: Readonly<Record<string, Shape>>;
  /** Imports that policies may use. */
  readonly imports: readonly string[];
  /** Imports that must be enabled on the host, with the setting that enables them. */
  readonly optionalImports?: Readonly<Record<string, string>>;
  /** The language features that the host supports. Default: all. */
  readonly language?: LanguageVersion;
  /** Whether parameters can be given a value. Those that cannot must have a default. */
  readonly hasParameters: boolean;
  /** Checks comparisons of a value with a literal text. Returns `undefined` if there is nothing to report. */
  readonly comparedText?: (path: string, operator: string, text: string) => ComparisonDoubt | undefined;
}

/** Why a comparison can never hold. */
export interface ComparisonDoubt {
  readonly problem: string;
  readonly hint?: string;
}
