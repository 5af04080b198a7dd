/** The output and exit code for monitors in each faulty state. */
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';
import { startPair, type Pair } from '../support/pair';

let pair: Pair;

beforeEach(async () => {
  pair = await startPair();
});
afterEach(() => pair.emulator.close());

/** Returns the exit code, and the lines with the problems and with what could not be determined. */
async function verdict(args: readonly string[] = [], env: Record<string, string> = {}) {
  const { code, stdout } = await vaultAdmin(['status', '--public', ...args], { ...pair.env, ...env });
  return { code, lines: stdout.split('\n').filter((line) => /^([!?]|all is well)/.test(line)) };
}

test('a pair that streams has no problem, and exit code 0', async () => {
  expect(await verdict()).toEqual({ code: 0, lines: ['all is well'] });
});

test('a cluster that is sealed is a problem', async () => {
  await pair.us.put('sys/seal');
  expect(await verdict(['--cluster', 'us'])).toEqual({ code: 1, lines: ['! us: is sealed'] });
});

test('a secondary that is cut off is a problem of both clusters', async () => {
  pair.emulator.replication.partition('us', 'eu');
  const { code, lines } = await verdict();
  expect(code).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^! eu: is not streaming: /),
    '! us: secondary "eu" is not connected',
  ]);
});

test('a secondary that falls behind is a problem', async () => {
  pair.emulator.replication.pause('eu');
  for (const name of ['a', 'b', 'c']) {
    await pair.us.put(`sys/policies/acl/${name}`, { policy: 'path "a" { capabilities = ["read"] }' });
  }
  expect((await verdict()).code).toBe(0);
  const { code, lines } = await verdict(['--max-wal-distance', '2']);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^! eu: is \d+ WAL entries behind its primary$/)]);
});

describe('automated snapshots', () => {
  let folder: string;
  beforeEach(async () => {
    folder = temporaryFolder('snapshots');
    await pair.us.post('sys/storage/raft/snapshot-auto/config/hourly', {
      interval: '1h',
      storage_type: 'local',
      path_prefix: join(folder, 'missing'),
      local_max_space: 1_000_000,
    });
  });

  test('snapshots that fail are a problem', async () => {
    pair.emulator.clock.advance(2 * 3_600_000);
    await pair.emulator.clock.settled();
    const { code, lines } = await verdict(['--cluster', 'us']);
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^! us: automated snapshot "hourly": .*failed: /)]);
  });
});

test('a key that does not sign is a problem', async () => {
  await pair.us.post('sys/managed-keys/pkcs11/signing', {
    library: 'hsm',
    slot: '0',
    key_label: 'signing',
    mechanism: '0x0001',
    key_bits: 2048,
    pin: 'canary-pin',
  });
  const { code, lines } = await verdict(['--cluster', 'us', '--test-keys']);
  expect(code).toBe(1);
  expect(lines).toEqual([expect.stringMatching(/^! us: managed key "pkcs11\/signing" does not sign: /)]);
});

test.each([
  ['cannot be reached', { VAULTADMIN_US_ADDR: 'http://127.0.0.1:1' }, /^\? us: health: .*no connection/],
  [
    'does not use TLS although its address is https',
    { VAULTADMIN_US_ADDR: 'https' },
    /^\? us: health: .*does not use TLS/,
  ],
  ['does not know the token', { VAULTADMIN_US_TOKEN: 'wrong' }, /^\? us: token: .*does not know the token/],
])('a cluster that %s is reported as not determined', async (_what, changed, message) => {
  const env: Record<string, string> = { VAULTADMIN_US_MAX_RETRIES: '0', ...changed };
  if (env.VAULTADMIN_US_ADDR === 'https') env.VAULTADMIN_US_ADDR = pair.us.address.replace('http:', 'https:');
  const { code, lines } = await verdict(['--cluster', 'us'], env);
  expect(code).toBe(3);
  expect(lines).toEqual([expect.stringMatching(message)]);
});

test('the exit code is that of a problem if something else could not be determined', async () => {
  pair.emulator.replication.partition('us', 'eu');
  const { code, lines } = await verdict([], { VAULTADMIN_US_TOKEN: 'wrong' });
  expect(code).toBe(1);
  expect(lines.map((line) => line.slice(0, 5))).toEqual(['! eu:', '! us:', '? us:']);
});
