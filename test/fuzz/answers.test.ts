import fc from 'fast-check';
import type { Dispatcher } from 'undici';
import { VaultClient, VaultError } from '../../src/client';
import { decodeSnapshotStatus, MANAGED_KEY_TYPES, snapshotHealth } from '../../src/model';
import { FakeClock } from '../client/support/fake-clock';
import { fuzz } from './support/fuzz';
import { answers, json, TOKEN, type HttpAnswer } from './support/answers';
import { INVISIBLE } from './support/hostile';

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
  'namespaces list': ({ namespaces }) => namespaces.list(),
  'namespace read': ({ namespaces }) => namespaces.read('a'),
  'namespace write': ({ namespaces }) => namespaces.write('a'),
  'namespace patch': ({ namespaces }) => namespaces.patch('a', { b: null }),
  'namespace delete': ({ namespaces }) => namespaces.delete('a'),
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

interface Answer extends HttpAnswer {
  readonly call: string;
}

const answersToCalls: fc.Arbitrary<Answer> = fc
  .tuple(fc.constantFrom(...Object.keys(CALLS)), answers)
  .map(([call, answer]) => ({ call, ...answer }));

/** A dispatcher that gives the same answer to every request. */
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

/** Makes a call that gets this answer. */
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
  'for any answer of a server, a call returns, or throws a VaultError without secrets and control characters',
  {
    inputs: answersToCalls,
    subject: call,
    planted: async (answer: Answer) => {
      // The planted fault: it assumes that errors are texts.
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

fuzz('each status of snapshots is judged without an error', {
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
