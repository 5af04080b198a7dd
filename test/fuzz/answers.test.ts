import fc from 'fast-check';
import type { Dispatcher } from 'undici';
import { VaultClient, VaultError } from '../../src/client';
import {
  ACL_POLICY,
  AUTO_SNAPSHOT,
  decodeSnapshotStatus,
  EGP_POLICY,
  MANAGED_KEY_TYPES,
  snapshotHealth,
} from '../../src/model';
import { FakeClock } from '../client/support/fake-clock';
import { fuzz } from './support/fuzz';
import { hostileTexts, INVISIBLE } from './support/hostile';

const TOKEN = 'hvs.canary/Token+1"7%41';

type Call = (client: VaultClient) => Promise<unknown>;
const replication = ({ replication: { performance } }: VaultClient) => performance;
const key = {
  kms_key: 'k',
  key_type: 'RSA',
  access_key: 'canary-access',
  secret_key: 'canary-secret',
} as never;
const snapshot = { interval: 60, storage_type: 'local', local_max_space: 1 } as never;
const device = { type: 'file', options: { file_path: 'stdout' } } as never;

/** Every call of the client. */
const CALLS: Readonly<Record<string, Call>> = {
  read: (client) => client.read('a'),
  list: (client) => client.list('a'),
  write: (client) => client.write('a', { pin: 'canary-pin-1' }),
  patch: (client) => client.patch('a', { pin: 'canary-pin-1' }),
  delete: (client) => client.delete('a'),
  health: ({ system }) => system.health(),
  sealStatus: ({ system }) => system.sealStatus(),
  capabilities: ({ system }) => system.capabilitiesSelf(['a', '__proto__']),
  login: ({ auth }) => auth.login('auth/x/login', { password: 'canary-password' }),
  appRole: ({ auth }) => auth.appRole({ roleId: 'r', secretId: 'canary-secret-id' }),
  userpass: ({ auth }) => auth.userpass({ username: 'u', password: 'canary-password' }),
  jwt: ({ auth }) => auth.jwt({ jwt: 'canary-jwt' }),
  cert: ({ auth }) => auth.cert(),
  lookupSelf: ({ token }) => token.lookupSelf(),
  renewSelf: ({ token }) => token.renewSelf(),
  revokeSelf: ({ token }) => token.revokeSelf(),
  unwrap: ({ wrapping }) => wrapping.unwrap('hvs.canary-wrapping'),
  wrappingLookup: ({ wrapping }) => wrapping.lookup('hvs.canary-wrapping'),
  ...Object.fromEntries(
    (['acl', 'rgp', 'egp'] as const).flatMap((kind): [string, Call][] => [
      [`${kind} list`, ({ policies }) => policies[kind].list()],
      [`${kind} read`, ({ policies }) => policies[kind].read('a')],
      [
        `${kind} write`,
        ({ policies }) =>
          policies[kind].write('a', { policy: 'p', enforcement_level: 'advisory', paths: ['a'] }),
      ],
      [`${kind} delete`, ({ policies }) => policies[kind].delete('a')],
    ]),
  ),
  ...Object.fromEntries(
    MANAGED_KEY_TYPES.flatMap((type): [string, Call][] => [
      [`${type} list`, ({ managedKeys }) => managedKeys.list(type)],
      [`${type} read`, ({ managedKeys }) => managedKeys.read(type, 'a')],
    ]),
  ),
  'keys listAll': ({ managedKeys }) => managedKeys.listAll(),
  'keys find': ({ managedKeys }) => managedKeys.find('a'),
  'key write': ({ managedKeys }) => managedKeys.write('awskms', 'a', key),
  'key delete': ({ managedKeys }) => managedKeys.delete('awskms', 'a'),
  'key testSign': ({ managedKeys }) => managedKeys.testSign('awskms', 'a'),
  'snapshots list': ({ autoSnapshots }) => autoSnapshots.list(),
  'snapshot read': ({ autoSnapshots }) => autoSnapshots.read('a'),
  'snapshot write': ({ autoSnapshots }) => autoSnapshots.write('a', snapshot),
  'snapshot delete': ({ autoSnapshots }) => autoSnapshots.delete('a'),
  'snapshot status': async ({ autoSnapshots }) => {
    const status = await autoSnapshots.status('a');
    return status && snapshotHealth(status.data, 60, 0);
  },
  'devices list': ({ auditDevices }) => auditDevices.list(),
  'devices readAll': ({ auditDevices }) => auditDevices.readAll(),
  'device read': ({ auditDevices }) => auditDevices.read('a'),
  'device write': ({ auditDevices }) => auditDevices.write('a', device),
  'device delete': ({ auditDevices }) => auditDevices.delete('a'),
  status: (client) => replication(client).status(),
  enablePrimary: (client) => replication(client).enablePrimary(),
  demotePrimary: (client) => replication(client).demotePrimary(),
  disablePrimary: (client) => replication(client).disablePrimary(),
  secondaryToken: (client) => replication(client).secondaryToken({ id: 'a' }),
  revokeSecondary: (client) => replication(client).revokeSecondary('a'),
  writePathsFilter: (client) =>
    replication(client).writePathsFilter('a', { mode: 'deny', paths: ['a/'] } as never),
  readPathsFilter: (client) => replication(client).readPathsFilter('a'),
  deletePathsFilter: (client) => replication(client).deletePathsFilter('a'),
  primaryDynamicFilter: (client) => replication(client).primaryDynamicFilter('a'),
  secondaryDynamicFilter: (client) => replication(client).secondaryDynamicFilter('a'),
  generatePublicKey: (client) => replication(client).generatePublicKey(),
  enableSecondary: (client) => replication(client).enableSecondary({ token: 'canary-activation' }),
  promoteSecondary: (client) => replication(client).promoteSecondary(),
  disableSecondary: (client) => replication(client).disableSecondary(),
  updatePrimary: (client) => replication(client).updatePrimary({ token: 'canary-activation' }),
};

