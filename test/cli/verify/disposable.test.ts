import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Assume, startEmulator } from '../../../src/emulator';
import { Api } from '../../emulator/support/api';
import { temporaryFolder } from '../../support/temporary-folder';
import { until } from '../../support/until';
import { startVaultAdmin, vaultAdmin } from '../support/cli';

let folder: string;
beforeAll(() => {
  folder = temporaryFolder('verify-disposable');
});

const performance = 'sys/replication/performance';

async function start(assume: Assume | string = {}) {
  const emulator = await startEmulator({
    clusters: { us: 0, eu: 0 },
    rootToken: 'canary-root-token',
    unavailableMs: 0,
    assume,
  });
  // The clock is advanced, so that snapshots are due sooner than in real time.
  const clock = setInterval(() => emulator.clock.advance(1_000), 100);
  const { us, eu } = emulator.clusters;
  const api = { us: new Api(us.address, us.rootToken), eu: new Api(eu.address, eu.rootToken) };
  return {
    emulator,
    api,
    args: ['verify', '--disposable', `us=${us.address},eu=${eu.address}`],
    env: { VAULTADMIN_US_TOKEN: us.rootToken, VAULTADMIN_EU_TOKEN: eu.rootToken },
    mode: async (name: 'us' | 'eu') =>
      (await api[name].as(undefined).get(`${performance}/status`)).body?.data?.mode as string,
    /** Returns the objects that the run may have left on `us`. The token of `us` stays valid. */
    left: async () =>
      [
        ...Object.keys((await api.us.get('sys/auth')).body.data as object),
        ...Object.keys((await api.us.get('sys/mounts')).body.data as object),
        ...((await api.us.list('sys/policies/acl')).body.data.keys as string[]),
      ].filter((name) => name.includes('verify')),
    [Symbol.asyncDispose]: async () => {
      clearInterval(clock);
      await emulator.close();
    },
  };
}

test('an emulator with the findings of all probes behaves like the clusters', async () => {
  const assume: Assume = {
    lastRemoteWal: 'zero',
    promotionChecks: 'position-400',
    missingFilter: 'empty',
    secondaryIdInUse: { status: 409, text: '{0} is taken' },
    auditUnwritable: 'curt',
  };
  await using server = await start(assume);
  const file = join(folder, 'whole.json');
  const args = [...server.args, '--confirm', 'eu,us', '--report', file];
  const { code, stdout, stderr } = await vaultAdmin(args, server.env);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const text = readFileSync(file, 'utf8');
  const report = JSON.parse(text);
  expect(report.assumptions).toMatchObject({
    lastRemoteWal: { outcome: 'otherwise', alternative: 'zero' },
    promotionChecks: { outcome: 'otherwise', alternative: 'position-400' },
    missingFilter: { outcome: 'otherwise', alternative: 'empty' },
    secondaryIdInUse: { outcome: 'otherwise', measured: { status: 409, text: '{0} is taken' } },
    auditUnwritable: { outcome: 'otherwise', alternative: 'curt' },
    interruption: { outcome: 'as_assumed' },
    snapshotSpace: { outcome: 'as_assumed' },
  });
  expect(stdout).toContain(`\n${report.counts.as_assumed} as assumed, 5 different, `);
  expect(report.counts.otherwise).toBe(5);
  expect(text).not.toMatch(/canary|127\.0\.0\.1|"us"|"eu"/);
  expect([await server.mode('us'), await server.mode('eu')]).toEqual(['disabled', 'disabled']);
  expect(await server.left()).toEqual([]);

  await using twin = await startEmulator({ assume: file });
  expect(twin.assumed.of('lastRemoteWal').afterSync).toBe('zero');
  expect(twin.assumed.of('secondaryIdInUse').text('b')).toBe('b is taken');
});

