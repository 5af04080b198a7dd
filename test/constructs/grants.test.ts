import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TerraformStack } from 'cdktf';
import {
  AclPolicy,
  AuditDevice,
  AuditLog,
  AutoSnapshot,
  Duration,
  KeySpec,
  ManagedKey,
  ManagedKeyBackend,
  ManagedKeyType,
  Pkcs11Mechanism,
  Size,
  SnapshotStorage,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from '../../constructs';
import { startEmulator, type Emulator, type RunningCluster } from '../../src/emulator';
import { Workspace } from '../support/terraform';
import { serveProvider } from '../support/served-provider';
import { synthesizeInto } from './support/stack-workspace';

/** A folder that does not exist. */
const MISSING = join(tmpdir(), `missing-${randomUUID()}`);

let emulator: Emulator;
let us: RunningCluster;

beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0 } });
  us = emulator.clusters.us as RunningCluster;
});
afterEach(() => emulator.close());

const clusterIn = (stack: TerraformStack) =>
  new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });

/** Runs terraform on a stack with a token, and returns its output. */
async function asOwnerOf(
  token: string,
  build: (stack: TerraformStack) => void,
  ...commands: readonly (readonly string[])[]
): Promise<string> {
  const provider = await serveProvider({ VAULT_ADDR: us.address, VAULT_TOKEN: token });
  const workspace = new Workspace({ env: { ...provider.env, TF_VAR_hsm_pin: '1234' } });
  try {
    synthesizeInto(workspace, build);
    await workspace.init();
    const printed: string[] = [];
    for (const command of commands) printed.push((await workspace.must(...command, '-no-color')).stdout);
    return printed.join('');
  } finally {
    await workspace.dispose();
    await provider.close();
  }
}

/** Returns a token with only the permissions of a grant. */
async function tokenWith(grant: (stack: TerraformStack, cluster: VaultCluster, policy: AclPolicy) => void) {
  const build = (stack: TerraformStack) => {
    const cluster = clusterIn(stack);
    grant(stack, cluster, new AclPolicy(stack, 'Granted', { cluster, policyName: 'granted' }));
  };
  await asOwnerOf(us.rootToken, build, ['apply', '-auto-approve']);
  const { auth } = (await ask('auth/token/create', us.rootToken, { policies: ['granted'] })) as {
    auth: { client_token: string };
  };
  return auth.client_token;
}

