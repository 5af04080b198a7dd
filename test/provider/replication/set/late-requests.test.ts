/**
 * A request of an apply that was killed takes effect while the next apply runs, or after it: the
 * apply after that one finds a way on.
 */
import { SWITCHOVER_POLICY_PATH } from '../../../../src/model';
import { startClusters, type TestClusters } from './support/clusters';
import type { Interrupt } from './support/interruption';
import { Session } from './support/session';

const timeouts = { mode_change: '5s', sync: '5s' };
const pair = { primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu' } }, timeouts };
const swapped = { primary: 'eu', secondaries: { us: {} }, timeouts };

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu']);
  await clusters.addOperators();
  session = new Session(clusters);
  expect(await session.apply(pair)).toMatchObject({ errors: [] });
});
afterEach(() => clusters.emulator.close());

/** Demotes a cluster, as a late request does. */
async function demote(cluster: string): Promise<void> {
  const { status } = await clusters.ask(cluster, 'POST', 'sys/replication/performance/primary/demote');
  expect(status).toBe(200);
}

/** Kills the provider before a call. */
function killedBefore(call: string): { readonly interrupt: Interrupt } {
  return { interrupt: ({ path }) => (path.endsWith(call) ? 'killed before' : undefined) };
}

test('a primary whose announced successor was removed from the set becomes the primary again after a late demotion', async () => {
  expect(await session.apply(swapped, killedBefore('primary/demote'))).toMatchObject({ killed: true });
  expect((await clusters.ask('us', 'GET', SWITCHOVER_POLICY_PATH)).status).toBe(200);
  const alone = { primary: 'us', secondaries: {}, timeouts };
  expect(await session.apply(alone)).toMatchObject({ errors: [] });
  expect((await clusters.ask('us', 'GET', SWITCHOVER_POLICY_PATH)).status).toBe(404);

  await demote('us');
  expect(await session.apply(alone)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['us']);
});

test('the announcement of another member stays if a member is removed', async () => {
  const policy = `# Only this cluster may take over: {"id":"mx","name":"mx","apply":"another"}`;
  await clusters.ask('us', 'POST', SWITCHOVER_POLICY_PATH, { policy });
  expect(await session.apply({ primary: 'us', secondaries: {}, timeouts })).toMatchObject({ errors: [] });
  expect((await clusters.ask('us', 'GET', SWITCHOVER_POLICY_PATH)).data).toMatchObject({ policy });
});

test('a primary that took over, and is demoted before its predecessor follows it, becomes the primary again', async () => {
  expect(await session.apply(swapped, killedBefore('secondary/update-primary'))).toMatchObject({
    killed: true,
  });
  await demote('eu');
  expect(await session.apply(swapped)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
});

test('a primary that is demoted after its predecessor has left the set becomes the primary again', async () => {
  const alone = { primary: 'eu', secondaries: {}, timeouts };
  const { errors } = await session.apply(alone, {
    watcher: {
      async after({ path }) {
        if (path.endsWith('secondary/disable')) await demote('eu');
      },
    },
  });
  expect(errors).toEqual([
    expect.stringContaining('could not determine whether "eu" has all writes of "us", the last primary'),
  ]);
  expect(await session.apply(alone)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
});
