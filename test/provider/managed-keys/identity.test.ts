import { startEmulator, type Emulator } from '../../../src/emulator';
import { startReattachServer, type ReattachServer } from '../../../src/plugin';
import { contentOf, contentType } from '../../../src/plugin/server/content';
import { identityType } from '../../../src/plugin/server/identity';
import { valueCodec } from '../../../src/plugin/wire/dynamic-value';
import { provider, PROVIDER_ADDRESS } from '../../../src/provider';
import { configurationSchema } from '../../../src/provider/configuration';
import { managedKeyResource } from '../../../src/provider/managed-keys';
import { managedKeyIdentity } from '../../../src/provider/managed-keys/schema';
import { ProtocolClient } from '../../plugin/support/client';

/** Imports by identity, as Terraform 1.12 makes them. */
const identities = valueCodec(identityType(managedKeyIdentity as never));
const configurations = valueCodec(contentType(contentOf(configurationSchema)));
const states = valueCodec(contentType(contentOf(managedKeyResource.schema)));
const typeName = 'vaultadmin_managed_key';

let emulator: Emulator;
let server: ReattachServer;
let client: ProtocolClient;
beforeAll(async () => {
  emulator = await startEmulator({ clusters: { us: 0 }, serverVersion: '1.21.0+ent.hsm' });
  server = await startReattachServer(provider, PROVIDER_ADDRESS);
  const reattach = JSON.parse(server.env.TF_REATTACH_PROVIDERS) as Record<
    string,
    { Addr: { String: string } }
  >;
  client = await ProtocolClient.connect(reattach[PROVIDER_ADDRESS]!.Addr.String);

  const { address, rootToken: token } = emulator.clusters.us!;
  await fetch(`${address}/v1/sys/managed-keys/awskms/signing`, {
    method: 'POST',
    headers: { 'X-Vault-Token': token },
    body: JSON.stringify({ kms_key: 'alias/a', key_type: 'ECDSA', curve: 'P256' }),
  });
  const settings = Object.keys(configurationSchema.attributes.clusters.attributes).map((name) => [
    name,
    null,
  ]);
  const us = { ...(Object.fromEntries(settings) as object), address, token };
  await client.call('configureProvider', {
    terraformVersion: '1.12.0',
    config: configurations.encode({ clusters: { us } }),
  });
});
afterAll(async () => {
  client.close();
  await server.close();
  await emulator.close();
});

const WHOLE = { cluster: 'us', namespace: null, type: 'awskms', name: 'signing' };

test.each([
  ['all of its parts', WHOLE],
  ['the name alone', { cluster: null, namespace: null, type: null, name: 'signing' }],
])('by %s', async (_name, identity) => {
  const { importedResources, diagnostics } = await client.call('importResourceState', {
    typeName,
    identity: { identityData: identities.encode(identity) },
  });
  expect(diagnostics).toEqual([]);
  const imported = importedResources[0]!;
  // what is read must not have another identity than what was imported
  const read = await client.call('readResource', {
    typeName,
    currentState: imported.state,
    currentIdentity: imported.identity,
  });
  expect(identities.decode(imported.identity!.identityData)).toEqual(WHOLE);
  expect(identities.decode(read.newIdentity!.identityData)).toEqual(WHOLE);
  expect(states.decode(read.newState)).toMatchObject({
    id: 'us//awskms/signing',
    awskms: { kms_key: 'alias/a' },
  });
});

test('by a type that does not exist', async () => {
  const identityData = identities.encode({ ...WHOLE, type: 'softhsm' });
  const { diagnostics } = await client.call('importResourceState', { typeName, identity: { identityData } });
  expect(diagnostics).toMatchObject([
    { summary: 'managed key: the identity names an unknown type "softhsm"' },
  ]);
});
