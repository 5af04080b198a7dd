/**
 * Servers that answer in other ways than any alternative of an assumption. The tests change the
 * answers before the provider receives them.
 */
import type { Received, Sent, Wire } from './support/wire';
import { startClusters, type TestClusters } from './support/clusters';
import { Session } from './support/session';
import { walkWorld } from './support/world';

const CALLS = 'sys/replication/performance';
type Data = Record<string, unknown>;

/** A request, with the state of the clusters when it arrives. */
interface Arrived {
  /** The cluster that receives it. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: Data;
  /** The status of the cluster that receives it. */
  readonly status: () => Promise<Data>;
  readonly hasPrimary: () => Promise<boolean>;
  readonly answer: () => Promise<Received>;
}

type Change = (request: Arrived) => Promise<Received>;

const json = (status: number, body: object): Received => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
const refused = (status: number) => json(status, { errors: ['not now'] });

/** Changes the status that clusters in one of the modes return. */
const onStatus =
  (modes: readonly unknown[], change: (data: Data) => Data): Change =>
  async ({ path, answer }) => {
    const got = await answer();
    if (path !== `${CALLS}/status` || got.status !== 200) return got;
    const body = JSON.parse(got.body) as { data: Data };
    return modes.includes(body.data.mode) ? json(200, { ...body, data: change(body.data) }) : got;
  };

const isConnected = ({ connection_state: connection }: Data) => connection === 'ready';

/** The id in the path of a paths filter. */
const filterIn = (path: string) => /primary\/paths-filter\/(.*)$/.exec(path)?.[1];

/** Changes the answer of a read of a missing paths filter. */
const onMissingFilter =
  (changed: Received): Change =>
  async ({ method, path, answer }) => {
    const got = await answer();
    return method === 'GET' && filterIn(path) !== undefined && got.status === 404 ? changed : got;
  };

const isUnknown = async ({ path, status }: Arrived) => {
  const known = ((await status()).known_secondaries ?? []) as string[];
  return !known.includes(filterIn(path)!);
};

const withoutPrimary =
  (status: number): Change =>
  async ({ path, hasPrimary, answer }) =>
    path.startsWith('sys/policies/') && !(await hasPrimary()) ? refused(status) : answer();

function changing(clusters: TestClusters, change: Change): Wire {
  const statusOf = async (name: string): Promise<Data> =>
    (await clusters.status(name).catch(() => null)) ?? { mode: 'away' };
  return (sent: Sent) => {
    const name = clusters.names.find((each) => clusters.emulator.clusters[each]!.address === sent.origin)!;
    return change({
      name,
      method: sent.method,
      path: sent.path.replace('/v1/', ''),
      body: JSON.parse(sent.body || '{}') as Data,
      status: () => statusOf(name),
      hasPrimary: async () => {
        const statuses = await Promise.all(clusters.names.map(statusOf));
        return statuses.some(({ mode }) => mode === 'primary');
      },
      answer: () => clusters.wire(sent),
    });
  };
}

const walk = (change: Change) => walkWorld({}, {}, (clusters) => changing(clusters, change));

const HARMLESS: Readonly<Record<string, Change>> = {
  'a secondary without a primary looks as if it had stepped down': onStatus(['secondary'], (data) =>
    isConnected(data) ? data : { ...data, state: 'idle', connection_state: 'idle' },
  ),
  'a secondary without a primary has no secondary_id': onStatus(['secondary'], (data) =>
    isConnected(data) ? data : { ...data, secondary_id: '' },
  ),
  'the status lists neither primaries nor secondaries': onStatus(
    ['primary', 'secondary'],
    ({ primaries: _, secondaries: __, ...data }) => data,
  ),
  'an id gets no paths filter before its token (400)': async (request) => {
    const isWrite = request.method !== 'GET' && request.method !== 'DELETE';
    const isEarly = isWrite && filterIn(request.path) !== undefined && (await isUnknown(request));
    return isEarly ? refused(400) : request.answer();
  },
  'an id has no paths filter to read before its token (400)': async (request) => {
    const isRead = request.method === 'GET' && filterIn(request.path) !== undefined;
    return isRead && (await isUnknown(request)) ? refused(400) : request.answer();
  },
  'a missing paths filter is null': onMissingFilter(json(200, { data: null })),
  'a missing paths filter is empty': onMissingFilter(json(200, { data: { mode: '', paths: null } })),
};

/** Refuses calls for 20 s after a change of mode, except reads of the status. */
const unsettled =
  (status: number) =>
  (clusters: TestClusters): Change => {
    const until = new Map<string, number>();
    const { clock } = clusters.emulator;
    return async ({ name, path, method, answer }) => {
      const isStatus = /\/status$|^sys\/(health|leader)$/.test(path);
      if (!isStatus && clock.now() < (until.get(name) ?? 0)) return refused(status);
      const got = await answer();
      const changes = /\/(primary|secondary)\/(enable|demote|promote|disable)$/.test(path);
      if (method !== 'GET' && changes && got.status < 300) until.set(name, clock.now() + 20_000);
      return got;
    };
  };