/** Names that answers have, and some that none should have. */
const NAMES = [
  ...[
    'data',
    'errors',
    'warnings',
    'auth',
    'wrap_info',
    'request_id',
    'lease_id',
    'keys',
    'key_info',
    'name',
    'policy',
    'paths',
    'type',
  ],
  ...[
    'mode',
    'state',
    'secondaries',
    'known_secondaries',
    'primaries',
    'cluster_id',
    'secondary_id',
    'last_wal',
    'connection_state',
  ],
  ...[
    'client_token',
    'accessor',
    'policies',
    'metadata',
    'token',
    'ttl',
    'creation_path',
    'creation_time',
    'wrapped_accessor',
    'options',
  ],
  ...[
    'sealed',
    'initialized',
    'version',
    'storage_type',
    'interval',
    'capabilities',
    'secondary_public_key',
    'dynamic_filtered_paths',
  ],
  ...[
    'last_snapshot_end',
    'next_snapshot_start',
    'consecutive_errors',
    'a',
    'enforcement_level',
    'name_path_map',
    'usages',
    'cache',
  ],
  ...['__proto__', 'constructor', 'toString', 'toJSON', 'then', 'length', 'hasOwnProperty'],
  ...Object.keys({ ...ACL_POLICY.fields, ...EGP_POLICY.fields, ...AUTO_SNAPSHOT.fields }),
];
const words = fc.constantFrom(
  'primary',
  'secondary',
  'disabled',
  'local',
  'advisory',
  'deny',
  'allow',
  '1h',
  '-1',
  '',
  'NaN',
  TOKEN,
  encodeURIComponent(TOKEN),
  '2026-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(
      'null',
      'true',
      '1',
      '-0',
      '1e999',
      '123456789012345678901234567890',
      '0.1',
      '"\\ud800"',
      '{}',
      '[]',
    ),
    fc.oneof(words, hostileTexts).map((text) => JSON.stringify(text)),
    fc.array(tie('json'), { maxLength: 4 }).map((all) => `[${all.join(',')}]`),
    // As text: names may come twice.
    fc
      .array(
        fc.tuple(
          fc.oneof(
            { arbitrary: fc.constantFrom(...NAMES), weight: 9 },
            { arbitrary: hostileTexts, weight: 1 },
          ),
          tie('json'),
        ),
        { maxLength: 6 },
      )
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
}));

