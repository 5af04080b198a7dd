/** A successor that is disabled by hand after the primary has stepped down for it. */
import { startClusters, type TestClusters } from './support/clusters';
import type { SeenRequest } from './support/interruption';
import { Session } from './support/session';

const CALLS = 'sys/replication/performance';
const timeouts = { mode_change: '20s', sync: '20s' };
const ap = { confirm_data_loss: 'ap' };
const from = { primary: 'us', secondaries: { eu: { confirm_data_loss: 'eu' }, ap }, timeouts };
const to = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  session = new Session(clusters);
  expect(await session.apply(from)).toMatchObject({ errors: [] });
});
afterEach(() => clusters.emulator.close());

const isDemotion = ({ path }: SeenRequest) => path.endsWith('/primary/demote');
const disable = () => clusters.ask('eu', 'POST', `${CALLS}/secondary/disable`);

test('the former primary becomes the primary again, and the error says that nothing is lost', async () => {
  const after = async (request: SeenRequest) => void (isDemotion(request) && (await disable()));
  const { errors } = await session.apply(to, { watcher: { after } });
  expect(errors).toHaveLength(1);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again\nNothing is lost');
  expect(await clusters.primaries()).toEqual(['us']);
  expect(await clusters.status('ap')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});

test('a plan after a killed apply is refused, with advice that loses no write', async () => {
  const { killed } = await session.apply(to, {
    interrupt: (request) => (isDemotion(request) ? 'killed after' : undefined),
  });
  expect(killed).toBe(true);
  await disable();
  const { errors } = await session.plan(to);
  expect(errors.map((error) => /To do: to keep.*?\./.exec(error)?.[0])).toEqual([
    'To do: to keep the data of "us", set primary back to "us", which stepped down as the last primary and loses nothing.',
    'To do: to keep the data of "ap", set primary back to "us", which stepped down as the last primary and loses nothing.',
  ]);
  expect(await session.apply({ ...from, secondaries: { ap } })).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['us']);
});
