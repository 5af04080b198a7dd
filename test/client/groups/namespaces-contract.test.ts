import type { VaultClient } from '../../../src/client';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { connect, failureOf } from '../support/client';

let emulator: Emulator;
let client: VaultClient;

beforeEach(async () => {
  emulator = await startEmulator();
  const { address, rootToken: token } = emulator.clusters.default!;
  client = connect({ address }, { token });
});
afterEach(() => emulator.close());

test('a namespace is written, read, patched, listed and deleted', async () => {
  const { namespaces } = client;
  expect(await namespaces.read('team')).toBeUndefined();
  expect((await namespaces.list()).data.keys).toEqual([]);

  await namespaces.write('team', { custom_metadata: { owner: 'ops', tier: '1' } });
  expect((await namespaces.read('team'))?.data).toEqual({
    namespace_id: expect.stringMatching(/^\w{5}$/),
    custom_metadata: { owner: 'ops', tier: '1' },
  });
  await namespaces.patch('team', { owner: 'dev', tier: null });
  expect((await namespaces.read('team'))?.data.custom_metadata).toEqual({ owner: 'dev' });

  const within = client.withNamespace('team').namespaces;
  await within.write('app');
  expect((await namespaces.list()).data.keys).toEqual(['team']);
  expect((await within.list()).data.keys).toEqual(['app']);

  expect(await failureOf(namespaces.delete('team'))).toMatchObject({ code: 'invalid_request' });
  await within.delete('app');
  await namespaces.delete('team');
  await namespaces.delete('team');
  expect(await namespaces.read('team')).toBeUndefined();
});

test('a patch of a namespace that does not exist is refused', async () => {
  expect(await failureOf(client.namespaces.patch('none', {}))).toMatchObject({
    code: 'invalid_request',
    errors: ['requested namespace does not exist'],
  });
});

test.each(['', 'team/app'])('the name %j is not valid for a namespace', async (name) => {
  expect(await failureOf(client.namespaces.read(name))).toMatchObject({ code: 'invalid_request' });
});
