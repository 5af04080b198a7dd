import { visible } from '../../text';
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

const { fullName, methods: METHODS } = ProviderDefinition;

/** A call of the protocol: its gRPC path, and what answers it. */
type ProviderCall = (server: ProviderServer) => [path: string, call: UnaryCall];

/** The calls of the protocol. */
const CALLS: Readonly<Record<keyof typeof METHODS, ProviderCall>> = {
  getMetadata: answered(METHODS.getMetadata, getMetadata),
  getProviderSchema: answered(METHODS.getProviderSchema, getProviderSchema),
  getResourceIdentitySchemas: answered(METHODS.getResourceIdentitySchemas, getResourceIdentitySchemas),
  validateProviderConfig: answered(METHODS.validateProviderConfig, validateProviderConfig),
  validateResourceConfig: answered(METHODS.validateResourceConfig, validateResourceConfig),
  validateDataResourceConfig: answered(METHODS.validateDataResourceConfig, validateDataResourceConfig),
  validateEphemeralResourceConfig: answered(
    METHODS.validateEphemeralResourceConfig,
    validateEphemeralResourceConfig,
  ),
  configureProvider: answered(METHODS.configureProvider, configureProvider),
  stopProvider: answered(METHODS.stopProvider, stopProvider),
  upgradeResourceState: answered(METHODS.upgradeResourceState, upgradeResourceState),
  upgradeResourceIdentity: answered(METHODS.upgradeResourceIdentity, upgradeResourceIdentity),
  readResource: answered(METHODS.readResource, readResource),
  planResourceChange: answered(METHODS.planResourceChange, planResourceChange),
  applyResourceChange: answered(METHODS.applyResourceChange, applyResourceChange),
  importResourceState: answered(METHODS.importResourceState, importResourceState),
  moveResourceState: answered(METHODS.moveResourceState, moveResourceState),
  readDataSource: answered(METHODS.readDataSource, readDataSource),
  openEphemeralResource: answered(METHODS.openEphemeralResource, openEphemeralResource),
  renewEphemeralResource: answered(METHODS.renewEphemeralResource, renewEphemeralResource),
  closeEphemeralResource: answered(METHODS.closeEphemeralResource, closeEphemeralResource),
  getFunctions: answered(METHODS.getFunctions, getFunctions),
  callFunction: answered(METHODS.callFunction, callFunction),
};

/** The calls of the protocol by their gRPC paths. */
export function providerCalls(server: ProviderServer): [path: string, call: UnaryCall][] {
  return Object.values(CALLS).map((call) => call(server));
}

interface Method<Q, S> {
  readonly name: string;
  readonly requestType: { decode(bytes: Uint8Array): Q };
  readonly responseType: { encode(message: S): { finish(): Uint8Array } };
}

function answered<Q, S>(
  { name, requestType, responseType }: Method<Q, S>,
  handler: (server: ProviderServer, request: Q) => NoInfer<S> | Promise<NoInfer<S>>,
): ProviderCall {
  return (server) => [
    `/${fullName}/${name}`,
    async (bytes) => {
      try {
        return responseType.encode(await handler(server, requestType.decode(bytes))).finish();
      } catch (error) {
        server.log('error', 'a call failed', { tf_rpc: name, error });
        const { message } = error instanceof Error ? error : new Error(String(error));
        throw new Error(visible(server.secrets.hide(message)));
      }
    },
  ];
}
