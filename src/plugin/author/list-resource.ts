import type { ConfiguredContext, Context } from './context';
import type { AppliedConfig, Config } from './inferred';
import type { Schema } from './schema';

/** One object of a list. */
export interface Listed {
  /** The values of the identity of the resource that has the same name. */
  readonly identity: Readonly<Record<string, unknown>>;
  /** How people call the object. */
  readonly displayName: string;
}

/**
 * The objects that a resource can manage, for `terraform query` (Terraform 1.14 and later). If their states are wanted, each
 * is imported by its identity and read.
 */
export interface ListResourceDefinition<Data, S extends Schema> {
  /** The name of the resource, which has an identity and can be imported by it. */
  readonly name: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context): void | Promise<void>;

  /**
   * Finds the objects one by one: no more are asked for than are wanted. Warnings that are given on the way are shown beside
   * what was found; an error ends the list.
   */
  list(request: { config: AppliedConfig<S> }, context: ConfiguredContext<Data>): AsyncIterable<Listed>;
}

/** A list resource of any shape, as the provider lists it. */
export type ListResource<Data = unknown> = ListResourceDefinition<Data, Schema>;