test.each([400, 412, 503])(
  'all journeys converge if calls answer %i for 20 s after a change of mode, while the status is answered',
  async (status) => {
    const walked = await walkWorld({}, {}, (clusters) => changing(clusters, unsettled(status)(clusters)));
    expect(walked).toEqual({ problems: [], refused: {} });
  },
);

test('all journeys converge if revoked ids stay in the list for 20 s', async () => {
  const walked = await walkWorld({}, {}, (clusters) => {
    const revoked = new Map<string, { readonly until: number; readonly entry: Data }>();
    const { clock } = clusters.emulator;
    return changing(clusters, async ({ path, body, status, answer }) => {
      if (path.endsWith('/primary/revoke-secondary')) {
        const { secondaries } = await status();
        const entry = (secondaries as Data[] | undefined)?.find(({ node_id }) => node_id === body.id);
        revoked.set(String(body.id), { until: clock.now() + 20_000, entry: entry ?? { node_id: body.id } });
      }
      if (path.endsWith('/primary/secondary-token')) revoked.delete(String(body.id));
      const stale = [...revoked].filter(([, { until }]) => clock.now() < until);
      return onStatus(['primary'], (data) => ({
        ...data,
        known_secondaries: [
          ...new Set([...(data.known_secondaries as string[]), ...stale.map(([id]) => id)]),
        ],
      }))({ path, answer } as Arrived);
    });
  });
  expect(walked).toEqual({ problems: [], refused: {} });
});

test.each(Object.entries(HARMLESS))('all journeys converge: %s', async (_, change) => {
  expect(await walk(change)).toEqual({ problems: [], refused: {} });
});

/**
 * Faults under which no switchover can succeed, so that the last primary becomes the primary again.
 */
const TURNED_BACK: Readonly<Record<string, Change>> = {
  'policies are refused without a primary (400)': withoutPrimary(400),
  'policies are refused without a primary (503)': withoutPrimary(503),
  'promotions are refused without force (400)': async ({ path, body, answer }) =>
    path.endsWith('/secondary/promote') && body.force !== true ? refused(400) : answer(),
};

test.each(Object.entries(TURNED_BACK))('the set keeps its primary: %s', async (_, change) => {
  const { problems, refused: failed } = await walk(change);
  expect(problems).toEqual([]);
  expect(failed.switchover).toContain('"eu" could not take over, and "us" is the primary again');
});

test('a demotion that is accepted without an effect is an error, which says that the announcement is left', async () => {
  const change: Change = async ({ path, answer }) =>
    path.endsWith('/primary/demote') ? json(200, { data: null }) : answer();
  const { problems, refused: failed } = await walk(change);
  expect(problems).toEqual([]);
  expect(failed.switchover).toContain(
    '"vaultadmin-switchover" on us names eu as the cluster that takes over',
  );
  expect(failed.switchover).not.toContain('Nothing was changed');
});

test('the error names the other way to deliver a token if a secondary cannot create a public key (400)', async () => {
  const { problems } = await walk(async ({ path, status, answer }) => {
    const isSecondary =
      path.endsWith('/secondary/generate-public-key') && (await status()).mode === 'secondary';
    return isSecondary ? refused(400) : answer();
  });
  expect(problems).toEqual([expect.stringMatching(/^switchover: refused after a change /)]);
  expect(problems[0]!.match(/To do: .*/g)).toEqual([
    expect.stringContaining('set token_delivery to "wrapped" in secondaries["us"]'),
  ]);
});

test('the apply of a set that may be half destroyed is refused for the reason that its plan has warned of', async () => {
  const clusters = await startClusters(['us', 'eu', 'ap']);
  await clusters.addOperators();
  const wire: Wire = async (sent) => {
    const got = await clusters.wire(sent);
    if (!sent.path.startsWith('/v1/sys/health')) return got;
    return json(got.status, { ...(JSON.parse(got.body) as Data), cluster_id: undefined });
  };
  const session = new Session({ emulator: clusters.emulator, wire });
  const set = { primary: 'us', deletion_protection: false };
  const [eu, ap] = [{ confirm_data_loss: 'eu' }, { confirm_data_loss: 'ap' }];
  expect(await session.apply({ ...set, secondaries: { eu, ap } })).toMatchObject({ errors: [] });
  await clusters.ask('eu', 'POST', `${CALLS}/secondary/disable`);
  const exchanged = { eu: { id: 'ap', confirm_data_loss: 'eu 2' }, ap: { ...ap, id: 'eu' } };
  const { errors, warnings } = await session.apply({ ...set, secondaries: exchanged });
  const same = ': "eu" and "ap" may be the same cluster\n';
  expect(warnings).toContainEqual(expect.stringContaining(same));
  expect(errors).toEqual([expect.stringContaining(same)]);
  expect(errors[0]).toContain('The apply would have to stop after this step:\n  - eu: ERASE ALL DATA');
  expect(errors[0]).toContain('Nothing was changed.');
  expect((await clusters.status('eu')).mode).toBe('disabled');
  await clusters.emulator.close();
});
