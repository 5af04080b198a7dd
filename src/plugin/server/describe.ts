import type {
  GetProviderSchema_Response,
  GetFunctions_Response,
  GetMetadata_Response,
  GetResourceIdentitySchemas_Response,
  Schema as SchemaMessage,
} from '../wire/generated/tfplugin6';
import type { Provider } from '../author/provider';
import type { Schema } from '../author/schema';
import { functionMessage, identitySchemaMessage, schemaMessage, type Description } from './schema-message';

/** The parts of a server that descriptions need; no configuration is required. */
interface Described {
  readonly provider: Provider;
}

const SERVER_CAPABILITIES = {
  /** Terraform then also plans destroys, for which providers can warn. */
  planDestroy: true,
  /**
   * Terraform then reads the schema from one process, and not from the other processes of a
   * command.
   */
  getProviderSchemaOptional: true,
  moveResourceState: true,
  generateResourceConfig: true,
};

export function getMetadata({ provider }: Described): GetMetadata_Response {
  const typeNames = (definitions: readonly { name: string }[] = []) =>
    definitions.map(({ name }) => ({ typeName: `${provider.name}_${name}` }));
  return {
    serverCapabilities: SERVER_CAPABILITIES,
    diagnostics: [],
    resources: typeNames(provider.resources),
    dataSources: typeNames(provider.dataSources),
    ephemeralResources: typeNames(provider.ephemeralResources),
    listResources: typeNames(provider.listResources),
    actions: typeNames(provider.actions),
    functions: (provider.functions ?? []).map(({ name }) => ({ name })),
  };
}

export function getProviderSchema(
  { provider }: Described,
  _request?: unknown,
  description?: Description,
): GetProviderSchema_Response {
  return {
    provider: schemaMessage(provider.schema, description),
    resourceSchemas: schemaMessages(provider, provider.resources),
    dataSourceSchemas: schemaMessages(provider, provider.dataSources),
    ephemeralResourceSchemas: schemaMessages(provider, provider.ephemeralResources),
    listResourceSchemas: schemaMessages(provider, provider.listResources),
    actionSchemas: Object.fromEntries(
      Object.entries(schemaMessages(provider, provider.actions)).map(([type, schema]) => [type, { schema }]),
    ),
    functions: functionMessages(provider),
    serverCapabilities: SERVER_CAPABILITIES,
    diagnostics: [],
  };
}

function schemaMessages(
  provider: Provider,
  definitions: readonly { name: string; schema: Schema }[] = [],
): Record<string, SchemaMessage> {
  return Object.fromEntries(
    definitions.map(({ name, schema }) => [`${provider.name}_${name}`, schemaMessage(schema)]),
  );
}

export function getFunctions({ provider }: Described): GetFunctions_Response {
  return { functions: functionMessages(provider), diagnostics: [] };
}

function functionMessages(provider: Provider) {
  return Object.fromEntries((provider.functions ?? []).map((each) => [each.name, functionMessage(each)]));
}

export function getResourceIdentitySchemas({ provider }: Described): GetResourceIdentitySchemas_Response {
  return {
    identitySchemas: Object.fromEntries(
      (provider.resources ?? []).flatMap(({ name, identity }) =>
        identity ? [[`${provider.name}_${name}`, identitySchemaMessage(identity)]] : [],
      ),
    ),
    diagnostics: [],
  };
}
