import type { Action, ActionDefinition } from './action';
import type { Context, DeferralContext } from './context';
import type { DataSource, DataSourceDefinition } from './data-source';
import type { EphemeralResource, EphemeralResourceDefinition } from './ephemeral-resource';
import type { ProviderFunction } from './function';
import type { Config, SchemaOf } from './inferred';
import type { ListResource, ListResourceDefinition } from './list-resource';
import type { Resource, ResourceDefinition } from './resource';
import { checkPart, checkProvider } from './schema-check';
import type { Attributes, Blocks, NoBlocks, Schema } from './schema';

/** The types of the objects that a provider offers, by kind. */
interface ObjectTypes<Data> {
  resources: Resource<Data>;
  dataSources: DataSource<Data>;
  ephemeralResources: EphemeralResource<Data>;
  functions: ProviderFunction;
  listResources: ListResource<Data>;
  actions: Action<Data>;
}

/** A kind of objects that a provider offers. */
export type ObjectKind = keyof ObjectTypes<unknown>;

/** An object of a kind. */
export type ObjectOf<K extends ObjectKind> = ObjectTypes<unknown>[K];

/** The objects that a provider offers, by kind. */
export type ProviderObjects<Data> = {
  readonly [K in keyof ObjectTypes<Data>]?: readonly ObjectTypes<Data>[K][];
};

/** Objects of a provider that are loaded when Terraform first uses one of them. */
export interface ProviderPart<Data> {
  /** The names of the objects, such as `acl_policy`. */
  readonly names: readonly string[];
  readonly load: () => ProviderObjects<Data>;
}

/** A provider: its configuration, its resources, and everything else that it offers. */
export interface ProviderDefinition<Data, S extends Schema> extends ProviderObjects<Data> {
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

  /** Further objects: a process of the provider loads only the parts that it needs. */
  readonly parts?: readonly ProviderPart<Data>[];
}

/** A provider of any shape, as it is served. */
export type Provider = ProviderDefinition<unknown, Schema>;

/**
 * Defines a provider. The schemas of a part are checked when it is loaded.
 *
 * @throws Error with the resource and the attribute if a schema breaks Terraform's rules.
 */
export function defineProvider<Data, A extends Attributes, B extends Blocks = NoBlocks>(
  definition: ProviderDefinition<Data, SchemaOf<A, B>>,
): Provider;
export function defineProvider(definition: Provider): Provider {
  checkProvider(definition);
  const parts = definition.parts?.map((part) => {
    let loaded: ProviderObjects<unknown> | undefined;
    const load = () => {
      if (loaded) return loaded;
      const objects = part.load();
      checkPart(definition.name, part.names, objects);
      return (loaded = objects);
    };
    return { ...part, load };
  });
  return { ...definition, ...(parts && { parts }) };
}

/** Returns all objects of a kind. Loads all parts of the provider. */
export function allOf<K extends ObjectKind>(provider: Provider, kind: K): readonly ObjectOf<K>[] {
  const parts = (provider.parts ?? []).map((part) => part.load());
  return [provider, ...parts].flatMap((objects: ProviderObjects<unknown>) => objects[kind] ?? []);
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
