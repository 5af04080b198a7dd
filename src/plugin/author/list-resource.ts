import type { ConfiguredContext, Context } from './context';
import type { AppliedConfig, Config } from './inferred';
import type { Schema } from './schema';

/** One object of a list. */
export interface Listed {
  /** The identity of the object, as the resource of the same name defines it. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** The name of the object for people. */
  readonly displayName: string;
}

/**
 * The objects that a resource can manage, for `terraform query` (Terraform 1.14 and later). If the
 * query includes their states, each object is imported by its identity and read.
 */
export interface ListResourceDefinition<Data, S extends Schema> {
  /** The name of the resource, which must have an identity and support import by it. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context): void | Promise<void>;

  /**
   * Returns the objects one by one: Terraform may stop after any number of them. Warnings during
   * the list are shown with the objects; an error ends it.
   */
  list(request: { config: AppliedConfig<S> }, context: ConfiguredContext<Data>): AsyncIterable<Listed>;
}

/** A list resource of any shape, as the provider lists it. */
export type ListResource<Data = unknown> = ListResourceDefinition<Data, Schema>;
