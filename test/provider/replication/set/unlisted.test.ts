/**
 * Servers with behavior that is no alternative of an assumption. A set still converges, or returns
 * to its former primary.
 */
import { ClusterReplication } from '../../../../src/emulator/replication/cluster-replication';
import { Responder } from '../../../../src/emulator/http/responder';
import { PrimaryRole } from '../../../../src/emulator/replication/primary-role';
import type { PrimaryRecord } from '../../../../src/emulator/replication/record';
import { startClusters, type TestClusters } from './support/clusters';
import { Session, type Values } from './support/session';

const timeouts = { mode_change: '60s', sync: '60s' };
const NAMES = ['us', 'eu', 'ap'] as const;
const FILTER = { mode: 'deny', paths: ['legal/'] };

/** The set of all three clusters with the given primary. */
function led(primary: string, filtered?: string): Values {
  const others = NAMES.filter((name) => name !== primary).map((name) => [
    name,
    { confirm_data_loss: name, ...(name === filtered && { paths_filter: FILTER }) },
  ]);
  return { primary, secondaries: Object.fromEntries(others) as unknown, timeouts };
}

let clusters: TestClusters;
let session: Session;

beforeEach(async () => {
  clusters = await startClusters(NAMES, { unavailableMs: 300 });
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  session = new Session(clusters);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await clusters.emulator.close();
});

type Status = Record<string, unknown>;

/** Changes the status that all clusters return. */
function tellStatus(otherwise: (status: Status) => Status): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the cluster below
  const { status } = ClusterReplication.prototype;
  jest.spyOn(ClusterReplication.prototype, 'status').mockImplementation(function (this: ClusterReplication) {
    return otherwise(status.call(this)) as ReturnType<typeof status>;
  });
}

async function converges(wanted: Values): Promise<void> {
  expect((await session.apply(wanted)).errors).toEqual([]);
  expect((await session.plan(wanted)).steps).toBeNull();
}

test.each<readonly [string, (status: Status) => Status]>([
  ['known_secondaries is absent', ({ known_secondaries: _absent, ...status }) => status],
  [
    'a secondary has an entry for each of its nodes',
    (status) => ({
      ...status,
      ...(Array.isArray(status.secondaries) && {
        secondaries: (status.secondaries as Status[]).flatMap((each) => [
          { ...each, connection_status: 'disconnected' },
          each,
        ]),
      }),
    }),
  ],
  [
    'connection states are in capitals',
    (status) => ({
      ...status,
      ...(typeof status.connection_state === 'string' && {
        connection_state: status.connection_state.toUpperCase(),
      }),
    }),
  ],
  [
    'a primary that stepped down reports the status of a secondary that lost its connection',
    (status) =>
      status.state === 'idle'
        ? { ...status, state: 'stream-wals', connection_state: 'transient_failure', secondary_id: 'us' }
        : status,
  ],
  [
    'earlier connections are still shown as connected',
    (status) => ({
      ...status,
      ...(status.state === 'idle' && { primaries: [{ connection_status: 'connected' }] }),
    }),
  ],
  [
    'the position of a secondary does not move',
    (status) => ({ ...status, ...(status.mode === 'secondary' && { last_remote_wal: 1 }) }),
  ],
])('a set switches over and back if %s', async (_case, otherwise) => {
  tellStatus(otherwise);
  for (const primary of ['us', 'eu', 'us']) await converges(led(primary, 'ap'));
  expect(await clusters.primaries()).toEqual(['us']);
});

test('a primary that still lists its earlier secondaries does not count them as followers', async () => {
  const records = new Map<PrimaryRole, PrimaryRecord>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the role below
  const { begin, resign } = PrimaryRole.prototype;
  jest.spyOn(PrimaryRole.prototype, 'resign').mockImplementation(function (this: PrimaryRole) {
    resign.call(this);
    records.set(this, this.record);
  });
  jest.spyOn(PrimaryRole.prototype, 'begin').mockImplementation(function (
    this: PrimaryRole,
    ...args: Parameters<typeof begin>
  ) {
    begin.call(this, ...args);
    Object.assign(this.record, { secondaries: records.get(this)?.secondaries ?? {} });
  });
  for (const primary of ['us', 'eu', 'us']) await converges(led(primary));
  expect(await clusters.write('us', 'kv/after')).toBe(true);
  clusters.emulator.clock.advance(1_000);
  for (const name of NAMES) expect(await clusters.lacks(name, ['kv/after'])).toEqual([]);
});

test('the last primary becomes the primary again if servers serve no policies without a primary', async () => {
  await converges(led('us'));
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with the responder below
  const { respond } = Responder.prototype;
  const spy = jest.spyOn(Responder.prototype, 'respond').mockImplementation(async function (
    this: Responder,
    request,
  ) {
    const isPolicy = /sys\/(policies|capabilities)/.test(request.url);
    if (!isPolicy || (await clusters.primaries()).length > 0) return respond.call(this, request);
    return { status: 500, contentType: 'application/json', body: '{"errors":["internal error"]}' };
  });
  const { errors } = await session.apply(led('eu'));
  expect(errors).toEqual([
    expect.stringContaining('"eu" could not take over, and "us" is the primary again'),
  ]);
  expect(await clusters.primaries()).toEqual(['us']);

  // Another apply also makes it the primary again, if the first apply was killed.
  const interrupt = ({ path }: { path: string }) =>
    path.endsWith('primary/demote') ? ('killed after' as const) : undefined;
  expect(await session.apply(led('eu'), { interrupt })).toMatchObject({ killed: true });
  clusters.emulator.clock.advance(1_000);
  expect(await clusters.primaries()).toEqual([]);
  expect((await session.apply(led('us'))).errors).toEqual([]);
  expect(await clusters.primaries()).toEqual(['us']);
  spy.mockRestore();
  await converges(led('us'));
});

test('a step that succeeds without an effect is taken three times, and is an error then', async () => {
  tellStatus(({ known_secondaries: _absent, secondaries: _none, ...status }) => status);
  const { errors } = await session.apply(led('us'));
  expect(errors).toEqual([expect.stringContaining('a step has no effect')]);
  expect(errors[0]).toContain('It was taken 3 times without an error');
});

test(`the former primary becomes the primary again if the successor's merkle tree is found corrupted after the demotion`, async () => {
  await converges(led('us'));
  const after = async ({ path }: { path: string }) => {
    if (path.endsWith('primary/demote')) clusters.emulator.replication.corruptTree('eu');
  };
  const { errors } = await session.apply(led('eu'), { watcher: { after } });
  expect(errors).toEqual([
    expect.stringContaining('"eu" could not take over, and "us" is the primary again'),
  ]);
  expect(errors[0]).toContain('Reason: the merkle tree of "eu" is corrupted');
  expect(await clusters.primaries()).toEqual(['us']);
});
