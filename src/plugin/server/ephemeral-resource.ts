import { Defect } from '../defect';
import { refuseDeepJson } from '../wire/levels';
import { Call, Deferral, deferredMessage } from './call';
import type { ObjectValue } from './content';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { shapeOf } from './shape';

export const openEphemeralResource: Handler<'openEphemeralResource'> = async (server, request) => {
  const ephemeral = server.definition('ephemeralResources', request.typeName);
  const { content, codec, collectSecrets } = shapeOf(ephemeral.schema);
  const call = new Call(server, {
    rpc: 'OpenEphemeralResource',
    typeName: request.typeName,
    client: request.clientCapabilities,
  });
  const { deferred } = server.configuration;
  if (deferred) return { diagnostics: [], deferred: deferredMessage(deferred) };

  const config = codec.decode(request.config) as ObjectValue;
  collectSecrets(config, call.mask);
  const opened = await call.run(async () => {
    const { result, renewAt, private: kept } = await ephemeral.open({ config }, call);
    collectSecrets(result, call.mask);
    return { result: codec.encode(result), renewAt, private: privateBytes(kept) };
  });
  const diagnostics = diagnosticMessages(call.diagnostics.list, server.secrets, content);
  if (opened instanceof Deferral) return { diagnostics, deferred: deferredMessage(opened.reason) };
  return { ...opened, diagnostics };
};

export const renewEphemeralResource: Handler<'renewEphemeralResource'> = async (server, request) => {
  const ephemeral = server.definition('ephemeralResources', request.typeName);
  const call = new Call(server, { rpc: 'RenewEphemeralResource', typeName: request.typeName });
  const renewed = await call.run(async () => {
    if (!ephemeral.renew)
      throw new Defect(`${request.typeName} has no renew handler, but open returned when to call it`);
    const until = await ephemeral.renew({ private: privateValue(request.private) }, call);
    return { renewAt: until.renewAt, private: privateBytes(until.private) };
  });
  return {
    ...(renewed instanceof Deferral ? {} : renewed),
    diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets),
  };
};

export const closeEphemeralResource: Handler<'closeEphemeralResource'> = async (server, request) => {
  const ephemeral = server.definition('ephemeralResources', request.typeName);
  const call = new Call(server, { rpc: 'CloseEphemeralResource', typeName: request.typeName });
  await call.run(() => ephemeral.close?.({ private: privateValue(request.private) }, call));
  return { diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets) };
};

function privateBytes(value: unknown): Uint8Array | undefined {
  return value === undefined ? undefined : Buffer.from(JSON.stringify(value));
}

function privateValue(bytes: Uint8Array | undefined): unknown {
  return bytes && bytes.length > 0 ? JSON.parse(refuseDeepJson(Buffer.from(bytes).toString())) : undefined;
}
