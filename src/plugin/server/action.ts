import { visibleLines } from '../../text';
import type { InvokeAction_Event, InvokeAction_Request } from '../wire/generated/tfplugin6';
import { Call, deferredMessage } from './call';
import type { ObjectValue } from './content';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import type { ProviderServer } from './provider-server';
import { shapeOf } from './shape';

export const planAction: Handler<'planAction'> = async (server, request) => {
  const action = server.definition('actions', request.actionType);
  const { content, codec, collectSecrets } = shapeOf(action.schema);
  const call = new Call(server, {
    rpc: 'PlanAction',
    typeName: request.actionType,
    client: request.clientCapabilities,
  });
  const { deferred } = server.configuration;
  if (deferred) return { diagnostics: [], deferred: deferredMessage(deferred) };
  const config = codec.decode(request.config) as ObjectValue;
  collectSecrets(config, call.mask);
  await call.run(() => action.plan?.({ config }, call));
  return { diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets, content) };
};

/** Runs an action, and sends its progress. */
export async function* invokeAction(
  server: ProviderServer,
  request: InvokeAction_Request,
): AsyncGenerator<InvokeAction_Event> {
  const action = server.definition('actions', request.actionType);
  const { content, codec, collectSecrets } = shapeOf(action.schema);
  const call = new Call(server, { rpc: 'InvokeAction', typeName: request.actionType });
  const config = codec.decode(request.config) as ObjectValue;
  collectSecrets(config, call.mask);

  const messages: string[] = [];
  let wake = () => {};
  const progress = (message: string) => {
    messages.push(visibleLines(server.secrets.hide(message)));
    wake();
  };
  let isDone = false;
  const context = Object.assign(call, { progress });
  const done = call
    .run(() => action.invoke({ config }, context))
    .then(() => {
      isDone = true;
      wake();
    });
  for (;;) {
    while (messages.length > 0) {
      yield { type: { $case: 'progress', progress: { message: messages.shift()! } } };
    }
    if (isDone) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
      if (messages.length > 0 || isDone) resolve();
    });
  }
  await done;
  const diagnostics = diagnosticMessages(call.diagnostics.list, server.secrets, content);
  yield { type: { $case: 'completed', completed: { diagnostics } } };
}
