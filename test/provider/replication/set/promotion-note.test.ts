/**
 * The note in a local secrets engine that a cluster gets before it is promoted: an apply after a
 * kill finds it.
 */
import type { TestClusters } from './support/clusters';
import type { SeenRequest } from './support/interruption';
import type { Session } from './support/session';
import { CALLS, FROM_US, IMMEDIATE, isPromotion, startMembers, VERIFIED } from './support/switchovers';

const ENGINE = 'sys/mounts/vaultadmin-promotion';
const LATER = 'kv/later';
const BACK = { ...FROM_US, secondaries: { eu: {}, ap: {} } };

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  ({ clusters, session } = await startMembers());
});
afterEach(() => clusters.emulator.close());

/** Whether a cluster has the secrets engine of the note. */
async function hasEngine(cluster: string): Promise<boolean> {
  const { data } = await clusters.ask(cluster, 'GET', 'sys/mounts');
  return 'vaultadmin-promotion/' in data!;
}

/** Applies, and kills the process at the first request of a kind. */
async function killAt(
  isLast: (request: SeenRequest) => boolean,
  config: object,
  fate: 'killed before' | 'killed after' = 'killed after',
): Promise<void> {
  const { killed } = await session.apply(config as typeof VERIFIED, {
    interrupt: (request) => (isLast(request) ? fate : undefined),
  });
  expect(killed).toBe(true);
  clusters.emulator.clock.advance(60_000);
}

async function killAfterPromotion(config: typeof VERIFIED): Promise<void> {
  await killAt(isPromotion, config);
  expect(await hasEngine('eu')).toBe(true);
}

const isFollow = ({ path }: SeenRequest) => path.endsWith('/update-primary');

async function byHand(cluster: string, call: string): Promise<void> {
  expect(await clusters.ask(cluster, 'POST', `${CALLS}/${call}`, { force: true })).toMatchObject({
    status: 200,
  });
  clusters.emulator.clock.advance(60_000);
}

test.each([
  ['verified', VERIFIED],
  ['immediate', IMMEDIATE],
])(
  'members follow without a confirmation if a switchover (%s) was killed after the promotion and the new primary was written to',
  async (_, config) => {
    await killAfterPromotion(config);
    expect(await clusters.write('eu', LATER)).toBe(true);
    expect(await session.apply(config)).toMatchObject({ errors: [] });
    expect(await session.apply(config)).toMatchObject({ errors: [], steps: null });
    expect(await clusters.primaries()).toEqual(['eu']);
    for (const name of clusters.names) {
      expect(await clusters.lacks(name, [LATER])).toEqual([]);
      expect(await hasEngine(name)).toBe(false);
    }
  },
);

test('a former primary that was written to after the note requires a confirmation, and so do the members that may have received the write', async () => {
  await killAfterPromotion(VERIFIED);
  await byHand('us', 'secondary/promote');
  expect(await clusters.write('us', 'kv/own')).toBe(true);
  await byHand('us', 'primary/demote');
  expect(await clusters.write('eu', LATER)).toBe(true);
  const { errors } = await session.apply(VERIFIED);
  expect(errors.map((error) => /"\w+" may have writes that "eu" lacks/.exec(error)?.[0])).toEqual([
    '"us" may have writes that "eu" lacks',
    '"ap" may have writes that "eu" lacks',
  ]);
  expect(await clusters.lacks('us', ['kv/own'])).toEqual([]);
});

