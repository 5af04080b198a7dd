import { Defect } from '../defect';
import { visible } from '../../text';
import type { Listed } from '../author/list-resource';
import type { Resource } from '../author/resource';
import { valueCodec } from '../wire/dynamic-value';
import type {
  Diagnostic,
  DynamicValue,
  ListResource_Event,
  ListResource_Request,
} from '../wire/generated/tfplugin6';
import { Call, Deferral } from './call';
import { complete, type ObjectValue } from './content';
import { shownBy } from './credentials';
import { diagnosticMessages } from './diagnostics';
import { identityType } from './identity';
import type { ProviderServer } from './provider-server';
import { readForm } from './same-meaning';
import { shapeOf } from './shape';

/** The number of objects that are read at a time: Terraform's own default. */
const AT_ONCE = 10;

/** Sends the objects of a list as they are found, in order. */
export async function* listResource(
  server: ProviderServer,
  request: ListResource_Request,
): AsyncGenerator<ListResource_Event> {
  const { typeName, limit, includeResourceObject } = request;
  const definition = server.definition('listResources', typeName);
  const { content, codec, collectSecrets } = shapeOf(definition.schema);
  const call = new Call(server, { rpc: 'ListResource', typeName });
  const config = codec.decode(request.config) as ObjectValue;
  collectSecrets(config, call.mask);

  const found = definition.list({ config }, call)[Symbol.asyncIterator]();
  const underWay: Promise<ListResource_Event>[] = [];
  let asked = 0;
  let isAtEnd = false;
  try {
    for (;;) {
      while (!isAtEnd && asked < limit && underWay.length < (includeResourceObject ? AT_ONCE : 1)) {
        const next = await call.run(() => found.next());
        isAtEnd = next === undefined || next instanceof Deferral || next.done === true;
        if (next === undefined || next instanceof Deferral || next.done) break;
        asked += 1;
        underWay.push(eventOf(server, request, next.value));
      }
      const event = await underWay.shift();
      if (event === undefined) break;
      yield event;
    }
  } finally {
    await found.return?.();
  }
  const { list } = call.diagnostics;
  if (list.length > 0) yield withoutObject(diagnosticMessages(list, server.secrets, content));
}

/**
 * Returns the event about one object. An object that cannot be read is left out, with a warning.
 */
async function eventOf(
  server: ProviderServer,
  { typeName, includeResourceObject }: ListResource_Request,
  { identity, displayName: name }: Listed,
): Promise<ListResource_Event> {
  const resource = server.resource(typeName);
  if (!resource.identity) throw new Defect(`${typeName} is listed, and has no identity`);
  const codec = valueCodec(identityType(resource.identity));
  const call = new Call(server, { rpc: 'ListResource', typeName });
  const event = await call.run(async () => {
    const identityData = codec.encode(call.comparedIdentity(identity));
    const resourceObject = includeResourceObject ? await stateOf(resource, identity, call) : undefined;
    const isGone = includeResourceObject && resourceObject === undefined;
    return isGone ? undefined : { identity: { identityData }, resourceObject };
  });
  const diagnostics = call.diagnostics.list.map((each) => ({
    ...each,
    severity: 'warning' as const,
    path: [],
  }));
  const diagnostic = diagnosticMessages(diagnostics, server.secrets);
  if (event === undefined || event instanceof Deferral) return withoutObject(diagnostic);
  return { ...event, displayName: visible(server.secrets.hide(name)), diagnostic };
}

/** Returns the state of an object, as an import would store it. */
async function stateOf(
  resource: Resource,
  identity: ObjectValue,
  call: Call,
): Promise<DynamicValue | undefined> {
  const { content, codec, collectSecrets } = shapeOf(resource.schema);
  if (!resource.import) throw new Defect(`${resource.name} is listed, and cannot be imported`);
  const imported = complete(content, await resource.import({ identity }, call));
  const read = await resource.read({ state: imported }, call);
  if (read === null) return undefined;
  const found = call.compared(content, readForm(content, read, imported), shownBy(content, imported));
  collectSecrets(read, call.mask);
  return codec.encode(found);
}

function withoutObject(diagnostic: Diagnostic[]): ListResource_Event {
  return { identity: undefined, displayName: '', resourceObject: undefined, diagnostic };
}
