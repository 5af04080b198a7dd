import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { useNewEmulators } from '../support/emulator';
import { LEAST, refusal, rsaPrivateKey } from './support';

const running = useNewEmulators();

/** Writes a managed key, signs with it, and returns the error. */
async function trouble(type: string, fields: object): Promise<string | undefined> {
  const { api } = running();
  await api.post(`sys/managed-keys/${type}/${type}`, fields);
  const answer = await api.post(`sys/managed-keys/${type}/${type}/test/sign`);
  return answer.status === 204 ? undefined : refusal(answer).text;
}

test('a PIN is checked once the token has a PIN', async () => {
  const { tokens } = running().emulator.keyStores.pkcs11;
  const fields = { ...LEAST.pkcs11, pin: 'canary', curve: 'P256', allow_generate_key: true };
  expect(await trouble('pkcs11', fields)).toBeUndefined();
  const token = await tokens.add({ library: 'hsm', slot: '5', pin: '4711' });
  expect(await trouble('pkcs11', fields)).toBe(
    'managed key "pkcs11": pin: refused by slot 5 (CKR_PIN_INCORRECT)',
  );
  expect(await trouble('pkcs11', { ...fields, pin: '4711' })).toBeUndefined();
  expect(tokens.list()).toEqual([token]);
  expect(JSON.stringify(tokens.list())).not.toContain('4711');
});

test('a token can be identified by its slot or by its label', async () => {
  const { tokens, keys } = running().emulator.keyStores.pkcs11;
  await tokens.add({ library: 'hsm', slot: '9', token_label: 'prod' });
  await keys.add({ library: 'hsm', token_label: 'prod', key_label: 'k', curve: 'P256' });
  expect(await trouble('pkcs11', { ...LEAST.pkcs11, slot: '9', pin: 'any' })).toBeUndefined();
  expect(keys.list()).toContainEqual(
    expect.objectContaining({ slot: '9', token_label: 'prod', key_label: 'k' }),
  );
});

test('AWS credentials are checked once some are stored, and can be rotated', async () => {
  const { credentials } = running().emulator.keyStores.awskms;
  const fields = { ...LEAST.awskms, allow_generate_key: true, access_key: 'AK1', secret_key: 'canary' };
  expect(await trouble('awskms', fields)).toBeUndefined();
  const old = await credentials.add({ access_key: 'AK1', secret_key: 'one' });
  expect(await trouble('awskms', fields)).toBe(
    'managed key "awskms": secret_key: refused by AWS (InvalidSignatureException)',
  );
  expect(await trouble('awskms', { ...fields, secret_key: 'one' })).toBeUndefined();

  await credentials.add({ access_key: 'AK2', secret_key: 'two' });
  credentials.remove(old.id);
  expect(await trouble('awskms', { ...fields, secret_key: 'one' })).toBe(
    'managed key "awskms": access_key: unknown to AWS (UnrecognizedClientException)',
  );
  expect(await trouble('awskms', { access_key: 'AK2', secret_key: 'two' })).toBeUndefined();
  await credentials.add({ access_key: 'AK2', secret_key: 'three' });
  expect(credentials.list()).toMatchObject([{ access_key: 'AK2' }]);
  expect(await trouble('awskms', { secret_key: 'three' })).toBeUndefined();
  expect(await trouble('awskms', { access_key: '', secret_key: '' })).toBeUndefined();
});

test('Azure credentials are checked once some are stored', async () => {
  const { credentials, keys } = running().emulator.keyStores.azurekeyvault;
  await keys.add({ vault_name: 'v', key_name: 'k', private_key: rsaPrivateKey() });
  const fields = { ...LEAST.azurekeyvault, client_id: 'c', client_secret: 'canary' };
  expect(await trouble('azurekeyvault', fields)).toBeUndefined();
  await credentials.add({ tenant_id: 't', client_id: 'c', client_secret: 's' });
  expect(await trouble('azurekeyvault', fields)).toBe(
    'managed key "azurekeyvault": client_secret: refused by Azure (AADSTS7000215)',
  );
  expect(await trouble('azurekeyvault', { client_id: 'd' })).toBe(
    'managed key "azurekeyvault": client_id: unknown to the tenant (AADSTS700016)',
  );
  expect(await trouble('azurekeyvault', { client_id: 'c', client_secret: 's' })).toBeUndefined();
  expect(await trouble('azurekeyvault', { client_id: '', client_secret: '' })).toBeUndefined();
});

test('a file of Google credentials has to be stored or to exist', async () => {
  const { credentials } = running().emulator.keyStores.gcpckms;
  const folder = temporaryFolder('gcp-credentials');
  const fields = { ...LEAST.gcpckms, allow_generate_key: true };
  const here = join(folder, 'gcp.json');
  expect(await trouble('gcpckms', { ...fields, credentials: here })).toContain(`open ${here}: no such file`);
  writeFileSync(here, '{}');
  expect(await trouble('gcpckms', { ...fields, credentials: here })).toBeUndefined();
  await credentials.add({ path: '/etc/vault/gcp.json' });
  expect(await trouble('gcpckms', { ...fields, credentials: '/etc/vault/gcp.json' })).toBeUndefined();
});

test('a key ring has to exist once any key ring is stored', async () => {
  const { keyRings } = running().emulator.keyStores.gcpckms;
  const fields = {
    ...LEAST.gcpckms,
    credentials: '',
    project: 'p',
    region: 'global',
    allow_generate_key: true,
  };
  const ring = await keyRings.add({ project: 'p', region: 'global', key_ring: 'mine' });
  expect(await trouble('gcpckms', fields)).toBe(
    'managed key "gcpckms": key_ring: projects/p/locations/global/keyRings/r does not exist (NOT_FOUND)',
  );
  expect(await trouble('gcpckms', { key_ring: 'mine' })).toBeUndefined();
  keyRings.remove(ring.id);
  expect(await trouble('gcpckms', fields)).toBeUndefined();
});
