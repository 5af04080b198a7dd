/** Applies of several states on the same clusters, and saved plans that meet other clusters. */
import { startClusters, type TestClusters } from './support/clusters';
import type { SeenRequest } from './support/interruption';
import { Session, type Outcome, type Values } from './support/session';
import { startOverHttp } from './support/over-http';
import type { Sent, Wire } from './support/wire';

const CALLS = 'sys/replication/performance';
const POLICY = 'sys/policies/acl/vaultadmin-switchover';
/** The milliseconds for which a cluster does not answer after each change of its mode. */
const AWAY = 20_000;
const timeouts = { mode_change: '2m', sync: '2m' };
const eu = { confirm_data_loss: 'eu' };
const ap = { confirm_data_loss: 'ap' };
const from = { primary: 'us', secondaries: { eu, ap }, timeouts };
const toEu = { primary: 'eu', secondaries: { us: {}, ap }, timeouts };
const toAp = { primary: 'ap', secondaries: { us: {}, eu }, timeouts };

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu', 'ap'], { unavailableMs: AWAY }, startOverHttp);
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  session = new Session(clusters);
  expect(await session.apply(from)).toMatchObject({ errors: [] });
});
afterEach(() => clusters.emulator.close());

/** Returns a promise, and the function that resolves it. */
function signal(): { readonly reached: Promise<void>; readonly reach: () => void } {
  let reach!: () => void;
  return { reached: new Promise((resolve) => (reach = resolve)), reach };
}

/** Holds a request back until a promise is resolved. */
function holding(path: string, until: Promise<void>) {
  return {
    before: async (request: SeenRequest) => {
      if (request.path.endsWith(path)) await until;
    },
  };
}

/**
 * Runs two applies, which both announce a successor before the primary steps down for the first
 * one. The second apply announces last, and promotes only after the first one has ended.
 */
async function raceToDemote(one: Values, two: Values): Promise<readonly [Outcome, Outcome]> {
  const other = session.copy(clusters);
  const [announced, ready, demoted, ended] = [signal(), signal(), signal(), signal()];
  const isDemotion = ({ path }: SeenRequest) => path.endsWith('/primary/demote');
  const first = session.apply(one, {
    watcher: {
      before: async (request) => {
        if (!isDemotion(request)) return;
        announced.reach();
        await ready.reached;
      },
      after: async (request) => void (isDemotion(request) && demoted.reach()),
    },
  });
  void first.then(ended.reach);
  const before = async (request: SeenRequest) => {
    if (request.path === 'sys/capabilities-self') await announced.reached;
    if (request.path.endsWith('/secondary/promote')) await ended.reached;
    if (!isDemotion(request)) return;
    ready.reach();
    await demoted.reached;
  };
  return Promise.all([first, other.apply(two, { watcher: { before } })]);
}

async function expectPrimaries(...names: readonly string[]): Promise<void> {
  clusters.emulator.clock.advance(AWAY);
  expect(await clusters.primaries()).toEqual(names);
}

describe('two applies with two successors', () => {
  test.each(['/primary/demote', '/secondary/promote'])(
    'one cluster is the primary in the end if the second apply begins after %s',
    async (path) => {
      const other = session.copy(clusters);
      const { reached, reach } = signal();
      const after = async (request: SeenRequest) => {
        if (request.path.endsWith(path)) reach();
      };
      const [first, second] = await Promise.all([
        session.apply(toEu, { watcher: { after } }),
        // The second apply has made its plan, and waits before its first step.
        other.apply(toAp, { watcher: holding('sys/capabilities-self', reached) }),
      ]);
      expect(first.errors).toEqual([]);
      expect(second.errors).toHaveLength(1);
      await expectPrimaries('eu');
    },
  );

  test('the successor that was announced last takes over if both are about to demote the primary', async () => {
    const [one, two] = await raceToDemote(toEu, toAp);
    expect(one.errors).toEqual([
      expect.stringContaining('another apply is changing the primary of this set at the same time'),
    ]);
    expect(one.errors[0]).toContain('names "ap" as the cluster that takes over');
    expect(one.errors[0]!.match(/To do: .{5}/g)).toEqual(['To do: wait ']);
    expect(two.errors).toEqual([]);
    await expectPrimaries('ap');
  });

  test('an apply that was killed after the demotion prevents another successor, until it is continued or cancelled', async () => {
    const kill = ({ path }: SeenRequest) =>
      path.endsWith('/primary/demote') ? ('killed after' as const) : undefined;
    const other = session.copy(clusters);
    expect(await session.apply(toEu, { interrupt: kill })).toMatchObject({ killed: true });
    clusters.emulator.clock.advance(AWAY);
    const { errors } = await other.apply(toAp);
    expect(errors).toEqual([expect.stringContaining('names "eu" as the cluster that takes over')]);
    await expectPrimaries();

    const again = session.copy(clusters);
    expect(await again.apply(toEu)).toMatchObject({ errors: [] });
    await expectPrimaries('eu');
    expect((await clusters.ask('eu', 'GET', POLICY)).status).toBe(404);
  });
});

