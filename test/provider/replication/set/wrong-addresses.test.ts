/** Addresses that lead to the cluster of another member, always or in turns. */
import { startClusters, type TestClusters } from './support/clusters';
import { Session } from './support/session';
import type { Reachable } from './support/wire';

const timeouts = { mode_change: '6s', sync: '6s' };
const three = {
  primary: 'us',
  secondaries: { eu: { confirm_data_loss: 'eu' }, ap: { confirm_data_loss: 'ap' } },
  timeouts,
};
const STATUS = 'sys/replication/performance/status';

/**
 * Whether a request to a path goes to the other cluster. The requests to a path are counted from 1.
 */
type IsLed = (count: number, path: string) => boolean;
const always: IsLed = () => true;
const everySecond: IsLed = (count) => count % 2 === 1;
const onlyStatus: IsLed = (_, path) => path.endsWith(STATUS);

let clusters: TestClusters;
let session: Session;
/** The paths of the requests to the wrong address, without their queries. */
let requests: string[];
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  session = new Session(clusters);
  expect(await session.apply(three)).toMatchObject({ errors: [] });
  requests = [];
});
afterEach(() => clusters.emulator.close());

function leading(from: string, to: string, isLed: IsLed): Reachable {
  const { emulator, wire } = clusters;
  const addressOf = (name: string) => emulator.clusters[name]!.address;
  return {
    emulator,
    wire: (request) => {
      if (request.origin !== addressOf(from)) return wire(request);
      requests.push(request.path.replace('/v1/', '').split('?')[0]!);
      return wire(isLed(requests.length, request.path) ? { ...request, origin: addressOf(to) } : request);
    },
  };
}

/** The errors of the unchanged plan, without the ids of clusters. */
async function errorsOf(servers: Reachable): Promise<readonly string[]> {
  const { errors } = await session.copy(servers).plan(three);
  return errors.map((error) => error.replaceAll(/[0-9a-f-]{36}/g, 'ID'));
}

test.each([
  ['eu', 'ap', ['eu', 'ap']],
  ['ap', 'eu', ['eu', 'ap']],
  ['eu', 'us', ['us', 'eu']],
  ['us', 'eu', ['us', 'eu']],
])('an unchanged plan is refused if the address of %s always leads to %s', async (from, to, [one, other]) => {
  expect(await errorsOf(leading(from, to, always))).toEqual([
    `performance replication set: the addresses of "${one}" and "${other}" lead to the same cluster\n` +
      'Both report the same cluster id (sys/health), and the same active node (sys/leader).\n' +
      "To do: correct the address of one of them in the provider's configuration, or list the cluster only once.",
  ]);
});

test.each([
  ['every second request to eu', 'eu', 'us', everySecond, 'mode primary, then secondary'],
  ['only the status of eu', 'eu', 'us', onlyStatus, 'mode primary, then secondary'],
  ['only the status of us', 'us', 'eu', onlyStatus, 'mode secondary, then primary'],
  ['every second request to eu', 'eu', 'ap', everySecond, 'cluster id "ID", then "ID"'],
])(
  'an address is refused if %s leads elsewhere, and no cluster is to be demoted: the error names the address (%s to %s)',
  async (_, from, to, isLed, answers) => {
    expect(await errorsOf(leading(from, to, isLed))).toEqual([
      `performance replication set: the address of "${from}" leads to different clusters\n` +
        `Within a moment it reported first the ${answers} (${STATUS}, sys/health).\n` +
        `To do: correct the address of cluster "${from}" in the provider's configuration, or the load balancer behind it, so that ` +
        'it always leads to the same cluster. If the cluster was just promoted or demoted, plan again.',
    ]);
  },
);

test('a refresh reads the ids of clusters only if two members report the same status, and a refused refresh stores no id', async () => {
  const misled = session.copy(leading('eu', 'ap', always));
  expect((await misled.plan(three)).errors).toHaveLength(1);
  expect(requests).toEqual([STATUS, 'sys/health', 'sys/health', 'sys/leader']);
  requests = [];
  const { errors, warnings, steps } = await misled.copy(leading('eu', 'eu', always)).plan(three);
  expect({ errors, warnings, steps }).toEqual({ errors: [], warnings: [], steps: null });
  expect(requests).toEqual([STATUS]);
});

test('the error of a switchover quotes the name of the primary if its address leads elsewhere for a moment', async () => {
  let statuses = 0;
  const thirdStatus: IsLed = (_, path) => path.endsWith(STATUS) && (statuses += 1) === 3;
  const secondaries = { us: {}, ap: {} };
  const { errors } = await session
    .copy(leading('us', 'eu', thirdStatus))
    .apply({ primary: 'eu', secondaries, timeouts });
  expect(errors).toEqual([
    expect.stringContaining(
      'a step failed\n"us" is no longer the primary: secondary "eu", stream-wals, connection ready',
    ),
  ]);
  expect(await clusters.primaries()).toEqual(['us']);
});
