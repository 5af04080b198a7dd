import { readFileSync, readdirSync, statSync, existsSync } from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator';
import { temporaryFolder } from '../support/temporary-folder';
import { Api } from './support/api';

const policy = 'path "a" { capabilities = ["read"] }';

describe('the clusters of an emulator', () => {
  it('several clusters in one process are independent of each other', async () => {
    const emulator = await startEmulator({ clusters: { us: 0, eu: 0 } });
    const { us, eu } = emulator.clusters;
    expect(Object.keys(emulator.clusters)).toEqual(['us', 'eu']);
    expect(us.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(us.rootToken).toMatch(/^hvs\.\w{24}$/);
    expect(us.rootToken).not.toBe(eu.rootToken);
    const apiUs = new Api(us.address, us.rootToken);
    const apiEu = new Api(eu.address, eu.rootToken);
    await apiUs.put('sys/policies/acl/p', { policy });
    expect((await apiUs.get('sys/policies/acl/p')).status).toBe(200);
    expect((await apiEu.get('sys/policies/acl/p')).status).toBe(404);
    expect((await apiEu.as(us.rootToken).get('sys/policies/acl')).status).toBe(403);
    expect((await apiUs.get('sys/health')).body.cluster_name).toBe('us');
    expect(emulator.requests.list({ cluster: 'eu' })).toHaveLength(2);

    emulator.faults.inject({ cluster: 'eu', status: 500 });
    expect((await apiUs.get('sys/health')).status).toBe(200);
    expect((await apiEu.get('sys/health')).status).toBe(500);
    await emulator.close();
    await expect(apiUs.get('sys/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('the names of clusters are typed', async () => {
    const emulator = await startEmulator({ clusters: { us: 0 } });
    expect(emulator.clusters.us.name).toBe('us');
    // @ts-expect-error -- there is no such cluster
    expect(emulator.clusters.eu).toBeUndefined();
    await emulator.close();
    const single = await startEmulator();
    expect(single.clusters.default.name).toBe('default');
    await single.close();
  });

  it('the clusters are closed when the emulator is disposed of', async () => {
    const emulator = await startEmulator({ clusters: { us: 0 } });
    const api = new Api(emulator.clusters.us.address);
    expect((await api.get('sys/health')).status).toBe(200);
    await emulator[Symbol.asyncDispose]();
    await expect(api.get('sys/health')).rejects.toThrow('ECONNREFUSED');
  });

  it('a cluster uses the requested port, and the start fails if the port is in use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port));
    });
    await expect(startEmulator({ clusters: { a: 0, b: port } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port,
    });
    await new Promise((resolve) => other.close(resolve));
    const emulator = await startEmulator({ clusters: { b: port } });
    expect(emulator.clusters.b?.address).toBe(`http://127.0.0.1:${port}`);
    await emulator.close();
  });

  it.each([
    [['main'], 'the port of "0", "main", is not valid'],
    [{ main: -1 }, 'the port of "main", -1, is not valid'],
    [{ main: 65_536 }, 'the port of "main", 65536, is not valid'],
    [{ main: '8200' }, 'the port of "main", "8200", is not valid'],
  ])('clusters with ports that are no port numbers are refused: %j', async (clusters, problem) => {
    await expect(startEmulator({ clusters: clusters as never })).rejects.toThrow(
      `clusters: ${problem}; allowed are 1 to 65535, and 0 for any free port`,
    );
  });

  it.each(['1.12.0+ent', '3.0.0', 'latest', ''])(
    'the server version %p is refused',
    async (serverVersion) => {
      await expect(startEmulator({ serverVersion })).rejects.toThrow(
        `unknown server version "${serverVersion}": allowed are 1.13 to 2.x, as in 1.21.0+ent (enterprise) or 1.21.0 (open source)`,
      );
    },
  );
});

it("TLS uses a certificate of the emulator's own CA", async () => {
  const emulator = await startEmulator({ tls: true });
  const cluster = emulator.clusters.default;
  const ca = readFileSync(cluster?.caCertFile ?? '', 'utf8');
  const status = (options: object) =>
    new Promise((resolve, reject) => {
      request(`${cluster?.address}/v1/sys/health`, { agent: false, ...options }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
  expect(cluster?.address).toMatch(/^https:/);
  expect(await status({ ca })).toBe(200);
  await expect(status({})).rejects.toMatchObject({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  await emulator.close();
  expect(existsSync(cluster?.caCertFile ?? '')).toBe(false);
});

describe('a data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder('emulator-data');
  });

  it('a restarted cluster has the data, the tokens and the unseal key of before', async () => {
    const first = await startEmulator({ dataFolder: folder, clusters: { us: 0 } });
    const { address, rootToken, unsealKey } = first.clusters.us ?? {
      address: '',
      rootToken: '',
      unsealKey: '',
    };
    const before = new Api(address, rootToken);
    await before.put('sys/policies/acl/kept', { policy });
    await before.put('sys/namespaces/team');
    await before.put('sys/mounts/kv', { type: 'kv', options: { version: '2' } }, { namespace: 'team' });
    await before.put('kv/data/a', '{"data": {"big": 12345678901234567890}}', { namespace: 'team' });
    const wrapping = { headers: { 'X-Vault-Wrap-TTL': '1h', 'X-Vault-Wrap-Format': 'jwt' } };
    const { token } = (await before.get('sys/policies/acl/kept', wrapping)).body.wrap_info;
    const { auth } = (await before.post('auth/token/create', { policies: ['kept'] })).body;
    await before.put('sys/policies/acl/dropped', { policy });
    await before.delete('sys/policies/acl/dropped');
    await first.close();

    const second = await startEmulator({ dataFolder: folder, clusters: { us: 0 }, rootToken: 'ignored' });
    expect(second.clusters.us).toMatchObject({ rootToken, unsealKey });
    const after = new Api(second.clusters.us?.address ?? '', rootToken);
    expect((await after.get('sys/policies/acl/kept')).body.data.policy).toBe(policy);
    expect((await after.get('sys/policies/acl/dropped')).status).toBe(404);
    expect((await after.get('team/kv/data/a')).text).toContain('"big":12345678901234567890');
    expect((await after.post('sys/wrapping/unwrap', { token })).body.data.name).toBe('kept');
    expect((await after.as(auth.client_token as string).get('auth/token/lookup-self')).status).toBe(200);
    await second.close();
  });

  it('the files can only be read by their owner', async () => {
    const emulator = await startEmulator({ dataFolder: folder, clusters: { us: 0 } });
    expect(readdirSync(folder)).toEqual(['emulator.journal', 'lock']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await emulator.close();
    expect(readdirSync(folder)).toEqual(['emulator.journal']);
  });
});
