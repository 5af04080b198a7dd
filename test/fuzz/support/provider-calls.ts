/**
 * Calls the provider with messages of Terraform's protocol. A function takes the place of its
 * servers.
 */
import { report } from '../../../src/provider/messages';
import type { Dispatcher } from 'undici';
import { Dynamic, isKnown, type Provider } from '../../../src/plugin';
import { allOf } from '../../../src/plugin/author/provider';
import { complete, type ObjectValue } from '../../../src/plugin/server/content';
import { ProviderServer } from '../../../src/plugin/server/provider-server';
import { shapeOf } from '../../../src/plugin/server/shape';
import { served, type Served } from '../../../src/plugin/served';
import { NULL_VALUE } from '../../../src/plugin/wire/dynamic-value';
import {
  ProviderDefinition,
  type Diagnostic,
  type DynamicValue,
} from '../../../src/plugin/wire/generated/tfplugin6';
import { PROVIDER } from '../../../src/provider';
import { Clusters } from '../../../src/provider/clusters';
import { resolveConfiguration, type Configuration } from '../../../src/provider/configuration';
import { Redactor } from '../../../src/text';
import { applied, wholeConfiguration, type Samples } from '../../plugin/conformance/configurations';
import { proposedNew } from '../../plugin/conformance/proposed';
import { LeapingClock } from '../../provider/leaping-clock';
import { BACKENDS } from '../../provider/managed-keys/support';
import { TOKEN, type HttpAnswer } from './answers';

const { methods } = ProviderDefinition;
type Method = keyof typeof methods;

export interface HttpRequest {
  readonly method: string;
  /** One of {@link ADDRESSES}. */
  readonly origin: string;
  readonly path: string;
  readonly body: string;
}
export type HttpServer = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** The addresses of the provider's clusters. */
export const ADDRESSES = { us: 'http://127.0.0.1:1', eu: 'http://127.0.0.1:2' } as const;

/** The diagnostics of a call. */
export type Said = readonly Pick<Diagnostic, 'severity' | 'summary' | 'detail'>[];

/** The secrets of the provider. */
export const SECRETS = [TOKEN, 'canary pin/7"34+5%41'] as const;
const [, SECRET] = SECRETS;

const SAMPLES: Samples = {
  cluster: 'us',
  name: 'ops',
  namespace: '',
  policy: 'path "secret/*" {\n  capabilities = ["read"]\n}\n',
  interval: '24h',
  type: 'file',
  path: 'file',
  options: { file_path: 'stdout' },
  mode: 'deny',
  paths: ['us-only/'],
  ...Object.fromEntries(['create', 'read', 'update', 'delete'].map((name) => [name, '10s'])),
};
const SENTINEL: Samples = { policy: 'main = rule { true }', enforcement_level: 'advisory', paths: ['kv/*'] };
const OF_TYPE: Readonly<Record<string, Samples>> = {
  rgp_policy: SENTINEL,
  egp_policy: SENTINEL,
  perf_replication_secondary: { confirm_data_loss: 'eu', primary_cluster: 'us', cluster: 'eu' },
  perf_replication_paths_filter: { secondary_id: 'eu' },
};

/** By type, configurations for types whose arguments cannot all be set together. */
const INSTEAD: Readonly<Record<string, readonly ObjectValue[]>> = {
  perf_replication_set: [
    {
      primary: 'us',
      deletion_protection: false,
      secondaries: { eu: { confirm_data_loss: 'eu', everything: true } },
      timeouts: { mode_change: '10s', takeover: '5s', sync: '10s' },
    },
  ],
  managed_key: Object.entries(BACKENDS).map(([backend, values]) => ({
    cluster: 'us',
    name: backend === 'pkcs11' ? 'ops' : backend,
    [backend]: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, name.endsWith('_wo') ? SECRET : value]),
    ),
  })),
  auto_snapshot: [
    {
      cluster: 'us',
      name: 'ops',
      interval: '24h',
      path_prefix: 'ops',
      google_gcs: {
        google_gcs_bucket: 'backups',
        google_service_account_key_wo: SECRET,
        google_service_account_key_wo_version: 1,
      },
    },
  ],
};

/** By type, the id for an import, if it differs from the name. */
const IMPORTED: Readonly<Record<string, string>> = {
  audit_device: 'us/file',
  namespace: 'us/file',
  perf_replication_primary: 'us',
  perf_replication_secondary: 'eu',
  perf_replication_set: 'us',
  perf_replication_paths_filter: 'us/eu',
};

const definitions = new ProviderServer(PROVIDER, new Redactor(), () => {});

/** A configured provider with two clusters. `server` answers for both. */
class ProviderInUse {
  readonly #served: Served;
  readonly #clock = new LeapingClock(() => {});

