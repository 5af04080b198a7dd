import type { Type, ValueOf } from '../values/type';

/** An argument of a function. */
export interface Parameter<T = unknown> {
  readonly name: string;
  readonly type: Type<T>;
  readonly description?: string;
}

/** A function that is called as `provider::<provider>::<name>(...)`. It sees no configuration of the provider. */
export interface FunctionDefinition<P extends readonly Parameter[], V extends Parameter | undefined, R> {
  readonly name: string;
  /** In one line, as plain text. */
  readonly summary: string;
  /** As Markdown. */
  readonly description?: string;
  readonly deprecated?: string;
  readonly parameters: P;
  /** Takes any number of further arguments. */
  readonly variadic?: V;
  readonly returns: Type<R>;
  /** Gets arguments that are known, and not null unless their types say `types.nullable`. */
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

/** Refuses an argument of a function: Terraform marks the one at `position`, counted from zero. */
export class ArgumentError extends Error {
  constructor(
    readonly position: number,
    message: string,
  ) {
    super(message);
    this.name = 'ArgumentError';
  }
}