async function ask(path: string, token: string, body?: object): Promise<unknown> {
  const method = body ? 'POST' : 'GET';
  const headers = { 'X-Vault-Token': token };
  const response = await fetch(`${us.address}/v1/${path}`, { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  return response.ok && text !== '' ? JSON.parse(text) : response.status;
}

test('a grant to hash values as an audit device allows hashes of this device only', async () => {
  for (const path of ['by-hand', 'other']) {
    const device = { type: 'file', options: { file_path: 'discard' } };
    expect(await ask(`sys/audit/${path}`, us.rootToken, device)).toBe(204);
  }
  const token = await tokenWith((stack, cluster, policy) => {
    const log = AuditLog.file({ filePath: 'discard' });
    new AuditDevice(stack, 'File', { cluster, path: 'file', log }).grantHash(policy);
    AuditDevice.fromAuditDeviceAttributes(stack, 'ByHand', { cluster, path: 'by-hand/' }).grantHash(policy);
  });
  const hash = { data: expect.objectContaining({ hash: expect.stringMatching(/^hmac-sha256:/) }) };
  expect(await ask('sys/audit-hash/file', token, { input: 's' })).toEqual(expect.objectContaining(hash));
  expect(await ask('sys/audit-hash/by-hand', token, { input: 's' })).toEqual(expect.objectContaining(hash));
  expect(await ask('sys/audit-hash/other', token, { input: 's' })).toBe(403);
});

test('a grant to manage a key is sufficient for Terraform, and allows nothing with another key', async () => {
  const token = await tokenWith((stack, cluster, policy) =>
    ManagedKey.fromManagedKeyAttributes(stack, 'Key', {
      cluster,
      backendType: ManagedKeyType.PKCS11,
      keyName: 'signing',
    }).grantManage(policy),
  );
  const build = (stack: TerraformStack) => {
    const backend = ManagedKeyBackend.pkcs11({
      library: 'hsm',
      tokenLabel: 'vault',
      keyLabel: 'signing',
      mechanism: Pkcs11Mechanism.RSA_PKCS,
      keySpec: KeySpec.rsa(2048),
      pin: VaultSecret.fromVariable('hsm_pin'),
    });
    const cluster = clusterIn(stack);
    new ManagedKey(stack, 'Key', {
      cluster,
      keyName: 'signing',
      backend,
      allowGenerateKey: true,
      testSign: {},
    });
  };
  const printed = await asOwnerOf(
    token,
    build,
    ['apply', '-auto-approve'],
    ['plan'],
    ['destroy', '-auto-approve'],
  );
  expect(printed).toContain('Apply complete! Resources: 1 added');
  expect(printed).toContain('No changes.');
  expect(printed).toContain('Destroy complete! Resources: 1 destroyed.');
  expect(await ask('sys/managed-keys/pkcs11/other', token)).toBe(403);
});

test('a grant to manage snapshots and read their status is sufficient for Terraform', async () => {
  const token = await tokenWith((stack, cluster, policy) => {
    const snapshot = AutoSnapshot.fromAutoSnapshotAttributes(stack, 'Snapshot', {
      cluster,
      snapshotName: 'hourly',
    });
    snapshot.grantManage(policy);
    snapshot.grantReadStatus(policy);
  });
  const build = (stack: TerraformStack) => {
    const snapshot = new AutoSnapshot(stack, 'Snapshot', {
      cluster: clusterIn(stack),
      snapshotName: 'hourly',
      interval: Duration.hours(1),
      pathPrefix: '/opt',
      storage: SnapshotStorage.local({ maxSpace: Size.bytes(1000) }),
    });
    snapshot.addHealthCheck();
  };
  const printed = await asOwnerOf(
    token,
    build,
    ['apply', '-auto-approve'],
    ['plan'],
    ['destroy', '-auto-approve'],
  );
  expect(printed).toContain('Apply complete! Resources: 1 added');
  expect(printed).toContain('Plan: 0 to add, 0 to change, 0 to destroy.');
  expect(printed).toContain('Destroy complete! Resources: 1 destroyed.');
  // This warning comes with every deletion. No warning is about missing rights of the token.
  expect([...new Set(printed.match(/Warning: .*/g))]).toEqual([
    'Warning: objects will be deleted, also if another stack has taken them over',
  ]);
  expect(await ask('sys/storage/raft/snapshot-auto/config/other', token)).toBe(403);
});

test('a grant to read the status is sufficient for the health check of snapshots of another app', async () => {
  await ask('sys/storage/raft/snapshot-auto/config/hourly', us.rootToken, {
    interval: '1h',
    path_prefix: MISSING,
    storage_type: 'local',
    local_max_space: 1000,
  });
  const hourly = (stack: TerraformStack, cluster: VaultCluster) =>
    AutoSnapshot.fromAutoSnapshotAttributes(stack, 'Snapshot', {
      cluster,
      snapshotName: 'hourly',
      interval: Duration.hours(1),
    });
  const token = await tokenWith((stack, cluster, policy) => hourly(stack, cluster).grantReadStatus(policy));
  emulator.clock.advance(3_600_000);
  await emulator.clock.settled();

  const build = (stack: TerraformStack) => hourly(stack, clusterIn(stack)).addHealthCheck();
  const printed = await asOwnerOf(token, build, ['plan']);
  expect(printed).toContain(`the last attempt failed: open ${MISSING}`);
  expect(await ask('sys/storage/raft/snapshot-auto/config/hourly', token)).toBe(403);
});
