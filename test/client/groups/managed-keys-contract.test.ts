import type { ManagedKeyCalls } from '../../../src/client';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { connect, failureOf } from '../support/client';

/**
 * These tests run against the emulator, which is written from the interface document and not from
 * this client.
 */
const SLOT = '2305843009213693953';
const PKCS11 = {
  library: 'softhsm',
  key_label: 'signing',
  slot: SLOT,
  mechanism: '0x1041',
  curve: 'P256',
  pin: '1234',
  allow_generate_key: true,
} as const;

describe.each([
  ['vault', '1.13.0+ent.hsm'],
  ['vault', '2.0.0+ent.hsm'],
  ['neutral', '1.21.0+ent.hsm'],
] as const)('managed keys in the dialect %s, on version %s', (dialect, serverVersion) => {
  let emulator: Emulator;
  let calls: ManagedKeyCalls;

  beforeEach(async () => {
    emulator = await startEmulator({ dialect, serverVersion });
    const { address, rootToken: token } = emulator.clusters.default!;
    calls = connect({ address }, { token, dialect }).managedKeys;
  });
  afterEach(() => emulator.close());

  test('a key is written, read, listed and deleted', async () => {
    expect(await calls.read('pkcs11', 'signing')).toBeUndefined();
    await calls.write('pkcs11', 'signing', PKCS11);
    const { data } = (await calls.read('pkcs11', 'signing'))!;
    expect(data).toMatchObject({
      type: 'pkcs11',
      name: 'signing',
      fields: { slot: SLOT, mechanism: '0x1041', usages: ['sign', 'verify'], allow_generate_key: true },
      hidden: ['pin'],
    });
    expect((await calls.list('pkcs11')).data.keys).toEqual(['signing']);

    // An update keeps the UUID, and the key can be used.
    await calls.write('pkcs11', 'signing', { ...PKCS11, usages: ['sign', 'random'] });
    expect((await calls.find('signing'))?.data).toMatchObject({
      uuid: data.uuid,
      fields: { usages: ['random', 'sign'] },
    });
    await calls.testSign('pkcs11', 'signing', { hashAlgorithm: 'sha3-384' });
    expect(emulator.keyStores.pkcs11.keys.list()).toMatchObject([{ key_label: 'signing', curve: 'P256' }]);

    await calls.delete('pkcs11', 'signing');
    await calls.delete('pkcs11', 'signing');
    expect(await calls.find('signing')).toBeUndefined();
  });

  test('the keys of all types are listed together', async () => {
    await calls.write('awskms', 'a', { kms_key: 'alias/a', key_type: 'ECDSA', curve: 'P256' });
    await calls.write('azurekeyvault', 'b', {
      tenant_id: 't',
      vault_name: 'v',
      key_name: 'k',
      key_type: 'RSA-HSM',
      environment: 'AZUREPUBLICCLOUD',
    });
    await calls.write('gcpckms', 'c', {
      key_ring: 'r',
      crypto_key: 'k',
      project: 'p',
      region: 'r',
      algorithm: 'EC_SIGN_P256_SHA256',
    });
    expect((await calls.listAll()).data).toEqual({
      pkcs11: [],
      awskms: ['a'],
      azurekeyvault: ['b'],
      gcpckms: ['c'],
    });
    expect((await calls.find('b'))?.data).toMatchObject({
      type: 'azurekeyvault',
      fields: { environment: 'AZUREPUBLICCLOUD', resource: 'vault.azure.net' },
    });
  });

  test("a failed test signature has the server's reason", async () => {
    await calls.write('awskms', 'a', { kms_key: 'alias/a', key_type: 'ECDSA', curve: 'P256' });
    const error = await failureOf(calls.testSign('awskms', 'a'));
    expect(error.code).toBe('invalid_request');
    expect(error.errors.join()).toContain('allow_generate_key is false');
  });
});

test('a server without HSM support has no pkcs11 keys, and all other types', async () => {
  await using emulator = await startEmulator({ serverVersion: '1.20.0+ent.fips1403' });
  const { address, rootToken: token } = emulator.clusters.default;
  const { managedKeys } = connect({ address }, { token });
  await managedKeys.write('awskms', 'a', { kms_key: 'alias/a', key_type: 'ECDSA', curve: 'P256' });
  const unsupported = await failureOf(managedKeys.list('pkcs11'));
  expect(unsupported.errors).toEqual(['unsupported managed key type "pkcs11"']);
  expect((await managedKeys.listAll()).data).toMatchObject({ pkcs11: [], awskms: ['a'] });
  expect((await managedKeys.find('a'))?.data.type).toBe('awskms');
});
