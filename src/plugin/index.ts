/**
 * Terraform's plugin protocol 6 for Node: define a provider, and serve it.
 *
 * @example
 * const { resource } = definitions<Api>();
 * const note = resource({
 *   name: 'note',
 *   schema: {
 *     attributes: {
 *       id: string({ computed: true, planModifiers: [useStateForUnknown()] }),
 *       text: string({ required: true }),
 *     },
 *   },
 *   create: async ({ plan }, { providerData: api }) => ({ ...plan, id: await api.add(plan.text) }),
 *   read: async ({ state }, { providerData: api }) => ((await api.has(state.id!)) ? state : null),
 *   update: async ({ plan, state }, { providerData: api }) => {
 *     await api.change(state.id!, plan.text);
 *     return { ...plan, id: state.id };
 *   },
 *   delete: ({ state }, { providerData: api }) => api.remove(state.id!),
 *   import: ({ id }) => ({ id }),
 * });
 * const provider = defineProvider({
 *   name: 'acme',
 *   version: '1.0.0',
 *   schema: { attributes: { url: string({ required: true }) } },
 *   configure: ({ config }) => new Api(config.url),
 *   resources: [note],
 * });
 * void serve(provider, { address: 'example.com/me/acme' });
 */
export { UNKNOWN, isKnown, isWhollyKnown, type Unknown } from './values/unknown';
export { Decimal, type TerraformNumber } from './values/number';
export { Dynamic, TYPES as types, type Type, type TypeJson } from './values/type';

export {
  definitions,
  defineProvider,
  type Provider,
  type ProviderDefinition,
  type ProviderObjects,
  type ProviderPart,
} from './author/provider';
export type {
  ApplyContext,
  Identity,
  ImportRequest,
  MoveRequest,
  PlanContext,
  RawState,
  Resource,
  ResourceDefinition,
} from './author/resource';
export type { Action, ActionContext, ActionDefinition } from './author/action';
export type { DataSource, DataSourceDefinition } from './author/data-source';
export type { Listed, ListResource, ListResourceDefinition } from './author/list-resource';
export type {
  EphemeralResource,
  EphemeralResourceDefinition,
  Opened,
  RenewedUntil,
} from './author/ephemeral-resource';
export {
  ArgumentError,
  defineFunction,
  type FunctionDefinition,
  type ProviderFunction,
} from './author/function';
export {
  attribute,
  bool,
  dynamic,
  integer,
  list,
  listBlock,
  listNested,
  map,
  mapNested,
  number,
  object,
  set,
  setBlock,
  setNested,
  singleBlock,
  singleNested,
  string,
  type Attribute,
  type Attributes,
  type Block,
  type Blocks,
  type Schema,
  type ValueAttribute,
} from './author/schema';
export type { AppliedConfig, Config, Plan, SchemaOf, State } from './author/inferred';
export { between, matching, oneOf, sized, type Validator } from './author/validators';
export {
  requiresReplace,
  requiresReplaceIf,
  useStateForUnknown,
  type PlanModifier,
  type PlanModifierRequest,
} from './author/plan-modifiers';
export { DiagnosticError, type Diagnostic, Diagnostics, type Path } from './author/diagnostics';
export type {
  ClientCapabilities,
  ClientContext,
  ConfiguredContext,
  Context,
  DeferralContext,
  DeferralReason,
  Log,
  LogFields,
  PrivateState,
} from './author/context';
export { serve, type ServeOptions } from './serve';
export { startReattachServer, type ReattachServer } from './reattach';
export { providerSchemaJson } from './schema-json';