interface Answer {
  readonly call: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const answers: fc.Arbitrary<Answer> = fc.record({
  call: fc.constantFrom(...Object.keys(CALLS)),
  status: fc.oneof(
    { arbitrary: fc.constant(200), weight: 6 },
    {
      arbitrary: fc.constantFrom(100, 204, 301, 307, 400, 403, 404, 412, 429, 472, 500, 503, 599),
      weight: 5,
    },
  ),
  headers: fc.oneof(
    fc.constant({}),
    fc.constantFrom<Readonly<Record<string, string>>>(
      { location: 'https://evil.example/' },
      { location: '//\u0000' },
      { location: 'file:///etc/passwd' },
      { location: '/v1/a?canary' },
      { 'retry-after': '1e99' },
      { 'retry-after': 'Fri, 99' },
      { 'retry-after': '-1' },
    ),
  ),
  body: fc.oneof(
    {
      arbitrary: fc
        .tuple(json, fc.boolean())
        .map(([value, inside]) => (inside ? `{"request_id":"1","data":${value}}` : value)),
      weight: 8,
    },
    { arbitrary: json.map((value) => `{"errors":[${value},${JSON.stringify(TOKEN)}]}`), weight: 3 },
    { arbitrary: hostileTexts.map((text) => `${text}${TOKEN}`), weight: 1 },
  ),
});

/** A dispatcher that gives one answer to everything. */
function answering({ status, headers, body }: Answer): Dispatcher {
  const dispatch = (_options: unknown, handler: Dispatcher.DispatchHandler) => {
    const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController;
    handler.onRequestStart?.(controller, undefined);
    handler.onResponseStart?.(controller, status, headers, '');
    handler.onResponseData?.(controller, Buffer.from(body));
    handler.onResponseEnd?.(controller, {});
    return true;
  };
  return { dispatch } as unknown as Dispatcher;
}

/** Makes a call that is answered like this. */
function call(answer: Answer): Promise<unknown> {
  return CALLS[answer.call]!(
    new VaultClient({
      address: 'http://127.0.0.1:1',
      token: TOKEN,
      dispatcher: answering(answer),
      maxRetries: 0,
      clock: new FakeClock(),
      onWarning: ({ text }) => expect(text).not.toMatch(INVISIBLE),
    }),
  );
}

async function failureOf(work: Promise<unknown>): Promise<VaultError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (!VaultError.is(error)) throw error;
    return error;
  }
}

fuzz(
  'whatever a server answers, calls return or throw a VaultError that holds no secret and acts on no terminal',
  {
    inputs: answers,
    subject: call,
    planted: async (answer: Answer) => {
      // It takes for granted that errors are texts.
      const { errors = [] } = answer.body.startsWith('{"errors"')
        ? (JSON.parse(answer.body) as { errors?: readonly string[] })
        : {};
      for (const error of errors) error.trim();
      return call(answer);
    },
    check: async (make, answer) => {
      const error = await failureOf(make(answer));
      if (!error) return;
      for (const text of [error.message, ...error.errors]) {
        expect(text).not.toMatch(INVISIBLE);
        expect(text).not.toContain('canary');
      }
      expect(error.message).not.toContain('\n');
      JSON.stringify(error);
    },
  },
);

fuzz('a status of snapshots is judged, whatever it holds', {
  inputs: json,
  subject: snapshotHealth,
  planted: (status, interval, now) => {
    if (status.consecutive_errors === 0) throw new RangeError('Invalid time value');
    return snapshotHealth(status, interval, now);
  },
  check: (judge, text) => {
    const data: unknown = JSON.parse(text);
    if (typeof data !== 'object' || data === null) return;
    expect(typeof judge(decodeSnapshotStatus(data as never), 60, Date.UTC(2026, 0)).healthy).toBe('boolean');
  },
});
