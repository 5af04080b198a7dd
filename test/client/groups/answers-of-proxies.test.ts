/** A proxy between client and server may answer a read by itself, without Vault's envelope. */
import type { VaultClient } from '../../../src/client';
import { connect, envelope, failureOf } from '../support/client';
import { serve, type Reply } from '../support/server';

const ANSWERS: readonly Reply[] = [{ status: 204 }, { json: {} }, { json: { data: {} } }];

test.each<[expected: string, read: (client: VaultClient) => Promise<unknown>]>([
  ['list of keys', ({ policies }) => policies.acl.list()],
  ['list of keys', ({ managedKeys }) => managedKeys.list('pkcs11')],
  ['list of keys', ({ autoSnapshots }) => autoSnapshots.list()],
  ['list of keys', ({ namespaces }) => namespaces.list()],
  ['list of keys', (client) => client.list('secret/metadata')],
  ['list of audit devices', ({ auditDevices }) => auditDevices.list()],
  ['list of audit devices', ({ auditDevices }) => auditDevices.read('file')],
  ['namespace with an id or a path', ({ namespaces }) => namespaces.read('team')],
])('an answer that holds no %s, and no id of a request, is refused', async (expected, read) => {
  for (const answer of ANSWERS) {
    const failure = await failureOf(read(connect(await serve(answer))));
    expect(failure.code).toBe('unexpected_answer');
    expect(failure.message).toContain(`the answer holds no ${expected}. `);
  }
});

test('an answer of a server without keys, and one without audit devices, are empty lists', async () => {
  const client = connect(await serve({ json: envelope({}) }));
  expect((await client.policies.acl.list()).data).toEqual({ keys: [] });
  expect((await client.auditDevices.list()).data).toEqual({ keys: [] });
});
