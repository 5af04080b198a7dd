import { startEmulator, type Emulator } from '../../../src/emulator';
import { startReattachServer, type ReattachServer } from '../../../src/plugin';
import { contentOf, contentType } from '../../../src/plugin/server/content';
import { identityType } from '../../../src/plugin/server/identity';
import { Dynamic } from '../../../src/plugin/values/type';
import { valueCodec } from '../../../src/plugin/wire/dynamic-value';
import { Diagnostic_Severity } from '../../../src/plugin/wire/generated/tfplugin6';
import { PROVIDER, PROVIDER_ADDRESS } from '../../../src/provider';
import { CONFIGURATION_SCHEMA } from '../../../src/provider/configuration';
import { MANAGED_KEY_RESOURCE } from '../../../src/provider/managed-keys/managed-key-resource';
import { ProtocolClient } from '../../plugin/support/client';

/** Codecs for the calls of versions of Terraform that are not installed. */
const identities = valueCodec(identityType(MANAGED_KEY_RESOURCE.identity!));
const configurations = valueCodec(contentType(contentOf(CONFIGURATION_SCHEMA)));
const states = valueCodec(contentType(contentOf(MANAGED_KEY_RESOURCE.schema)));
const typeName = 'vaultadmin_managed_key';
const AWS = { kms_key: 'alias/a', key_type: 'ECDSA', curve: 'P256' };

let emulator: Emulator;
let server: ReattachServer;
let client: ProtocolClient;
beforeAll(async () => {
  emulator = await startEmulator({ clusters: { us: 0 }, serverVersion: '1.21.0+ent.hsm' });
  server = await startReattachServer(PROVIDER, PROVIDER_ADDRESS);
  const reattach = JSON.parse(server.env.TF_REATTACH_PROVIDERS) as Record<
    string,
    { Addr: { String: string } }
  >;
  client = await ProtocolClient.connect(reattach[PROVIDER_ADDRESS]!.Addr.String);

  const { address, rootToken: token } = emulator.clusters.us!;
  await fetch(`${address}/v1/sys/managed-keys/awskms/signing`, {
    method: 'POST',
    headers: { 'X-Vault-Token': token },
    body: JSON.stringify(AWS),
  });
  const type = ['object', { us: ['object', { address: 'string', token: 'string' }] }] as const;
  const clusters = new Dynamic(type, { us: { address, token } });
  await client.call('configureProvider', {
    terraformVersion: '1.12.0',
    config: configurations.encode({ clusters }),
  });
});
afterAll(async () => {
  client.close();
  await server.close();
  await emulator.close();
});

describe('a version of Terraform that would store write-only arguments', () => {
  async function validated(secret: object, writeOnlyAttributesAllowed: boolean) {
    const nothing = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));
    const { attributes, blocks } = contentOf(MANAGED_KEY_RESOURCE.schema);
    const block = { ...nothing(Object.keys(blocks.awskms!.attributes)), ...AWS, ...secret };
    const names = [...Object.keys(attributes), ...Object.keys(blocks)];
    const { diagnostics } = await client.call('validateResourceConfig', {
      typeName,
      config: states.encode({ ...nothing(names), name: 'signing', awskms: block }),
      clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed },
    });
    return diagnostics.map(({ severity, detail }) => ({ severity, detail }));
  }

  test('such a version may not use write-only arguments', async () => {
    const secret = { secret_key_wo: 'hidden', secret_key_wo_version: 1 };
    expect(await validated(secret, true)).toEqual([]);
    expect(await validated(secret, false)).toEqual([
      {
        severity: Diagnostic_Severity.ERROR,
        detail:
          'This Terraform would store the write-only argument awskms.secret_key_wo. Use Terraform 1.11 or later.',
      },
    ]);
  });

  test('such a version may use the plain arguments without a warning', async () => {
    expect(await validated({ secret_key: 'plain' }, false)).toEqual([]);
    expect(await validated({ secret_key: 'plain' }, true)).toMatchObject([
      { severity: Diagnostic_Severity.WARNING },
    ]);
  });
});

const WHOLE = { cluster: 'us', namespace: null, type: 'awskms', name: 'signing' };

test.each([
  ['all of its parts', WHOLE],
  ['the name alone', { cluster: null, namespace: null, type: null, name: 'signing' }],
])('an import by identity returns the key: %s', async (_name, identity) => {
  const { importedResources, diagnostics } = await client.call('importResourceState', {
    typeName,
    identity: { identityData: identities.encode(identity) },
  });
  expect(diagnostics).toEqual([]);
  const imported = importedResources[0]!;
  // Terraform requires the identity after the import to be the imported one.
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

test('an import by an identity with an unknown type is refused', async () => {
  const identityData = identities.encode({ ...WHOLE, type: 'softhsm' });
  const { diagnostics } = await client.call('importResourceState', { typeName, identity: { identityData } });
  expect(diagnostics).toMatchObject([
    { summary: 'managed key: the identity names an unknown type "softhsm"' },
  ]);
});
