import { Defect } from '../defect';
import type { Resource } from '../author/resource';
import { nullsForUnknowns } from '../values/unknown';
import { NULL_VALUE } from '../wire/dynamic-value';
import type { ApplyResourceChange_Response, DynamicValue } from '../wire/generated/tfplugin6';
import { Call, Deferral } from './call';
import type { ObjectValue } from './content';
import { shownBy } from './credentials';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { identityOf } from './identity';
import { shapeOf } from './shape';

type Stored = Pick<ApplyResourceChange_Response, 'newState' | 'newIdentity'>;

export const applyResourceChange: Handler<'applyResourceChange'> = async (server, request) => {
  const resource = server.resource(request.typeName);
  const { content, codec, collectSecrets } = shapeOf(resource.schema);
  const call = new Call(server, {
    rpc: 'ApplyResourceChange',
    typeName: request.typeName,
    privateBytes: request.plannedPrivate,
  });
  const state = codec.decode(request.priorState) as ObjectValue | null;
  const plan = codec.decode(request.plannedState) as ObjectValue | null;
  const config = codec.decode(request.config) as ObjectValue;
  for (const values of [state, plan, config]) collectSecrets(values, call.mask);

  const stored =
    plan === null
      ? await destroy(call, resource, state as ObjectValue, request.priorState)
      : await createOrUpdate(call, resource, { state, plan, config }, request.priorState);
  return {
    newIdentity: request.plannedIdentity,
    ...stored,
    private: call.storedPrivate(),
    diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets, content),
  };
};

async function destroy(
  call: Call,
  resource: Resource,
  state: ObjectValue,
  priorState: DynamicValue | undefined,
): Promise<Stored> {
  await call.run(() => resource.delete({ state }, call));
  return { newState: call.diagnostics.hasErrors ? priorState : NULL_VALUE };
}

async function createOrUpdate(
  call: Call,
  resource: Resource,
  change: { state: ObjectValue | null; plan: ObjectValue; config: ObjectValue },
  priorState: DynamicValue | undefined,
): Promise<Stored> {
  const { content, codec, collectSecrets } = shapeOf(resource.schema);
  const store = (state: ObjectValue): Stored => {
    collectSecrets(state, call.mask);
    return { newState: codec.encode(state), newIdentity: identityOf(resource.identity, state) };
  };
  const isShown = shownBy(content, change.plan);
  const stored = await call.run(async () =>
    store(call.compared(content, await runHandler(call, resource, change), isShown)),
  );
  if (stored && !(stored instanceof Deferral)) return stored;
  if (!call.kept) return { newState: priorState };
  const kept = nullsForUnknowns(call.kept) as ObjectValue;
  return store(call.withoutSecrets(content, kept, isShown));
}

function runHandler(
  call: Call,
  resource: Resource,
  { state, plan, config }: { state: ObjectValue | null; plan: ObjectValue; config: ObjectValue },
): ObjectValue | Promise<ObjectValue> {
  if (state === null) return resource.create({ config, plan }, call);
  if (!resource.update) throw new Defect(`${resource.name} has no update, yet a change was planned in place`);
  return resource.update({ config, state, plan }, call);
}
