import { Call, Deferral, deferredMessage } from './call';
import type { ObjectValue } from './content';
import { shownBy } from './credentials';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { shapeOf } from './shape';

export const readDataSource: Handler<'readDataSource'> = async (server, request) => {
  const source = server.definition('dataSources', request.typeName);
  const { content, codec, collectSecrets } = shapeOf(source.schema);
  const call = new Call(server, {
    rpc: 'ReadDataSource',
    typeName: request.typeName,
    client: request.clientCapabilities,
  });
  const { deferred } = server.configuration;
  if (deferred) return { state: request.config, diagnostics: [], deferred: deferredMessage(deferred) };

  const config = codec.decode(request.config) as ObjectValue;
  collectSecrets(config, call.mask);
  const state = await call.run(async () => {
    const found = call.compared(content, await source.read({ config }, call), shownBy(content, config));
    collectSecrets(found, call.mask);
    return codec.encode(found);
  });
  const diagnostics = diagnosticMessages(call.diagnostics.list, server.secrets, content);
  if (state instanceof Deferral) {
    return { state: request.config, diagnostics, deferred: deferredMessage(state.reason) };
  }
  return { state, diagnostics };
};