  constructor(server: HttpServer) {
    const provider: Provider = {
      ...PROVIDER,
      configure: ({ config }, { diagnostics, mask }) => {
        const clusters = resolveConfiguration(config as Configuration, {}, (message) =>
          report(diagnostics, 'error', message),
        );
        const options = { clock: this.#clock, dispatcher: dispatcher(server, this.#clock), random: () => 0 };
        return new Clusters(
          isKnown(clusters)
            ? clusters.map((each) => ({ ...each, options: { ...each.options, ...options } }))
            : clusters,
          { env: {}, mask },
        );
      },
    };
    this.#served = served(provider);
  }

  async call(method: Method, request: object): Promise<Message> {
    const { name, requestType, responseType } = methods[method] as unknown as MessageTypes;
    const bytes = requestType.encode({ ...requestType.decode(new Uint8Array(0)), ...request }).finish();
    const path = `/tfplugin6.Provider/${name}`;
    const call = this.#served.unary.get(path);
    if (call) return responseType.decode(await call(bytes));
    const messages: Message[] = [];
    await this.#served.streaming.get(path)!(bytes, async (message) => {
      messages.push(responseType.decode(message));
      return Promise.resolve(true);
    });
    return { messages };
  }

  async close(): Promise<void> {
    await this.#served.stop();
    await this.#served.shutDown();
    this.#clock.stop();
  }
}

type Message = Readonly<Record<string, unknown>>;

interface MessageTypes {
  readonly name: string;
  readonly requestType: {
    decode(bytes: Uint8Array): object;
    encode(message: object): { finish(): Uint8Array };
  };
  readonly responseType: { decode(bytes: Uint8Array): Message };
}

type Sent = Pick<Dispatcher.DispatchOptions, 'method' | 'origin' | 'path' | 'body'>;

/**
 * Returns a dispatcher that passes requests to the server. The clock stands still until it answers.
 */
function dispatcher(server: HttpServer, clock: LeapingClock): Dispatcher {
  const dispatch = ({ method, origin, path, body }: Sent, handler: Dispatcher.DispatchHandler) => {
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
    handler.onRequestStart?.(controller, undefined);
    void clock.during(async () => {
      const answer = await server({
        method,
        origin: String(origin),
        path,
        body: typeof body === 'string' ? body : '',
      });
      handler.onResponseStart?.(controller, answer.status, answer.headers, '');
      handler.onResponseData?.(controller, Buffer.from(answer.body));
      handler.onResponseEnd?.(controller, {});
    });
    return true;
  };
  return { dispatch } as unknown as Dispatcher;
}

const CAPABILITIES = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

interface Step {
  readonly method: Method;
  readonly request: object;
}

/** The calls of Terraform to a provider, by kind. */
export async function providerSteps(): Promise<Readonly<Record<string, Step>>> {
  return Object.fromEntries([
    ...(await Promise.all(allOf(PROVIDER, 'resources').map(({ name }) => resourceSteps(name)))).flat(),
    ...allOf(PROVIDER, 'dataSources').map(({ name, schema }): [string, Step] => {
      const config = encoded(schema, configurationOf(name, schema));
      return [`read data ${name}`, { method: 'readDataSource', request: { typeName: full(name), config } }];
    }),
    ...allOf(PROVIDER, 'ephemeralResources').map(({ name, schema }): [string, Step] => {
      const config = encoded(schema, configurationOf(name, schema));
      return [`open ${name}`, { method: 'openEphemeralResource', request: { typeName: full(name), config } }];
    }),
    ...allOf(PROVIDER, 'listResources').map(({ name, schema }): [string, Step] => {
      const config = encoded(schema, configurationOf(name, schema));
      const request = { typeName: full(name), config, includeResourceObject: true, limit: 100 };
      return [`list ${name}`, { method: 'listResource', request }];
    }),
    ...allOf(PROVIDER, 'actions').map(({ name, schema }): [string, Step] => {
      const config = encoded(schema, configurationOf(name, schema));
      return [`invoke ${name}`, { method: 'invokeAction', request: { actionType: full(name), config } }];
    }),
  ]);
}

type Schema = Parameters<typeof shapeOf>[0];
const full = (name: string) => `vaultadmin_${name}`;
const encoded = (schema: Schema, value: ObjectValue) => shapeOf(schema).codec.encode(value);

function configurationOf(name: string, schema: Schema): ObjectValue {
  const { content } = shapeOf(schema);
  const sensitive = Object.entries(content.attributes).flatMap(([attribute, { options }]) =>
    options.sensitive || options.writeOnly ? [[attribute, SECRET] as const] : [],
  );
  const samples = { ...SAMPLES, ...OF_TYPE[name], ...Object.fromEntries(sensitive) };
  return wholeConfiguration(content, samples);
}

