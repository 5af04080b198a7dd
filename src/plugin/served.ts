import { Redactor } from '../text';
import type { Provider } from './author/provider';
import { providerCalls, providerStreams } from './server/protocol-methods';
import { ProviderServer } from './server/provider-server';
import type { Calls } from './wire/grpc';
import { createLog } from './wire/log';

/** A provider, ready to answer calls. */
export interface Served extends Pick<Required<Calls>, 'unary' | 'streaming'> {
  readonly secrets: Redactor;
  /** Makes the provider release its resources. */
  readonly shutDown: () => Promise<void>;
  /** Asks running handlers to end, and waits for them. Returns whether there were any. */
  readonly stop: () => Promise<boolean>;
  /** Whether a call is running. */
  readonly isBusy: () => boolean;
}

export function served(provider: Provider): Served {
  const secrets = new Redactor([], typeNames(provider));
  const server = new ProviderServer(provider, secrets, createLog(process.env, secrets));
  return {
    unary: new Map(providerCalls(server)),
    streaming: new Map(providerStreams(server)),
    secrets,
    shutDown: () => server.shutdown(),
    stop: () => server.finish(),
    isBusy: () => server.isBusy,
  };
}

/** The types in configurations and commands: `vaultadmin_acl_policy`. */
function typeNames({ name, parts = [], ...own }: Provider): readonly string[] {
  const { resources = [], dataSources = [], ephemeralResources = [], actions = [] } = own;
  const names = [...resources, ...dataSources, ...ephemeralResources, ...actions].map((type) => type.name);
  return [...names, ...parts.flatMap((part) => part.names)].map((type) => `${name}_${type}`);
}
