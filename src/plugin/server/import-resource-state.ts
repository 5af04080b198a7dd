import type { ImportRequest } from '../author/resource';
import { valueCodec } from '../wire/dynamic-value';
import { Call, Deferral, deferredMessage } from './call';
import { complete, type ObjectValue } from './content';
import { shownIn } from './credentials';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { identityOf, identityType } from './identity';
import { shapeOf } from './shape';

export const importResourceState: Handler<'importResourceState'> = async (server, request) => {
  const { typeName } = request;
  const resource = server.resource(typeName);
  const { content, codec } = shapeOf(resource.schema);
  const call = new Call(server, { rpc: 'ImportResourceState', typeName, client: request.clientCapabilities });
  const imported = await call.run(async () => {
    if (!resource.import) {
      call.diagnostics.error('Import is not supported', `Objects of type ${typeName} cannot be imported.`);
      return undefined;
    }
    const asked = importRequest();
    const found = complete(content, await resource.import(asked, call));
    call.compared(content, found, shownIn(asked));
    // Terraform compares this identity with the one after the read. The requested identity may lack
    // attributes, so it is not returned.
    const identity = request.identity && identityOf(resource.identity, found);
    return { state: codec.encode(found), identity };
  });
  const stored = call.storedPrivate();
  const diagnostics = diagnosticMessages(call.diagnostics.list, server.secrets);
  if (imported instanceof Deferral) {
    return { importedResources: [], diagnostics, deferred: deferredMessage(imported.reason) };
  }
  if (imported === undefined) return { importedResources: [], diagnostics };
  const state = { typeName, ...imported, private: stored };
  return { importedResources: [state], diagnostics };

  function importRequest(): ImportRequest {
    if (!request.identity || !resource.identity) return { id: request.id };
    const codec = valueCodec(identityType(resource.identity));
    return { identity: codec.decode(request.identity.identityData) as ObjectValue };
  }
};
