import type { StopProvider_Response } from '../wire/generated/tfplugin6';
import { Call, Deferral } from './call';
import type { ObjectValue } from './content';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import type { ProviderServer } from './provider-server';
import { shapeOf } from './shape';
import { fitStrictValues } from './strict-values';
import { warnOfShortSecrets } from './secret-values';

export const configureProvider: Handler<'configureProvider'> = async (server, request) => {
  const { content, codec, collectSecrets } = shapeOf(server.provider.schema);
  const call = new Call(server, {
    rpc: 'ConfigureProvider',
    client: request.clientCapabilities,
    configures: true,
  });
  const { terraformVersion } = request;
  const given = codec.decode(request.config) as ObjectValue;
  const config = fitStrictValues(content.attributes, given, call.diagnostics);
  if (config) {
    collectSecrets(config, call.mask);
    warnOfShortSecrets(collectSecrets, config, call.diagnostics);
    const data = await call.run(() => server.provider.configure({ config, terraformVersion }, call));
    if (data instanceof Deferral) {
      server.configure({ data: undefined, terraformVersion, deferred: data.reason });
    } else if (!call.diagnostics.hasErrors) {
      server.configure({ data, terraformVersion });
    }
  }
  return { diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets, content) };
};

export function stopProvider(server: ProviderServer): StopProvider_Response {
  server.stop();
  return { error: '' };
}
