import { parseExactJson } from '../wire/state-json';
import { advice } from './advice';
import { Call, Deferral } from './call';
import { complete, type ObjectValue } from './content';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { identityOf } from './identity';
import { shapeOf } from './shape';

export const moveResourceState: Handler<'moveResourceState'> = async (server, request) => {
  const resource = server.resource(request.targetTypeName);
  const { content, codec } = shapeOf(resource.schema);
  // Handlers do not understand the private state of another provider.
  const isOwn = request.sourceTypeName.startsWith(`${server.provider.name}_`);
  const call = new Call(server, {
    rpc: 'MoveResourceState',
    typeName: request.targetTypeName,
    privateBytes: isOwn ? request.sourcePrivate : undefined,
  });
  const moved = await call.run(async () => {
    const partial = await resource.move?.(
      {
        providerAddress: request.sourceProviderAddress,
        type: request.sourceTypeName,
        schemaVersion: request.sourceSchemaVersion,
        state: parseExactJson(request.sourceState?.json ?? new Uint8Array(0)) as ObjectValue,
      },
      call,
    );
    if (partial === undefined) {
      call.diagnostics.error(
        'Move is not supported',
        `An object of type ${request.targetTypeName} cannot be made from a ${request.sourceTypeName} of ` +
          `${request.sourceProviderAddress}.\n\n` +
          advice(
            'remove the moved block. The next apply then deletes the old object and creates a new one; to keep the old ' +
              'one, write a removed block for it with lifecycle { destroy = false }',
          ),
      );
      return undefined;
    }
    const state = complete(content, partial);
    return { targetState: codec.encode(state), targetIdentity: identityOf(resource.identity, state) };
  });
  return {
    ...(moved instanceof Deferral ? {} : moved),
    targetPrivate: call.privateState.toBytes(),
    diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets),
  };
};
