import { Mount } from '@cdktf/provider-vault/lib/mount';
import { TerraformVariable, type TerraformStack } from 'cdktf';
import {
  AclPolicy,
  KeySpec,
  GcpSignatureAlgorithm,
  KeyCurve,
  ManagedKey,
  ManagedKeyBackend,
  ManagedKeyUsage,
  Pkcs11Mechanism,
  SignatureHash,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from '../../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { Canaries } from '../../support/canaries';
import { Workspace } from '../../support/terraform';
import { upstreamMirror, upstreamMissing } from '../../support/upstream-mirror';
import { serveProvider, type ServedProvider } from '../../support/served-provider';
import { mirrorSettings, PLACED_PROVIDERS, synthesizeInto } from '../support/stack-workspace';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());
const testWithUpstream = mirror ? test : test.skip;

let emulator: Emulator;
let us: RunningCluster;
let provider: ServedProvider;
let workspace: Workspace;

beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0 } });
  us = emulator.clusters.us as RunningCluster;
  provider = await serveProvider({ VAULT_ADDR: us.address, VAULT_TOKEN: us.rootToken });
  workspace = new Workspace({
    files: mirror ? { 'settings.tfrc': mirrorSettings(mirror, PLACED_PROVIDERS) } : {},
    env: provider.env,
  });
});
afterEach(async () => {
  await workspace.dispose();
  await provider.close();
  await emulator.close();
});

const HSM = ManagedKeyBackend.pkcs11({
  library: 'hsm',
  tokenLabel: 'vault',
  keyLabel: 'signing',
  mechanism: Pkcs11Mechanism.RSA_PKCS_PSS,
  keySpec: KeySpec.rsa(2048),
  pin: VaultSecret.fromVariable('hsm_pin'),
});

test('managed keys are created with a signature, stay unchanged, are rotated, and are destroyed', async () => {
  const { pkcs11, awskms } = emulator.keyStores;
  await pkcs11.tokens.add({ library: 'hsm', token_label: 'vault', pin: 'canary-pin-1' });
  await awskms.credentials.add({ access_key: 'canary-access-1', secret_key: 'canary-secret-1' });
  synthesizeInto(workspace, (stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
    const secretsVersion = new TerraformVariable(stack, 'secrets_version', { type: 'number', default: 1 });
    const signing = new ManagedKey(stack, 'Signing', {
      cluster,
      keyName: 'signing',
      backend: HSM,
      allowGenerateKey: true,
      testSign: { usePss: true },
    });
    const backend = ManagedKeyBackend.awsKms({
      kmsKey: 'alias/release',
      keySpec: KeySpec.ecc(KeyCurve.P256),
      region: 'eu-west-1',
      accessKey: VaultSecret.fromVariable('access_key'),
      secretKey: VaultSecret.fromVariable('secret_key'),
      secretsVersion: secretsVersion.numberValue,
    });
    new ManagedKey(stack, 'Release', {
      cluster,
      keyName: 'release',
      backend,
      allowGenerateKey: true,
      testSign: {},
    });
    signing.grantTestSign(new AclPolicy(stack, 'Signer', { cluster, policyName: 'signer' }));
  });
  const canaries = new Canaries(workspace, {
    hsm_pin: 'canary-pin-1',
    access_key: 'canary-access-1',
    secret_key: 'canary-secret-1',
  });
  const succeed = async (...args: string[]) => {
    const result = await canaries.run(...args);
    expect(result).toMatchObject({ code: 0 });
    return result.stdout;
  };

  await workspace.init();
  await succeed('validate');
  await succeed('apply', '-auto-approve', '-no-color');
  expect(await read('managed-keys/pkcs11/signing')).toMatchObject({ name: 'signing', key_label: 'signing' });
  expect(await read('managed-keys/awskms/release')).toMatchObject({
    kms_key: 'alias/release',
    curve: 'P256',
  });
  expect(pkcs11.keys.list()).toHaveLength(1);
  expect(awskms.keys.list()).toHaveLength(1);
  expect(await read('policies/acl/signer')).toMatchObject({
    policy: expect.stringContaining('path "sys/managed-keys/pkcs11/signing/test/sign"') as string,
  });
  expect(await succeed('plan', '-detailed-exitcode', '-no-color')).toContain('No changes.');

  canaries.plant({ secret_key: 'canary-secret-2' });
  await awskms.credentials.add({ access_key: 'canary-access-1', secret_key: 'canary-secret-2' });
  const rotation = ['-var=secrets_version=2', '-no-color'];
  const planned = await succeed('plan', '-out=rotation.tfplan', ...rotation);
  expect(planned).toContain('Plan: 0 to add, 1 to change, 0 to destroy.');
  expect(planned).toMatch(/secret_key_wo_version\s+= 1 -> 2/);
  await succeed('show', '-json', 'rotation.tfplan');
  await succeed('apply', '-no-color', 'rotation.tfplan');
  expect(await succeed('plan', '-detailed-exitcode', ...rotation)).toContain('No changes.');

  await succeed('destroy', '-auto-approve', ...rotation);
  expect(await read('managed-keys/pkcs11/signing')).toBeUndefined();
  expect(canaries.sightings()).toEqual([]);
});