test('a switchover completes if no token may mount the engine', async () => {
  clusters.emulator.faults.inject({ path: ENGINE, status: 403 });
  expect(await session.apply(VERIFIED)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
  expect(session.log.join('\n')).toContain('cannot note the promotion of');
});

test('a secrets engine of somebody else at the path of the note is left alone', async () => {
  await clusters.ask('eu', 'POST', ENGINE, { type: 'kv', local: true, description: 'ours' });
  expect(await session.apply(VERIFIED)).toMatchObject({ errors: [] });
  const { data } = await clusters.ask('eu', 'GET', 'sys/mounts');
  expect(data!['vaultadmin-promotion/']).toMatchObject({ description: 'ours' });
});

test('a promotion that failed leaves no engine', async () => {
  clusters.emulator.faults.inject({ cluster: 'eu', path: `${CALLS}/secondary/promote`, status: 400 });
  const { errors } = await session.apply(VERIFIED);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again');
  expect(await hasEngine('eu')).toBe(false);
});

test.each([
  ['refuses to step down', { cluster: 'us', path: `${CALLS}/primary/demote`, status: 400 }],
  [
    'no longer returns the announcement',
    { cluster: 'us', path: 'sys/policies/acl/vaultadmin-switchover', method: 'GET', status: 400 },
  ],
])('an immediate switchover leaves no engine if the primary %s', async (_, fault) => {
  clusters.emulator.faults.inject(fault);
  expect((await session.apply(IMMEDIATE)).errors).toHaveLength(1);
  expect(await hasEngine('eu')).toBe(false);
});

test('a switchover does not wait for a server that wants the deletion of an older note later', async () => {
  await killAfterPromotion(VERIFIED);
  clusters.emulator.faults.inject({ path: ENGINE, method: 'DELETE', status: 429, retryAfter: 30 });
  expect(await session.apply(VERIFIED)).toMatchObject({ errors: [] });
  expect(await session.apply(BACK)).toMatchObject({ errors: [] });
  const begin = clusters.emulator.clock.now();
  expect(await session.apply(VERIFIED)).toMatchObject({ errors: [] });
  expect(clusters.emulator.clock.now() - begin).toBe(10_000);
});

test('members follow without a confirmation if the takeover note of an earlier switchover is left', async () => {
  const isDeletion = ({ method, path }: SeenRequest) => method === 'DELETE' && path.includes('vaultadmin-');
  await killAt(isDeletion, VERIFIED, 'killed before');
  await killAt(isPromotion, BACK);
  expect(await clusters.write('us', LATER)).toBe(true);
  expect(await session.apply(BACK)).toMatchObject({ errors: [] });
});

test('a member with a write that only the former primary had requires a confirmation after the former primary has followed', async () => {
  clusters.emulator.assumed.choose({ promotionChecks: 'none' });
  const writeLate = async ({ path }: SeenRequest) => {
    if (!path.endsWith('/primary/demote')) return;
    clusters.emulator.replication.pause('eu');
    expect(await clusters.write('us', 'kv/own')).toBe(true);
    clusters.emulator.clock.advance(1_000);
  };
  expect((await session.apply(IMMEDIATE, { watcher: { before: writeLate } })).errors).toHaveLength(1);
  clusters.emulator.replication.resume('eu');
  clusters.emulator.clock.advance(60_000);
  const confirmed = { ...IMMEDIATE, secondaries: { us: { confirm_data_loss: 'us' }, ap: {} } };
  clusters.emulator.faults.inject({ cluster: 'ap', status: 503 });
  expect((await session.apply(confirmed)).errors).toEqual([
    expect.stringContaining('"ap" cannot be reached'),
  ]);
  clusters.emulator.faults.clear();
  const { errors } = await session.apply(confirmed);
  expect(errors).toEqual([expect.stringContaining('"ap" may have writes that "eu" lacks')]);
  expect(await clusters.lacks('ap', ['kv/own'])).toEqual([]);
});

test('members follow without a confirmation if the apply after the killed switchover is killed, too', async () => {
  await killAfterPromotion(VERIFIED);
  expect(await clusters.write('eu', LATER)).toBe(true);
  await killAt(isFollow, VERIFIED);
  expect(await session.apply(VERIFIED)).toMatchObject({ errors: [] });
});

test('members follow without a confirmation if nothing was written until the former primary had followed', async () => {
  await killAfterPromotion(VERIFIED);
  await killAt(isFollow, VERIFIED);
  expect(await clusters.write('eu', LATER)).toBe(true);
  expect(await session.apply(VERIFIED)).toMatchObject({ errors: [] });
});
