import type { Resource } from '../author/resource';
import { NULL_VALUE } from '../wire/dynamic-value';
import type { PlanResourceChange_Response } from '../wire/generated/tfplugin6';
import { Call, Deferral, deferredMessage } from './call';
import type { ObjectValue } from './content';
import { shownBy } from './credentials';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { attributePath } from './paths';
import { planBySchema } from './plan';
import type { ProviderServer } from './provider-server';
import { shapeOf } from './shape';
import { warnOfShortSecrets } from './secret-values';

type Answer = Omit<PlanResourceChange_Response, 'diagnostics' | 'plannedPrivate'>;

export const planResourceChange: Handler<'planResourceChange'> = async (server, request) => {
  const resource = server.resource(request.typeName);
  const { content, codec, collectSecrets } = shapeOf(resource.schema);
  const call = new Call(server, {
    rpc: 'PlanResourceChange',
    typeName: request.typeName,
    client: request.clientCapabilities,
    privateBytes: request.priorPrivate,
  });
  const state = codec.decode(request.priorState) as ObjectValue | null;
  const proposal = codec.decode(request.proposedNewState) as ObjectValue | null;
  const config = codec.decode(request.config) as ObjectValue | null;
  collectSecrets(state, call.mask);
  collectSecrets(config, call.mask);

  const answer =
    proposal === null || config === null
      ? await planDestroy(server, call, resource, state as ObjectValue)
      : await planChange(server, call, resource, { state, proposal, config });
  return {
    ...answer,
    plannedIdentity: request.priorIdentity,
    plannedPrivate: call.storedPrivate(),
    diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets, content),
  };
};

async function planDestroy(
  server: ProviderServer,
  call: Call,
  resource: Resource,
  state: ObjectValue,
): Promise<Answer> {
  const outcome = await unlessDeferred(server, call, () => resource.planDestroy?.({ state }, call));
  return { plannedState: NULL_VALUE, requiresReplace: [], ...deferredOf(outcome) };
}

async function planChange(
  server: ProviderServer,
  call: Call,
  { schema, ...resource }: Resource,
  { state, proposal, config }: { state: ObjectValue | null; proposal: ObjectValue; config: ObjectValue },
): Promise<Answer> {
  const { content, codec, collectSecrets } = shapeOf(schema);
  warnOfShortSecrets(collectSecrets, config, call.diagnostics);
  const { plan, replacements } = planBySchema(content, { plan: proposal, config, state });
  const outcome = await unlessDeferred(server, call, async () => {
    // An import or a refresh cannot compare the state with values that are only in the
    // configuration.
    call.compared(content, state, shownBy(content, config));
    const modified = await resource.modifyPlan?.({ config, state, plan }, call);
    return codec.encode(call.compared(content, modified ?? plan, shownBy(content, plan)));
  });
  return {
    plannedState: outcome instanceof Deferral ? codec.encode(plan) : outcome,
    requiresReplace: [...replacements, ...call.replacements].map((path) => attributePath(content, path)),
    ...deferredOf(outcome),
  };
}

/**
 * Runs a handler, unless the configuration of the provider was deferred: then all resources are
 * deferred.
 */
async function unlessDeferred<R>(server: ProviderServer, call: Call, handler: () => R | Promise<R>) {
  const { deferred } = server.configuration;
  return deferred ? new Deferral(deferred) : call.run(handler);
}

function deferredOf(outcome: unknown): Pick<Answer, 'deferred'> {
  return outcome instanceof Deferral ? { deferred: deferredMessage(outcome.reason) } : {};
}