describe('the command changes clusters only if', () => {
  test.each([
    [[], 'all data on the clusters us, eu may be lost\nTo do: add --confirm us,eu to confirm it.\n'],
    [['--confirm', 'us'], 'all data on the clusters us, eu may be lost'],
    [['--confirm', 'us,ap'], 'all data on the clusters us, eu may be lost'],
    [['--confirm', 'us,eu', '--cluster', 'us'], '--cluster and --disposable exclude each other'],
  ])('the clusters are named by --disposable and --confirm: %j', async (args, message) => {
    await using server = await start();
    const { code, stdout, stderr } = await vaultAdmin([...server.args, ...args], server.env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`vault-admin: ${message}`);
    expect(server.emulator.requests.list()).toEqual([]);
  });

  test('two clusters are given', async () => {
    await using server = await start();
    const { address } = server.emulator.clusters.us;
    const args = ['verify', '--disposable', `us=${address},eu=${address}/`, '--confirm', 'us,eu'];
    const { code, stderr } = await vaultAdmin(args, server.env);
    expect(code).toBe(2);
    expect(stderr).toContain('two of the disposable clusters have the same address');
    expect(server.emulator.requests.list()).toEqual([]);
  });

  test('the clusters accept their tokens', async () => {
    await using server = await start();
    const env = { ...server.env, VAULTADMIN_EU_TOKEN: 'hvs.another' };
    const { code, stderr } = await vaultAdmin([...server.args, '--confirm', 'us,eu'], env);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'vault-admin: cluster "eu" does not accept its token\nTo do: give a root token.',
    );
    expect(await server.left()).toEqual([]);
  });

  test('the clusters are in no other replication set', async () => {
    await using server = await start();
    await server.api.us.post(`${performance}/primary/enable`);
    const { code, stderr } = await vaultAdmin([...server.args, '--confirm', 'us,eu'], server.env);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'cluster "us" is in a replication set that this command did not make: its mode is "primary"',
    );
    expect(await server.mode('us')).toBe('primary');
    expect(await server.left()).toEqual([]);
  });
});

describe('a run that ends early', () => {
  /**
   * Starts a run, and waits until `eu` has joined. `eu` is paused, so that the run waits and cannot
   * end.
   */
  async function untilJoined(server: Awaited<ReturnType<typeof start>>) {
    server.emulator.replication.pause('eu');
    const child = startVaultAdmin([...server.args, '--confirm', 'us,eu'], server.env);
    const ended = once(child, 'close') as Promise<[number | null]>;
    await until(async () => {
      if (child.exitCode !== null) throw new Error('the run ended before the clusters joined');
      return (await server.mode('eu')) === 'secondary';
    });
    return { child, ended };
  }

  test('a run that SIGTERM ends disables replication, and removes its objects', async () => {
    await using server = await start();
    const { child, ended } = await untilJoined(server);
    child.kill('SIGTERM');
    // The run can remove objects only on a cluster that accepts a login.
    server.emulator.replication.resume('eu');
    expect((await ended)[0]).toBe(143);
    expect([await server.mode('us'), await server.mode('eu')]).toEqual(['disabled', 'disabled']);
    expect(await server.left()).toEqual([]);
  });

  test('a run that SIGKILL ends leaves a set, which the next run ends', async () => {
    await using server = await start();
    const { child, ended } = await untilJoined(server);
    child.kill('SIGKILL');
    await ended;
    server.emulator.replication.resume('eu');
    expect(await server.mode('us')).toBe('primary');
    const next = await untilJoinedAgain(server);
    expect(next).toBe(143);
    expect([await server.mode('us'), await server.mode('eu')]).toEqual(['disabled', 'disabled']);
    expect(await server.left()).toEqual([]);
  });

  /** Starts the next run, and ends it by SIGTERM as soon as it has disabled the secondary. */
  async function untilJoinedAgain(server: Awaited<ReturnType<typeof start>>): Promise<number | null> {
    const child = startVaultAdmin([...server.args, '--confirm', 'us,eu'], server.env);
    const ended = once(child, 'close') as Promise<[number | null]>;
    const disabled = () => server.emulator.requests.list({ path: `${performance}/secondary/disable` }).length;
    const before = disabled();
    await until(() => {
      if (child.exitCode !== null) throw new Error('the next run ended early');
      return disabled() > before;
    });
    child.kill('SIGTERM');
    return (await ended)[0];
  }
});
