/**
 * Makes every call of performance replication against the emulator: creates a set, changes it and
 * ends it.
 */
import { hasCaughtUp, isStreaming, VaultClient, type ReplicationPrimaryStatus } from '../../../src/client';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { REPLICATION_WARNINGS } from '../../../src/model';

const PASSWORD = 'a-password-of-the-operator';
const RULES = 'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n';

let emulator: Emulator;
const clients: VaultClient[] = [];
beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0, eu: 0 }, unavailableMs: 100 });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await emulator.close();
});

function root(cluster: string): VaultClient {
  const { address, rootToken } = emulator.clusters[cluster]!;
  const client = new VaultClient({ address, token: rootToken });
  clients.push(client);
  return client;
}

async function asOperator(client: VaultClient): Promise<VaultClient> {
  const { token } = await client.auth.userpass({ username: 'operator', password: PASSWORD });
  return client.withToken(token);
}

/**
 * Makes `us` a primary with an operator, who can log in on the secondaries too, and returns its
 * client.
 */
async function primary(): Promise<VaultClient> {
  const us = root('us');
  await us.policies.acl.write('operator', { policy: RULES });
  await us.write('sys/auth/userpass', { type: 'userpass' });
  await us.write('auth/userpass/users/operator', { password: PASSWORD, token_policies: ['operator'] });
  await us.write('sys/mounts/secret', { type: 'kv' });
  const { warnings } = await us.replication.performance.enablePrimary();
  expect(warnings).toEqual([REPLICATION_WARNINGS.primaryEnabled]);
  await us.replication.performance.waitForMode('primary');
  return us;
}

test.each(['wrapped', 'encrypted'] as const)('a pair is joined with a token that is %s', async (kind) => {
  const us = await primary();
  const eu = root('eu');
  const { performance: onUs } = us.replication;
  const { performance: onEu } = eu.replication;

  await onUs.writePathsFilter('eu', { mode: 'deny', paths: ['secret'] });
  expect((await onUs.readPathsFilter('eu'))?.data).toEqual({ mode: 'deny', paths: ['secret/'] });
  const key = kind === 'encrypted' ? (await onEu.generatePublicKey()).data : {};
  const issued = await onUs.secondaryToken({ id: 'eu', ttl: '5m', ...key });
  expect(issued.data.kind).toBe(kind);
  const joined = await onEu.enableSecondary({ token: issued.data.token });
  expect(joined.warnings).toEqual([REPLICATION_WARNINGS.secondaryEnabled]);
  const secondary = await onEu.waitUntil(isStreaming, 'stream');
  expect(secondary).toMatchObject({ secondary_id: 'eu', connection_state: 'ready' });

  const status = (await onUs.status()).data as ReplicationPrimaryStatus;
  expect(status.known_secondaries).toEqual(['eu']);
  expect(status.secondaries).toMatchObject([{ node_id: 'eu', connection_status: 'connected' }]);
  expect(secondary.cluster_id).toBe(status.cluster_id);
  const filtered = { dynamic_filtered_mounts: ['secret/'], dynamic_filtered_namespaces: [] };
  expect((await onUs.primaryDynamicFilter('eu'))?.data).toEqual(filtered);
  const { performance: onJoined } = (await asOperator(eu)).replication;
  expect((await onJoined.secondaryDynamicFilter('eu'))?.data).toEqual(filtered);
  await onUs.deletePathsFilter('eu');
  expect(await onUs.readPathsFilter('eu')).toBeUndefined();

  await onUs.revokeSecondary('eu');
  expect((await onUs.status()).data).toMatchObject({ known_secondaries: [] });
  expect((await onJoined.disableSecondary()).warnings).toEqual([REPLICATION_WARNINGS.disabled]);
  expect(await onEu.waitForMode('disabled')).toEqual({ mode: 'disabled' });
  expect((await onUs.disablePrimary()).warnings).toEqual([REPLICATION_WARNINGS.disabled]);
  await onUs.waitForMode('disabled');
});

test('a switchover demotes, promotes, and connects to the new primary', async () => {
  const us = await primary();
  const { performance: onUs } = us.replication;
  const { data } = await onUs.secondaryToken({ id: 'eu' });
  const eu = root('eu');
  await eu.replication.performance.enableSecondary({ token: data.token });
  await eu.replication.performance.waitUntil(isStreaming, 'stream');
  const { performance: onEu } = (await asOperator(eu)).replication;

  const before = (await onUs.status()).data as ReplicationPrimaryStatus;
  await onEu.waitUntil((status) => status.mode === 'secondary' && hasCaughtUp(status, before), 'catch up');
  expect((await onUs.demotePrimary()).warnings).toEqual([REPLICATION_WARNINGS.demoted]);
  expect(await onUs.waitForMode('secondary')).toMatchObject({ state: 'idle', cluster_id: before.cluster_id });
  expect((await onEu.promoteSecondary()).warnings).toEqual([REPLICATION_WARNINGS.promoted]);
  expect(await onEu.waitForMode('primary')).toMatchObject({
    cluster_id: before.cluster_id,
    known_secondaries: [],
  });

  const { data: another } = await onEu.secondaryToken({ id: 'us' });
  await onUs.updatePrimary({ token: another.token });
  expect(await onUs.waitUntil(isStreaming, 'stream')).toMatchObject({ secondary_id: 'us' });
  const { primary_cluster_addr: address } = await onUs.waitForMode('secondary');
  await onUs.updatePrimary({ update_primary_addrs: [address] });
  await onUs.waitUntil(isStreaming, 'stream');
  await onUs.updatePrimary({ token: '' });
  await onUs.waitUntil((status) => status.mode === 'secondary' && status.state === 'idle', 'forget');
});

test('refusals have distinct codes', async () => {
  const us = await primary();
  const { performance: onUs } = us.replication;
  const { performance: onEu } = root('eu').replication;
  const { data } = await onUs.secondaryToken({ id: 'eu' });

  await expect(onUs.enablePrimary()).rejects.toMatchObject({ code: 'invalid_request', status: 400 });
  await expect(onUs.secondaryToken({ id: 'eu' })).rejects.toMatchObject({ code: 'invalid_request' });
  await expect(
    onEu.enableSecondary({ token: data.token, primary_api_addr: 'http://127.0.0.1:1' }),
  ).rejects.toMatchObject({ code: 'primary_not_reached', mayHaveTakenEffect: false });
  await onUs.revokeSecondary('eu');
  await expect(onEu.enableSecondary({ token: data.token })).rejects.toMatchObject({
    code: 'activation_token_refused',
    mayHaveTakenEffect: false,
  });
  expect((await onEu.status()).data).toEqual({ mode: 'disabled' });
});

test('a secondary that lacks writes can only be promoted with force', async () => {
  const us = await primary();
  const { data } = await us.replication.performance.secondaryToken({ id: 'eu' });
  const eu = root('eu');
  await eu.replication.performance.enableSecondary({ token: data.token });
  await eu.replication.performance.waitUntil(isStreaming, 'stream');
  const { address } = emulator.clusters.eu!;
  const { token } = await eu.auth.userpass({ username: 'operator', password: PASSWORD });
  const once = new VaultClient({ address, token, maxRetries: 0 });
  clients.push(once);

  emulator.replication.pause('eu');
  await us.write('secret/app', { a: 1 });
  await expect(once.replication.performance.promoteSecondary()).rejects.toMatchObject({
    code: 'catching_up',
    status: 503,
  });
  await once.replication.performance.promoteSecondary({ force: true });
  expect(await once.replication.performance.waitForMode('primary')).toMatchObject({ mode: 'primary' });
});
