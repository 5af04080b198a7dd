/**
 * Switchovers with `switchover = "immediate"`: the successor is promoted before the former primary
 * answers again.
 */
import type { TestClusters } from './support/clusters';
import type { SeenRequest, Watcher } from './support/interruption';
import type { Session } from './support/session';
import {
  CALLS,
  IMMEDIATE as to,
  isPromotion,
  startMembers,
  TIMEOUTS as timeouts,
} from './support/switchovers';

const LATE = 'kv/late';

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  ({ clusters, session } = await startMembers());
});
afterEach(() => clusters.emulator.close());

const isDemotion = ({ path }: SeenRequest) => path.endsWith('/primary/demote');

/** Writes to the primary immediately before it steps down. The write reaches no other cluster. */
const writeLate: Watcher = {
  before: async (request) => {
    if (isDemotion(request)) {
      for (const name of clusters.names) clusters.emulator.replication.pause(name);
      expect(await clusters.write('us', LATE)).toBe(true);
    }
  },
};

function resume(): void {
  for (const name of clusters.names) clusters.emulator.replication.resume(name);
  clusters.emulator.clock.advance(60_000);
}

test('the promotion follows the demotion after one read of each other cluster, and all follow the new primary', async () => {
  const { requests, errors, warnings } = await session.apply(to);
  expect(errors).toEqual([]);
  expect(warnings).toEqual([
    'performance replication set: "eu" is promoted before it can be compared with "us"\n' +
      'If "us" accepts a write in its last moment that "eu" does not receive, "us" keeps it and does not follow, and a person ' +
      'has to decide which writes are lost.\n' +
      'To do: pause all writers before you apply, or set switchover to "verified".',
  ]);
  const between = requests.slice(requests.findIndex(isDemotion) + 1, requests.findIndex(isPromotion));
  expect(between.map(({ method, path, origin }) => `${method} ${new URL(origin).hostname} ${path}`)).toEqual([
    `GET eu.test ${CALLS}/status`,
    `GET ap.test ${CALLS}/status`,
  ]);
  expect(await clusters.primaries()).toEqual(['eu']);
  expect(await session.apply(to)).toMatchObject({ errors: [], steps: null });
});

test('the set is without a primary for one period of unavailability, and for two if the promotion waits for the former primary', async () => {
  const times: number[] = [];
  const gapOf = async (config: typeof to) => {
    let demoted = 0;
    const after = async (request: SeenRequest) => {
      if (isDemotion(request)) demoted = clusters.emulator.clock.now();
      if (isPromotion(request)) times.push(clusters.emulator.clock.now() - demoted);
    };
    expect(await session.apply(config, { watcher: { after } })).toMatchObject({ errors: [] });
    clusters.emulator.clock.advance(60_000);
  };
  await gapOf(to);
  await gapOf({ ...to, primary: 'us', switchover: 'verified', secondaries: { eu: {}, ap: {} } as never });
  expect(times[0]).toBe(0);
  expect(times[1]).toBeGreaterThanOrEqual(5_000);
  expect(times[1]).toBeLessThan(5_300);
});

test('the former primary becomes the primary again if the server refuses a successor that lacks a write', async () => {
  const { errors } = await session.apply(to, {
    watcher: {
      before: async (request) => {
        await writeLate.before!(request);
        if (isPromotion(request)) resume();
      },
    },
  });
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again\nNothing is lost');
  expect(await clusters.primaries()).toEqual(['us']);
  expect(await clusters.lacks('eu', [LATE])).toEqual([]);
});

describe('a former primary with a write that the promoted successor lacks', () => {
  beforeEach(() => clusters.emulator.assumed.choose({ promotionChecks: 'none' }));

  test('the former primary keeps the write and does not follow, and the error describes both ways on', async () => {
    const { errors } = await session.apply(to, { watcher: writeLate });
    resume();
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('"us" may have writes that "eu" lacks, and would lose them by following it');
    expect(errors[0]!.match(/To do: .*|^ {2}- .*secondaries\["us"\].*|Or, to keep .*/gm)).toEqual([
      expect.stringContaining('confirm_data_loss = "us"'),
      expect.stringContaining(
        'Or, to keep what "us" has, and lose what "eu" has accepted since: demote "eu"',
      ),
    ]);
    expect(await clusters.primaries()).toEqual(['eu']);
    expect(await clusters.lacks('us', [LATE])).toEqual([]);
  });

  test('a confirmed former primary follows, and loses the write', async () => {
    await session.apply(to, { watcher: writeLate });
    resume();
    const confirmed = {
      ...to,
      secondaries: { us: { confirm_data_loss: 'us' }, ap: { confirm_data_loss: 'ap again' } },
    };
    expect(await session.apply(confirmed)).toMatchObject({ errors: [] });
    expect(await clusters.lacks('us', [LATE])).toEqual([LATE]);
    expect(await session.apply(confirmed)).toMatchObject({ errors: [], steps: null });
  });

  test('a former primary with its own write becomes the primary again by force, after its successor was demoted', async () => {
    await session.apply(to, { watcher: writeLate });
    resume();
    await clusters.ask('eu', 'POST', `${CALLS}/primary/demote`);
    clusters.emulator.clock.advance(60_000);
    const back = {
      primary: 'us',
      force_promotion: 'us',
      secondaries: { eu: { confirm_data_loss: 'eu again' }, ap: { confirm_data_loss: 'ap again' } },
      timeouts,
    };
    expect(await session.apply(back)).toMatchObject({ errors: [] });
    expect(await clusters.primaries()).toEqual(['us']);
    expect(await clusters.lacks('eu', [LATE])).toEqual([]);
  });
});

test.each([
  ['refuses the promotion', { status: 400, errors: ['no'] }, ['us']],
  ['may not be promoted', { status: 403, errors: ['permission denied'] }, ['us']],
])('the former primary becomes the primary again if the successor %s', async (_, fault, primaries) => {
  clusters.emulator.faults.inject({ cluster: 'eu', path: `${CALLS}/secondary/promote`, ...fault });
  const { errors } = await session.apply(to);
  expect(errors[0]).toContain('"eu" could not take over, and "us" is the primary again');
  expect(await clusters.primaries()).toEqual(primaries);
});

test('the promotion waits for the comparison with the former primary if a member does not answer', async () => {
  const { faults } = clusters.emulator;
  let isDemoted = false;
  const { errors, requests } = await session.apply(to, {
    watcher: {
      before: async (request) => {
        if (isDemotion(request)) faults.inject({ cluster: 'ap', drop: 'before' });
        else if (isDemoted && request.origin.includes('us.test')) faults.clear();
      },
      after: async (request) => void (isDemoted ||= isDemotion(request)),
    },
  });
  expect(errors).toEqual([]);
  const between = requests.slice(requests.findIndex(isDemotion) + 1, requests.findIndex(isPromotion));
  expect(between.some(({ origin }) => origin.includes('us.test'))).toBe(true);
  expect(await clusters.primaries()).toEqual(['eu']);
});

test('the next apply completes the switchover if the process is killed after the promotion', async () => {
  const { killed } = await session.apply(to, {
    interrupt: (request) => (isPromotion(request) ? 'killed after' : undefined),
  });
  expect(killed).toBe(true);
  clusters.emulator.clock.advance(60_000);
  expect(await session.apply(to)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
});