describe('two applies that force two successors while the primary answers', () => {
  const forced = { deletion_protection: false, timeouts: { ...timeouts, takeover: '1m' } };
  const us = { confirm_data_loss: 'us' };
  const eu1 = { ...forced, primary: 'eu', force_promotion: 'eu', secondaries: { us, ap } };
  const ap1 = { ...forced, primary: 'ap', force_promotion: 'ap', secondaries: { us, eu } };

  test('no other cluster is promoted if the former primary is promoted again by hand and is still starting', async () => {
    const { faults } = clusters.emulator;
    const { address } = clusters.emulator.clusters.us!;
    let hasSteppedDown = false;
    let asked = 0;
    const { errors } = await session.apply(eu1, {
      watcher: {
        before: async ({ path, origin }) => {
          if (origin !== address) return;
          if (asked > 0 && (asked += 1) > 40) faults.clear();
          if (!hasSteppedDown || path !== POLICY || asked > 0) return;
          asked = 1;
          await clusters.ask('us', 'POST', `${CALLS}/secondary/promote`, { force: true });
          faults.inject({ cluster: 'us', status: 503 });
        },
        after: async ({ path }) => void (hasSteppedDown ||= path.endsWith('/primary/demote')),
      },
    });
    expect(errors).toEqual([expect.stringContaining('the clusters have changed since the plan was made')]);
    await expectPrimaries('us');
  });

  test('the successor that was announced last takes over if the primary steps down for both at the same time', async () => {
    const [one, two] = await raceToDemote(eu1, ap1);
    expect(one.errors).toEqual([
      expect.stringContaining('another apply is changing the primary of this set at the same time'),
    ]);
    expect(one.errors[0]).toContain('names "ap" as the cluster that takes over');
    expect(two.errors).toEqual([]);
    await expectPrimaries('ap');
    expect((await clusters.ask('ap', 'GET', POLICY)).status).toBe(404);
  });

  test('the second apply waits and finds the successor promoted if the primary has stepped down for the first one', async () => {
    const other = session.copy(clusters);
    const [demoted, waited] = [signal(), signal()];
    const first = session.apply(eu1, {
      watcher: {
        before: async ({ path }) => {
          if (!path.endsWith('/secondary/promote')) return;
          demoted.reach();
          await waited.reached;
        },
      },
    });
    let [isAboutToBegin, looks] = [false, 0];
    const second = other.apply(ap1, {
      watcher: {
        before: async ({ path, origin }) => {
          await demoted.reached;
          if (path === 'sys/capabilities-self') isAboutToBegin = true;
          const isLook = path === `${CALLS}/status` && origin === clusters.emulator.clusters.eu!.address;
          if (isLook && isAboutToBegin) looks += 1;
          // A promotion reads the status once, so a second read belongs to the wait.
          if (looks > 1) waited.reach();
        },
      },
    });
    void second.then(waited.reach);
    const [one, two] = await Promise.all([first, second]);
    expect(two.errors).toEqual([expect.stringContaining('ap: follow eu as its secondary "ap"')]);
    expect(two.errors[0]).toContain('Nothing was changed.');
    expect(one.errors).toEqual([]);
    await expectPrimaries('eu');
  });

  test('an apply whose token may not announce a successor continues', async () => {
    const root = clusters.emulator.clusters.us!.rootToken;
    const operator = 'sys/policies/acl/operator';
    const { data } = await clusters.ask('us', 'GET', operator, undefined, root);
    const policy = `${String(data!.policy)}\npath "${POLICY}" { capabilities = ["deny"] }`;
    await clusters.ask('us', 'PUT', operator, { policy }, root);
    expect(await session.apply(eu1)).toMatchObject({ errors: [] });
    await expectPrimaries('eu');
  });

  test('an apply whose token may not announce a successor leaves the announcement of another apply', async () => {
    const kill = ({ path }: SeenRequest) =>
      path.endsWith('/primary/demote') ? ('killed before' as const) : undefined;
    expect(await session.copy(clusters).apply(eu1, { interrupt: kill })).toMatchObject({ killed: true });
    const left = (await clusters.ask('us', 'GET', POLICY)).data;

    const root = clusters.emulator.clusters.us!.rootToken;
    const operator = 'sys/policies/acl/operator';
    const { data } = await clusters.ask('us', 'GET', operator, undefined, root);
    const policy = `${String(data!.policy)}\npath "${POLICY}" { capabilities = ["read", "delete"] }`;
    await clusters.ask('us', 'PUT', operator, { policy }, root);
    clusters.emulator.faults.inject({ cluster: 'us', path: `${CALLS}/primary/demote`, status: 400 });
    expect((await session.apply(ap1)).errors).toHaveLength(1);
    expect((await clusters.ask('us', 'GET', POLICY)).data).toEqual(left);
    expect(String(left!.policy)).toContain('"name":"eu"');
  });
});

