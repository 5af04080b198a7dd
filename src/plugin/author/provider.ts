import type { Action, ActionDefinition } from './action';
import type { Context, DeferralContext } from './context';
import type { DataSource, DataSourceDefinition } from './data-source';
import type { EphemeralResource, EphemeralResourceDefinition } from './ephemeral-resource';
import type { ProviderFunction } from './function';
import type { Config, SchemaOf } from './inferred';
import type { ListResource, ListResourceDefinition } from './list-resource';
import type { Resource, ResourceDefinition } from './resource';
import { checkProvider } from './schema-check';
import type { Attributes, Blocks, NoBlocks, Schema } from './schema';

/** A provider: its configuration, its resources, and everything else that it offers. */
export interface ProviderDefinition<Data, S extends Schema> {
  /** The prefix of the types of its resources: `vaultadmin`. */
  readonly name: string;
  readonly version: string;
  readonly schema: S;

  /** Checks rules that concern several attributes. Unknown values must pass. */
  validate?(request: { config: Config<S> }, context: Context): void | Promise<void>;

  /**
   * Creates the value that handlers receive as `context.providerData`. Values may be unknown during
   * planning, and many commands never use a resource: connect when the first handler needs it.
   */
  configure(
    request: { config: Config<S>; terraformVersion: string },
    context: Context & DeferralContext,
  ): Data | Promise<Data>;

  /**
   * Called once for each value that `configure` returned, when Terraform has finished with the
   * provider. The time limit is about a second and a half: release resources such as tokens.
   */
  shutdown?(data: Data): void | Promise<void>;

  readonly resources?: readonly Resource<Data>[];
  readonly dataSources?: readonly DataSource<Data>[];
  readonly ephemeralResources?: readonly EphemeralResource<Data>[];
  readonly functions?: readonly ProviderFunction[];
  readonly listResources?: readonly ListResource<Data>[];
  readonly actions?: readonly Action<Data>[];
}

/** A provider of any shape, as it is served. */
export type Provider = ProviderDefinition<unknown, Schema>;

/**
 * Defines a provider.
 *
 * @throws Error with the resource and the attribute if a schema breaks Terraform's rules.
 */
export function defineProvider<Data, A extends Attributes, B extends Blocks = NoBlocks>(
  definition: ProviderDefinition<Data, SchemaOf<A, B>>,
): Provider;
export function defineProvider(definition: Provider): Provider {
  checkProvider(definition);
  return definition;
}

/**
 * Returns the functions that define resources and other objects whose handlers receive a `Data` as
 * `context.providerData`.
 *
 * @example
 * export const { resource, dataSource } = definitions<Connections>();
 * export const aclPolicy = resource({ name: 'acl_policy', schema, read });
 */
export function definitions<Data>(): Definitions<Data> {
  // The types of a schema only matter to the handlers of its own definition, so the result has one
  // type for all schemas.
  const asGiven = (definition: never): never => definition;
  return {
    resource: asGiven,
    dataSource: asGiven,
    ephemeralResource: asGiven,
    listResource: asGiven,
    action: asGiven,
  };
}

interface Definitions<Data> {
  resource<A extends Attributes, B extends Blocks = NoBlocks>(
    this: void,
    definition: ResourceDefinition<Data, SchemaOf<A, B>>,
  ): Resource<Data>;
  dataSource<A extends Attributes, B extends Blocks = NoBlocks>(
    this: void,
    definition: DataSourceDefinition<Data, SchemaOf<A, B>>,
  ): DataSource<Data>;
  ephemeralResource<A extends Attributes, B extends Blocks = NoBlocks>(
    this: void,
    definition: EphemeralResourceDefinition<Data, SchemaOf<A, B>>,
  ): EphemeralResource<Data>;
  listResource<A extends Attributes, B extends Blocks = NoBlocks>(
    this: void,
    definition: ListResourceDefinition<Data, SchemaOf<A, B>>,
  ): ListResource<Data>;
  action<A extends Attributes, B extends Blocks = NoBlocks>(
    this: void,
    definition: ActionDefinition<Data, SchemaOf<A, B>>,
  ): Action<Data>;
}
