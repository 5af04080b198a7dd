import type { LanguageVersion } from '../language/features';

/**
 * The known type of a value that a host passes to policies: a map with known keys, a text, or
 * anything.
 */
export type Shape = { readonly [key: string]: Shape } | 'any' | 'text';

/** The shape of all entries of a map whose keys are not known. */
export const ANY_KEY = '*';

/** The names and features that a host offers its policies. */
export interface Environment {
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
