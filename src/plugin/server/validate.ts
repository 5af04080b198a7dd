import type { ClientContext, Context } from '../author/context';
import type { Config } from '../author/inferred';
import type { Schema } from '../author/schema';
import type {
  ClientCapabilities,
  Diagnostic,
  DynamicValue,
  ValidateActionConfig_Request,
  ValidateDataResourceConfig_Request,
  ValidateEphemeralResourceConfig_Request,
  ValidateListResourceConfig_Request,
  ValidateProviderConfig_Request,
  ValidateResourceConfig_Request,
} from '../wire/generated/tfplugin6';
import { Call } from './call';
import { ConfigCheck } from './check-config';
import type { ObjectValue } from './content';
import { diagnosticMessages } from './diagnostics';
import type { ProviderServer } from './provider-server';
import { shapeOf } from './shape';
import { fitStrictValues } from './strict-values';

interface Validated {
  readonly schema: Schema;
  validate?(request: { config: Config<Schema> }, context: Context & ClientContext): void | Promise<void>;
}

interface ValidationRequest {
  readonly config?: DynamicValue | undefined;
  readonly clientCapabilities?: ClientCapabilities | undefined;
}

export async function validateProviderConfig(
  server: ProviderServer,
  request: ValidateProviderConfig_Request,
) {
  return { diagnostics: await validate(server, server.provider, request, 'ValidateProviderConfig') };
}

export async function validateResourceConfig(
  server: ProviderServer,
  request: ValidateResourceConfig_Request,
) {
  const definition = server.resource(request.typeName);
  return { diagnostics: await validate(server, definition, request, 'ValidateResourceConfig') };
}

export async function validateDataResourceConfig(
  server: ProviderServer,
  request: ValidateDataResourceConfig_Request,
) {
  const definition = server.dataSource(request.typeName);
  return { diagnostics: await validate(server, definition, request, 'ValidateDataResourceConfig') };
}

export async function validateEphemeralResourceConfig(
  server: ProviderServer,
  request: ValidateEphemeralResourceConfig_Request,
) {
  const definition = server.ephemeralResource(request.typeName);
  return { diagnostics: await validate(server, definition, request, 'ValidateEphemeralResourceConfig') };
}

export async function validateListResourceConfig(
  server: ProviderServer,
  request: ValidateListResourceConfig_Request,
) {
  const definition = server.listResource(request.typeName);
  return { diagnostics: await validate(server, definition, request, 'ValidateListResourceConfig') };
}

export async function validateActionConfig(server: ProviderServer, request: ValidateActionConfig_Request) {
  const definition = server.action(request.typeName);
  return { diagnostics: await validate(server, definition, request, 'ValidateActionConfig') };
}

async function validate(
  server: ProviderServer,
  definition: Validated,
  request: ValidationRequest & { readonly typeName?: string },
  rpc: string,
): Promise<Diagnostic[]> {
  const { content, codec, collectSecrets } = shapeOf(definition.schema);
  const call = new Call(server, { rpc, typeName: request.typeName, client: request.clientCapabilities });
  const given = codec.decode(request.config) as ObjectValue;
  const config = fitStrictValues(content.attributes, given, call.diagnostics);
  if (config) {
    collectSecrets(config, call.mask);
    new ConfigCheck(call.clientCapabilities, call.diagnostics).check(content, config);
    if (definition.validate) await call.run(() => definition.validate?.({ config }, call));
  }
  return diagnosticMessages(call.diagnostics.list, server.secrets, content);
}