async function resourceSteps(name: string): Promise<[string, Step][]> {
  const resource = definitions.resource(full(name));
  const { schema } = resource;
  const { content } = shapeOf(schema);
  const configurations = INSTEAD[name]?.map((each) => complete(content, each)) ?? [
    configurationOf(name, schema),
  ];
  const typeName = full(name);
  const id = IMPORTED[name] ?? 'us/ops';
  return [
    ...(
      await Promise.all(
        configurations.map(async (config, index) =>
          (await changes(typeName, schema, config)).map(([what, step]): [string, Step] => [
            `${what} ${name}${index > 0 ? ` ${index + 1}` : ''}`,
            step,
          ]),
        ),
      )
    ).flat(),
    ...(resource.import
      ? [[`import ${name}`, { method: 'importResourceState', request: { typeName, id } }] as [string, Step]]
      : []),
  ];
}

async function changes(
  typeName: string,
  schema: Schema,
  configuration: ObjectValue,
): Promise<[string, Step][]> {
  const { content, codec } = shapeOf(schema);
  const planned = proposedNew(content, null, configuration);
  const [config, proposedNewState] = [codec.encode(configuration), codec.encode(planned)];
  const plan = (priorState: DynamicValue): Step => ({
    method: 'planResourceChange',
    request: { typeName, config, clientCapabilities: CAPABILITIES, priorState, proposedNewState },
  });
  const nothing = () => ({ status: 404, headers: {}, body: '{"errors":[]}' });
  const [, answer] = await answersTo([plan(NULL_VALUE)], nothing);
  const plannedState = answer!.plannedState as DynamicValue;
  const state = codec.encode(applied(content, codec.decode(plannedState) as ObjectValue));
  const apply = (priorState: DynamicValue, plannedState: DynamicValue): Step => ({
    method: 'applyResourceChange',
    request: { typeName, config, priorState, plannedState },
  });
  const read = { typeName, currentState: state, clientCapabilities: CAPABILITIES };
  return [
    ['plan', plan(NULL_VALUE)],
    ['plan a change of', plan(state)],
    ['read', { method: 'readResource', request: read }],
    ['create', apply(NULL_VALUE, state)],
    ['update', apply(state, state)],
    ['delete', apply(state, NULL_VALUE)],
  ];
}

const CONFIGURATION = definitions.provider.schema;

function configuration(): DynamicValue {
  const { content, codec } = shapeOf(CONFIGURATION);
  const nothing = Object.fromEntries(Object.keys(content.attributes).map((name) => [name, null]));
  const cluster = (address: string) => ({ address, token: TOKEN, max_retries: 0 });
  const type = ['object', { address: 'string', token: 'string', max_retries: 'number' }] as const;
  const clusters = new Dynamic(['object', { us: type, eu: type }], {
    us: cluster(ADDRESSES.us),
    eu: cluster(ADDRESSES.eu),
  });
  return codec.encode({ ...nothing, clusters });
}

/** Returns the secrets that the provider receives in a step. It cannot hide other secrets. */
export function secretsIn({ request }: Step): readonly string[] {
  const given = Object.values(request).map((value: unknown) =>
    typeof value === 'object' && value !== null && 'msgpack' in value
      ? Buffer.from((value as DynamicValue).msgpack)
      : Buffer.alloc(0),
  );
  return SECRETS.filter((secret) => secret === TOKEN || given.some((bytes) => bytes.includes(secret)));
}

/** Takes steps concurrently with a new provider and the given server. Returns the diagnostics. */
export async function take(steps: Step | readonly Step[], server: HttpServer): Promise<Said> {
  return said(await answersTo([steps].flat(), server));
}

/** Returns the answers of the provider to its configuration and to the steps. */
async function answersTo(steps: readonly Step[], server: HttpServer): Promise<Message[]> {
  const provider = new ProviderInUse(server);
  try {
    const configured = await provider.call('configureProvider', {
      terraformVersion: '1.11.4',
      config: configuration(),
      clientCapabilities: CAPABILITIES,
    });
    return [
      configured,
      ...(await Promise.all(steps.map((step) => provider.call(step.method, step.request)))),
    ];
  } finally {
    await provider.close();
  }
}

/** Returns the diagnostics at any position in messages. */
function said(value: unknown): Said {
  if (Array.isArray(value)) return value.flatMap(said);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('summary' in value && 'detail' in value) return [value as Said[number]];
  return Object.values(value).flatMap(said);
}

/** Returns the plan of a change of an ACL policy's text. */
export function planOfPolicy(before: string, after: string): Step {
  const { schema } = definitions.resource(full('acl_policy'));
  const { content, codec } = shapeOf(schema);
  const [old, now] = [before, after].map((policy) =>
    complete(content, { id: 'us//ops', cluster: 'us', name: 'ops', policy }),
  );
  const config = codec.encode(now!);
  const request = {
    typeName: full('acl_policy'),
    ...{ config, clientCapabilities: CAPABILITIES, proposedNewState: config },
    priorState: codec.encode(applied(content, old!)),
  };
  return { method: 'planResourceChange', request };
}
