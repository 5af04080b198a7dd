import { Call, Deferral, deferredMessage } from './call';
import type { ObjectValue } from './content';
import { shownBy } from './credentials';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { identityOf } from './identity';
import { readForm } from './same-meaning';
import { shapeOf } from './shape';

export const readResource: Handler<'readResource'> = async (server, request) => {
  const resource = server.resource(request.typeName);
  const { content, codec, collectSecrets } = shapeOf(resource.schema);
  const call = new Call(server, {
    rpc: 'ReadResource',
    typeName: request.typeName,
    client: request.clientCapabilities,
    privateBytes: request.private,
  });
  const unchanged = {
    newState: request.currentState,
    newIdentity: request.currentIdentity,
    private: request.private,
  };
  const { deferred } = server.configuration;
  if (deferred) return { ...unchanged, diagnostics: [], deferred: deferredMessage(deferred) };

  const state = codec.decode(request.currentState) as ObjectValue;
  collectSecrets(state, call.mask);
  const read = await call.run(async () => {
    const read = await resource.read({ state }, call);
    const found = read && call.compared(content, readForm(content, read, state), shownBy(content, state));
    return { newState: codec.encode(found), newIdentity: identityOf(resource.identity, found) };
  });
  const stored = call.storedPrivate();
  const diagnostics = diagnosticMessages(call.diagnostics.list, server.secrets, content);
  if (read instanceof Deferral) return { ...unchanged, diagnostics, deferred: deferredMessage(read.reason) };
  if (read === undefined) return { ...unchanged, diagnostics };
  return { ...read, private: stored, diagnostics };
};
