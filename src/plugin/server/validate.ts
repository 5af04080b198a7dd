import type { ClientContext, Context } from '../author/context';
import type { Config } from '../author/inferred';
import type { ObjectKind } from '../author/provider';
import type { Schema } from '../author/schema';
import type { ClientCapabilities, Diagnostic, DynamicValue } from '../wire/generated/tfplugin6';
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

export function validateProviderConfig(server: ProviderServer, request: ValidationRequest) {
  return validate(server, server.provider, request, { rpc: 'ValidateProviderConfig' });
}

export const validateResourceConfig = validating('ValidateResourceConfig', 'resources');
export const validateDataResourceConfig = validating('ValidateDataResourceConfig', 'dataSources');
export const validateEphemeralResourceConfig = validating(
  'ValidateEphemeralResourceConfig',
  'ephemeralResources',
);
export const validateListResourceConfig = validating('ValidateListResourceConfig', 'listResources');
export const validateActionConfig = validating('ValidateActionConfig', 'actions');

function validating(rpc: string, kind: Exclude<ObjectKind, 'functions'>) {
  return (server: ProviderServer, request: ValidationRequest & { readonly typeName: string }) => {
    const definition: Validated = server.definition(kind, request.typeName);
    return validate(server, definition, request, { rpc, typeName: request.typeName });
  };
}

async function validate(
  server: ProviderServer,
  definition: Validated,
  request: ValidationRequest,
  names: { readonly rpc: string; readonly typeName?: string },
): Promise<{ diagnostics: Diagnostic[] }> {
  const { content, codec, collectSecrets } = shapeOf(definition.schema);
  const call = new Call(server, { ...names, client: request.clientCapabilities });
  const given = codec.decode(request.config) as ObjectValue;
  const config = fitStrictValues(content.attributes, given, call.diagnostics);
  if (config) {
    collectSecrets(config, call.mask);
    const check = new ConfigCheck(call.clientCapabilities, call.diagnostics);
    check.check(content, config);
    // Handlers rely on the types of elements.
    if (definition.validate && check.isWhole) await call.run(() => definition.validate?.({ config }, call));
  }
  return { diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets, content) };
}
