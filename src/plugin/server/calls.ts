import type { UnaryCall } from '../wire/grpc';
import { ProviderDefinition } from '../wire/generated/tfplugin6';
import { applyResourceChange } from './apply-resource-change';
import { callFunction } from './call-function';
import { configureProvider, stopProvider } from './configure';
import { getFunctions, getMetadata, getProviderSchema, getResourceIdentitySchemas } from './describe';
import { closeEphemeralResource, openEphemeralResource, renewEphemeralResource } from './ephemeral-resource';
import { importResourceState } from './import-resource-state';
import { moveResourceState } from './move-resource-state';
import { planResourceChange } from './plan-resource-change';
import type { ProviderServer } from './provider-server';
import { readDataSource } from './read-data-source';
import { readResource } from './read-resource';
import { upgradeResourceIdentity, upgradeResourceState } from './upgrade';
import {
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from './validate';

type Methods = ProviderDefinition['methods'];
type Request<M extends keyof Methods> = ReturnType<Methods[M]['requestType']['decode']>;
type Response<M extends keyof Methods> = ReturnType<Methods[M]['responseType']['decode']>;

/** What answers each call of the protocol. */
const HANDLERS: {
  readonly [M in keyof Methods]: (
    server: ProviderServer,
    request: Request<M>,
  ) => Response<M> | Promise<Response<M>>;
} = {
  getMetadata,
  getProviderSchema,
  getResourceIdentitySchemas,
  validateProviderConfig,
  validateResourceConfig,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  configureProvider,
  stopProvider,
  upgradeResourceState,
  upgradeResourceIdentity,
  readResource,
  planResourceChange,
  applyResourceChange,
  importResourceState,
  moveResourceState,
  readDataSource,
  openEphemeralResource,
  renewEphemeralResource,
  closeEphemeralResource,
  getFunctions,
  callFunction,
};

/** The calls of the protocol by their gRPC paths. */
export function providerCalls(server: ProviderServer): [path: string, call: UnaryCall][] {
  return (Object.keys(HANDLERS) as (keyof Methods)[]).map((name) => {
    const path = `/${ProviderDefinition.fullName}/${ProviderDefinition.methods[name].name}`;
    return [path, providerCall(server, name)];
  });
}

function providerCall<M extends keyof Methods>(server: ProviderServer, name: M): UnaryCall {
  const { requestType, responseType } = ProviderDefinition.methods[name] as unknown as Codecs<
    Request<M>,
    Response<M>
  >;
  const handler = HANDLERS[name];
  return async (bytes) => {
    try {
      return responseType.encode(await handler(server, requestType.decode(bytes))).finish();
    } catch (error) {
      server.log('error', 'a call failed', { tf_rpc: ProviderDefinition.methods[name].name, error });
      throw new Error(server.secrets.mask(error instanceof Error ? error.message : String(error)));
    }
  };
}

interface Codecs<Q, S> {
  readonly requestType: { decode(bytes: Uint8Array): Q };
  readonly responseType: { encode(message: S): { finish(): Uint8Array } };
}