test('no cluster is promoted while a member that may be a primary does not answer', async () => {
  const lose = async ({ path }: SeenRequest) => {
    if (path.endsWith('/primary/demote')) clusters.emulator.faults.inject({ cluster: 'ap', drop: 'before' });
  };
  const { errors } = await session.apply(toEu, { watcher: { after: lose } });
  expect(errors).toEqual([expect.stringContaining('"ap" cannot be reached, but is required')]);
  clusters.emulator.faults.clear();
  await expectPrimaries();
  expect(await session.apply(toEu)).toMatchObject({ errors: [] });
  await expectPrimaries('eu');
});

test('a saved plan is not applied to another cluster of the same name', async () => {
  expect(await session.apply({ ...from, secondaries: { eu } })).toMatchObject({ errors: [] });
  await clusters.mountStore('ap', 'own');
  expect(await clusters.write('ap', 'own/it')).toBe(true);
  const { errors } = await session.apply(
    { primary: 'us', deletion_protection: false, timeouts },
    { redirect: { eu: 'ap' } },
  );
  expect(errors).toEqual([expect.stringContaining('"eu" is not the cluster that the plan was made for')]);
  expect(errors[0]).toContain('Nothing was changed.');
  expect(await clusters.status('eu')).toMatchObject({ mode: 'secondary' });
  expect(await clusters.lacks('ap', ['own/it'])).toEqual([]);
});

test('a plan warns if another cluster has replaced a member since the last apply, and one apply changes no cluster', async () => {
  expect(await session.apply({ ...from, secondaries: { eu } })).toMatchObject({ errors: [] });
  const { wire } = clusters;
  const isOther = ({ origin, path }: Sent) =>
    origin === clusters.emulator.clusters.eu!.address && path.startsWith('/v1/sys/health');
  const other: Wire = async (sent) => {
    const got = await wire(sent);
    if (!isOther(sent)) return got;
    return { ...got, body: JSON.stringify({ ...(JSON.parse(got.body) as object), cluster_id: 'other' }) };
  };
  const later = session.copy({ emulator: clusters.emulator, wire: other });
  expect(await later.apply({ ...from, secondaries: { eu } })).toMatchObject({ errors: [], steps: null });
  const filtered = {
    ...from,
    secondaries: { eu: { ...eu, paths_filter: { mode: 'deny', paths: ['kv/'] } } },
  };
  const { warnings, errors } = await later.apply(filtered);
  expect(warnings[0]).toContain('"eu" is another cluster than at the last apply');
  expect(errors).toEqual([expect.stringContaining('"eu" is not the cluster that the plan was made for')]);
  expect(later.values).toMatchObject({ secondaries: { eu: { paths_filter: null } } });
  const again = await later.apply(filtered);
  expect(again).toMatchObject({ errors: [], warnings: [] });
  expect(later.values).toMatchObject({ cluster_ids: { eu: 'other' } });
});

test('no set is created while the address of a member leads to a secondary of disaster recovery', async () => {
  expect(await session.apply({ ...from, secondaries: { eu } })).toMatchObject({ errors: [] });
  clusters.emulator.replication.answerBy('ap', 'dr-secondary');
  const { errors } = await session.apply(from);
  expect(errors).toEqual([
    expect.stringContaining('the address of "ap" leads to a secondary of disaster recovery'),
  ]);
  expect(await clusters.status('us')).toMatchObject({ known_secondaries: ['eu'] });
});

test.each([
  { secondaryIdAfterDemotion: 'kept' },
  { secondaryIdAfterDemotion: 'kept', addressesAfterDemotion: 'kept' },
] as const)('a primary that stepped down is recognized on a server with %j', async (assume) => {
  clusters.emulator.assumed.choose(assume);
  expect(await session.apply(toEu)).toMatchObject({ errors: [] });
  expect(await session.apply(from)).toMatchObject({ errors: [] });
  await clusters.ask('us', 'POST', `${CALLS}/primary/demote`);
  clusters.emulator.clock.advance(AWAY);
  expect(await session.apply(from)).toMatchObject({
    errors: [],
    steps: [
      'us: become the primary again (keeps its data)',
      'eu: follow us as its secondary "eu", unfiltered (keeps its data)',
      'ap: follow us as its secondary "ap", unfiltered (keeps its data)',
    ],
  });
  expect(await session.apply(from)).toMatchObject({ errors: [], steps: null });
});
