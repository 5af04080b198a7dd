import { failedAssertion } from '../defect';
import { visible } from '../../text';
import type { StreamingCall, UnaryCall } from '../wire/grpc';
import { ProviderDefinition } from '../wire/generated/tfplugin6';
import { invokeAction, planAction } from './action';
import { applyResourceChange } from './apply-resource-change';
import { callFunction } from './call-function';
import { configureProvider, stopProvider } from './configure';
import { getFunctions, getMetadata, getProviderSchema, getResourceIdentitySchemas } from './describe';
import { closeEphemeralResource, openEphemeralResource, renewEphemeralResource } from './ephemeral-resource';
import { generateResourceConfig } from './generate-resource-config';
import { importResourceState } from './import-resource-state';
import { listResource } from './list-resource';
import { moveResourceState } from './move-resource-state';
import { planResourceChange } from './plan-resource-change';
import type { ProviderServer } from './provider-server';
import { readDataSource } from './read-data-source';
import { readResource } from './read-resource';
import { upgradeResourceIdentity, upgradeResourceState } from './upgrade';
import {
  validateActionConfig,
  validateDataResourceConfig,
  validateEphemeralResourceConfig,
  validateListResourceConfig,
  validateProviderConfig,
  validateResourceConfig,
} from './validate';

const { fullName, methods: METHODS } = ProviderDefinition;

/** A call of the protocol: its gRPC path, and the function that answers it. */
type ProviderCall = (server: ProviderServer) => [path: string, call: UnaryCall];

/** A call of the protocol that is answered with any number of messages. */
type ProviderStream = (server: ProviderServer) => [path: string, call: StreamingCall];

type StreamName = 'listResource' | 'invokeAction';

/** The calls of the protocol. */
const CALLS: Readonly<Record<Exclude<keyof typeof METHODS, StreamName>, ProviderCall>> = {
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
  generateResourceConfig: answered(METHODS.generateResourceConfig, generateResourceConfig),
  moveResourceState: answered(METHODS.moveResourceState, moveResourceState),
  readDataSource: answered(METHODS.readDataSource, readDataSource),
  openEphemeralResource: answered(METHODS.openEphemeralResource, openEphemeralResource),
  renewEphemeralResource: answered(METHODS.renewEphemeralResource, renewEphemeralResource),
  closeEphemeralResource: answered(METHODS.closeEphemeralResource, closeEphemeralResource),
  validateListResourceConfig: answered(METHODS.validateListResourceConfig, validateListResourceConfig),
  planAction: answered(METHODS.planAction, planAction),
  validateActionConfig: answered(METHODS.validateActionConfig, validateActionConfig),
  getFunctions: answered(METHODS.getFunctions, getFunctions),
  callFunction: answered(METHODS.callFunction, callFunction),
};

const STREAMS: Readonly<Record<StreamName, ProviderStream>> = {
  listResource: streamed(METHODS.listResource, listResource),
  invokeAction: streamed(METHODS.invokeAction, invokeAction),
};

/** The calls of the protocol by their gRPC paths. */
export function providerCalls(server: ProviderServer): [path: string, call: UnaryCall][] {
  return Object.values(CALLS).map((call) => call(server));
}

/**
 * Returns the calls of the protocol that are answered with any number of messages, by their gRPC
 * paths.
 */
export function providerStreams(server: ProviderServer): [path: string, call: StreamingCall][] {
  return Object.values(STREAMS).map((call) => call(server));
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
        const response = await server.track(async () => handler(server, requestType.decode(bytes)));
        return responseType.encode(response).finish();
      } catch (error) {
        throw presentable(error, name, server);
      }
    },
  ];
}

function streamed<Q, S>(
  { name, requestType, responseType }: Method<Q, S>,
  handler: (server: ProviderServer, request: Q) => AsyncGenerator<NoInfer<S>>,
): ProviderStream {
  return (server) => [
    `/${fullName}/${name}`,
    async (bytes, send) => {
      try {
        await server.track(async () => {
          for await (const message of handler(server, requestType.decode(bytes))) {
            if (!(await send(responseType.encode(message).finish()))) return;
          }
        });
      } catch (error) {
        throw presentable(error, name, server);
      }
    },
  ];
}

/** Logs the error of a call, and returns it without secrets. */
function presentable(error: unknown, name: string, server: ProviderServer): Error {
  server.log('error', 'a call failed', { tf_rpc: name, error });
  return new Error(visible(server.secrets.hide(failedAssertion(error))));
}
