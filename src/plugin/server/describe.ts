import type {
  GetProviderSchema_Response,
  GetFunctions_Response,
  GetMetadata_Response,
  GetResourceIdentitySchemas_Response,
  Schema as SchemaMessage,
} from '../wire/generated/tfplugin6';
import { allOf, type ObjectKind, type Provider } from '../author/provider';
import { functionMessage, identitySchemaMessage, schemaMessage, type Description } from './schema-message';

/** The parts of a server that descriptions need; no configuration is required. */
interface Described {
  readonly provider: Provider;
}

const SERVER_CAPABILITIES = {
  /** Makes Terraform plan destroys as well, so that providers can warn. */
  planDestroy: true,
  /** Makes Terraform read the schema from one process of a command only. */
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

export function getMetadata({ provider }: Described): GetMetadata_Response {
  const typeNames = (kind: ObjectKind) =>
    allOf(provider, kind).map(({ name }) => ({ typeName: `${provider.name}_${name}` }));
  return {
    serverCapabilities: SERVER_CAPABILITIES,
    diagnostics: [],
    resources: typeNames('resources'),
    dataSources: typeNames('dataSources'),
    ephemeralResources: typeNames('ephemeralResources'),
    listResources: typeNames('listResources'),
    actions: typeNames('actions'),
    functions: allOf(provider, 'functions').map(({ name }) => ({ name })),
  };
}

export function getProviderSchema(
  { provider }: Described,
  _request?: unknown,
  description?: Description,
): GetProviderSchema_Response {
  return {
    provider: schemaMessage(provider.schema, description),
    resourceSchemas: schemaMessages(provider, 'resources'),
    dataSourceSchemas: schemaMessages(provider, 'dataSources'),
    ephemeralResourceSchemas: schemaMessages(provider, 'ephemeralResources'),
    listResourceSchemas: schemaMessages(provider, 'listResources'),
    actionSchemas: Object.fromEntries(
      Object.entries(schemaMessages(provider, 'actions')).map(([type, schema]) => [type, { schema }]),
    ),
    functions: functionMessages(provider),
    serverCapabilities: SERVER_CAPABILITIES,
    diagnostics: [],
  };
}

function schemaMessages(
  provider: Provider,
  kind: Exclude<ObjectKind, 'functions'>,
): Record<string, SchemaMessage> {
  return Object.fromEntries(
    allOf(provider, kind).map(({ name, schema }) => [`${provider.name}_${name}`, schemaMessage(schema)]),
  );
}

export function getFunctions({ provider }: Described): GetFunctions_Response {
  return { functions: functionMessages(provider), diagnostics: [] };
}

function functionMessages(provider: Provider) {
  return Object.fromEntries(allOf(provider, 'functions').map((each) => [each.name, functionMessage(each)]));
}

export function getResourceIdentitySchemas({ provider }: Described): GetResourceIdentitySchemas_Response {
  return {
    identitySchemas: Object.fromEntries(
      allOf(provider, 'resources').flatMap(({ name, identity }) =>
        identity ? [[`${provider.name}_${name}`, identitySchemaMessage(identity)]] : [],
      ),
    ),
    diagnostics: [],
  };
}
