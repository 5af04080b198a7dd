import type { Type, ValueOf } from '../values/type';

/** An argument of a function. */
export interface Parameter<T = unknown> {
  readonly name: string;
  readonly type: Type<T>;
  readonly description?: string;
}

/**
 * A function that is called as `provider::<provider>::<name>(...)`. It cannot use the provider's
 * configuration.
 */
export interface FunctionDefinition<P extends readonly Parameter[], V extends Parameter | undefined, R> {
  readonly name: string;
  /** A description in one line, as plain text. */
  readonly summary: string;
  /** A longer description, as Markdown. */
  readonly description?: string;
  readonly deprecated?: string;
  readonly parameters: P;
  /** The type of any number of further arguments. */
  readonly variadic?: V;
  readonly returns: Type<R>;
  /**
   * Computes the result. The arguments are known, and not null unless their types have
   * `types.nullable`.
   */
  call(...args: [...Arguments<P>, ...Rest<V>]): R | Promise<R>;
}

type Arguments<P extends readonly Parameter[]> = { [K in keyof P]: ValueOf<P[K]['type']> };
type Rest<V> = V extends Parameter<infer T> ? T[] : [];

/** A function of any shape, as the provider lists it. */
export type ProviderFunction = Omit<
  FunctionDefinition<readonly Parameter[], Parameter | undefined, unknown>,
  'call'
> & {
  call(...args: unknown[]): unknown;
};

/** Defines a function of a provider. */
export function defineFunction<
  const P extends readonly Parameter[],
  R,
  V extends Parameter | undefined = undefined,
>(definition: FunctionDefinition<P, V, R>): ProviderFunction {
  return definition;
}

/**
 * The refusal of an argument of a function. Terraform marks the argument at `position`, counted
 * from zero.
 */
export class ArgumentError extends Error {
  constructor(
    readonly position: number,
    message: string,
  ) {
    super(message);
    this.name = 'ArgumentError';
  }
}