test('the provider accepts every argument of a backend', async () => {
  synthesizeInto(workspace, (stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });
    const secret = VaultSecret.fromVariable('secret');
    const backends = {
      pkcs11: ManagedKeyBackend.pkcs11({
        library: 'hsm',
        mechanism: Pkcs11Mechanism.ECDSA,
        pin: secret,
        secretsVersion: 2,
        keyLabel: 'l',
        keyId: '0x01',
        slot: '2305843009213693953',
        keySpec: KeySpec.ecc(KeyCurve.P521),
        forceRwSession: true,
        maxParallel: 2,
      }),
      awskms: ManagedKeyBackend.awsKms({
        kmsKey: 'alias/k',
        keySpec: KeySpec.rsa(4096),
        accessKey: secret,
        secretKey: secret,
        region: 'r',
        endpoint: 'https://e',
      }),
      azurekeyvault: ManagedKeyBackend.azureKeyVault({
        tenantId: 't',
        vaultName: 'v',
        keyName: 'k',
        keySpec: KeySpec.rsa(3072),
        clientId: 'c',
        clientSecret: secret,
        environment: 'AZUREPUBLICCLOUD',
        resource: 'vault.azure.net',
      }),
      gcpckms: ManagedKeyBackend.gcpCkms({
        keyRing: 'r',
        cryptoKey: 'k',
        algorithm: GcpSignatureAlgorithm.RSA_SIGN_PSS_4096_SHA512,
        cryptoKeyVersion: '2',
        project: 'p',
        region: 'r',
        credentials: secret,
      }),
    };
    for (const [id, backend] of Object.entries(backends)) {
      new ManagedKey(stack, id, {
        cluster,
        backend,
        usages: Object.values(ManagedKeyUsage),
        allowGenerateKey: true,
        allowReplaceKey: true,
        allowStoreKey: true,
        anyMount: true,
        testSign: { hashAlgorithm: SignatureHash.SHA2_512, onRefresh: true },
      });
    }
  });
  await workspace.init();
  expect(await workspace.run('validate', '-no-color')).toMatchObject({ code: 0, stderr: '' });
});

describe('a key with a mount of hashicorp/vault', () => {
  const env = { TF_CLI_CONFIG_FILE: 'settings.tfrc', TF_VAR_hsm_pin: '1234' };

  const withMount = (stack: TerraformStack, { key = false, allowed = false }) => {
    const cluster = new VaultCluster(stack, 'Cluster');
    const provider = cluster.providerFor(stack);
    const mount = new Mount(stack, 'Mount', { provider, path: 'transit', type: 'transit' });
    const signing = key && new ManagedKey(stack, 'Signing', { cluster, keyName: 'signing', backend: HSM });
    if (signing && allowed) signing.allowOn(mount);
    else mount.allowedManagedKeys = [];
  };
  const listed = async () =>
    ((await read('mounts')) as Record<string, { config: { allowed_managed_keys?: string[] } }>)['transit/']
      ?.config.allowed_managed_keys;
  const run = async (...args: string[]) => {
    const result = await workspace.runWith(env, ...args);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    return result.stdout;
  };

  testWithUpstream('the mount is created after its key, and destroyed before it', async () => {
    synthesizeInto(workspace, (stack) => withMount(stack, { key: true, allowed: true }));
    await run('init', '-upgrade', '-no-color');
    await run('apply', '-auto-approve', '-no-color');
    expect(await listed()).toEqual(['signing']);
    expect(await run('plan', '-detailed-exitcode', '-no-color')).toContain('No changes.');

    const destroyed = await run('destroy', '-auto-approve', '-no-color');
    const completions = [...destroyed.matchAll(/^(\w+)\.\w+: Destruction complete/gm)].map(
      ([, type]) => type,
    );
    expect(completions).toEqual(['vault_mount', 'vaultadmin_managed_key']);
    expect(await read('managed-keys/pkcs11/signing')).toBeUndefined();
  });

  testWithUpstream('a key is removed from its mount in one apply, and deleted in the next', async () => {
    synthesizeInto(workspace, (stack) => withMount(stack, { key: true, allowed: true }));
    await run('init', '-upgrade', '-no-color');
    await run('apply', '-auto-approve', '-no-color');

    synthesizeInto(workspace, (stack) => withMount(stack, {}));
    const refused = await workspace.runWith(env, 'apply', '-auto-approve', '-no-color');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Mounts that list it in allowed_managed_keys: "transit/".');
    expect(await listed()).toEqual(['signing']);

    for (const stack of [{ key: true }, {}]) {
      synthesizeInto(workspace, (scope) => withMount(scope, stack));
      await run('init', '-upgrade', '-no-color');
      await run('apply', '-auto-approve', '-no-color');
      expect(await listed()).toBeUndefined();
    }
    expect(await read('managed-keys/pkcs11/signing')).toBeUndefined();
  });
});

async function read(path: string): Promise<unknown> {
  const response = await fetch(`${us.address}/v1/sys/${path}`, {
    headers: { 'X-Vault-Token': us.rootToken },
  });
  if (response.status === 404) return undefined;
  return ((await response.json()) as { data: unknown }).data;
}
