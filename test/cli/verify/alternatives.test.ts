/** Emulators under each alternative of an assumption: the walk finds it. */
import { ASSUMPTIONS, type AssumptionName, firstOf } from '../../../src/emulator/assume';
import { ALL, startWalked, type Walked, whereOf } from './support/walked';

/** Probes that need clusters of some version, or such as were never primaries. */
const OWN_EMULATOR: Readonly<Partial<Record<AssumptionName, { readonly serverVersion?: string }>>> = {
  updatePrimaryData: { serverVersion: '1.14.0+ent' },
  replicationWal: {},
};

const seen = ALL.filter((name) => whereOf(name) !== undefined);
const worldsOf = (names: readonly AssumptionName[]) =>
  names.flatMap((name) =>
    Object.keys(ASSUMPTIONS[name].alternatives).map((alternative) => [name, alternative] as const),
  );

async function expectFound(walked: Walked, name: AssumptionName, alternative: string): Promise<void> {
  const findings = await walked.see([name]);
  expect(findings[name]).toMatchObject({
    outcome: alternative === firstOf(name) ? 'as_assumed' : 'otherwise',
    alternative,
  });
}

test('few assumptions cannot be seen', () => {
  expect(ALL.filter((name) => !seen.includes(name))).toEqual([
    'standbysAfterJoin',
    'tokensAfterUpdatePrimary',
    'forwardingPatience',
    'snapshotRecoverSource',
  ]);
});

describe('one server after the other', () => {
  let walked: Walked;
  beforeAll(async () => {
    walked = await startWalked();
  });
  afterAll(() => walked[Symbol.asyncDispose]());

  test.each(worldsOf(seen.filter((name) => !(name in OWN_EMULATOR))))(
    '%s=%s is found',
    async (name, alternative) => {
      const choose = (choice: string) => walked.emulator.assumed.choose({ [name]: choice });
      // Only such a node can tell.
      if (name === 'healthOfDrSecondary') walked.emulator.assumed.choose({ nodeAtAddress: 'dr-secondary' });
      choose(alternative);
      try {
        await expectFound(walked, name, alternative);
      } finally {
        choose(firstOf(name));
        walked.emulator.assumed.choose({ nodeAtAddress: 'active' });
      }
    },
  );
});

test.each(worldsOf(seen.filter((name) => name in OWN_EMULATOR)))(
  '%s=%s is found',
  async (name, alternative) => {
    await using walked = await startWalked({ ...OWN_EMULATOR[name], assume: { [name]: alternative } });
    await expectFound(walked, name, alternative);
  },
);

test('an object that a server accepts and others refuse is removed', async () => {
  await using walked = await startWalked();
  const path = 'sys/policies/acl/verify-json';
  walked.emulator.faults.inject({ method: 'POST', path, status: 204 });
  expect(await walked.seeUntouched(['jsonErrorText'])).toEqual({
    jsonErrorText: { outcome: 'otherwise', seen: 'it is not refused: 204' },
  });
  expect(walked.emulator.requests.list({ path }).map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

test('other behaviour of a cluster under writes is found', async () => {
  const steady = ({ requests }: Walked['emulator']) => requests.list({ path: 'verify-kv/steady' });
  await using walked = await startWalked({}, (emulator) => {
    if (steady(emulator).length > 0) emulator.assumed.choose({ tokensAfterDemotion: 'revoked' });
  });
  const alone = await walked.see(['addressesAfterDemotion']);
  expect(alone).toMatchObject({ addressesAfterDemotion: { alternative: 'empty' } });
  expect(steady(walked.emulator)).toEqual([]);
  expect(await walked.see(['tokensAfterDemotion'])).toEqual({
    tokensAfterDemotion: {
      outcome: 'otherwise',
      seen: 'kept while nothing is written, but under writes: revoked',
    },
  });
  // Some before each call, such as the one that demotes the primary.
  expect(steady(walked.emulator).filter(({ status }) => status < 300).length).toBeGreaterThanOrEqual(10);
  expect(steady(walked.emulator).length).toBeLessThan(200);
});

test('refusals of the model are compared one by one, and what is taken nevertheless is removed', async () => {
  await using walked = await startWalked();
  const rgp = 'sys/policies/rgp/verify-refused';
  const snapshot = 'sys/storage/raft/snapshot-auto/config/verify-refused';
  const fault = walked.emulator.faults.inject({ method: 'POST', path: snapshot, status: 204 });
  walked.emulator.faults.inject({ path: rgp, status: 500, errors: ['no such thing'] });
  const inNamespace =
    'not all are alike: explained, but an RGP with an unknown enforcement level: 500 with the text "no such thing"';
  // If clusters are not disposable, requests only write to a namespace of them.
  expect(await walked.seeUntouched(['modelRefusals'])).toEqual({
    modelRefusals: { outcome: 'otherwise', seen: inNamespace },
  });
  expect(walked.emulator.requests.list({ path: snapshot })).toEqual([]);
  const { modelRefusals } = await walked.see(['modelRefusals', 'statusRoot']);
  expect(modelRefusals!.seen).toBe(
    `${inNamespace}; a snapshot configuration of an unknown storage type: it is not refused: 204`,
  );
  expect(walked.emulator.requests.list({ path: snapshot }).map(({ method }) => method)).toEqual([
    'POST',
    'DELETE',
  ]);
  walked.emulator.faults.clear(fault);
});

test('a cluster that replicates already has its status read, and is not changed', async () => {
  await using walked = await startWalked({
    assume: { statusRoot: 'absent', corruptionFields: 'absent', heartbeatDetails: 'later' },
  });
  const names = ['statusRoot', 'corruptionFields', 'heartbeatDetails', 'missingFilter'] as const;
  const outcomes = async () =>
    Object.values(await walked.seeUntouched(names)).map(({ outcome, alternative }) => alternative ?? outcome);
  expect(await outcomes()).toEqual(['not_seen', 'not_seen', 'not_seen', 'not_seen']);
  await walked.set.furnish();
  await walked.set.pair();
  const before = walked.emulator.requests.list().length;
  expect(await outcomes()).toEqual(['absent', 'absent', 'later', 'not_seen']);
  const sent = walked.emulator.requests.list().slice(before);
  expect([...new Set(sent.map(({ method }) => method))]).toEqual(['GET']);
});

describe('a whole walk', () => {
  /** The alternative that is followed, if this can be seen in such a world. */
  const last = (name: AssumptionName) => Object.keys(ASSUMPTIONS[name].alternatives).at(-1) as string;

  test('a server that behaves as assumed', async () => {
    await using walked = await startWalked();
    const findings = await walked.see(ALL);
    const others = Object.entries(findings).filter(([, { outcome }]) => outcome !== 'as_assumed');
    expect(others.map(([name]) => name)).toEqual([
      'standbysAfterJoin',
      'healthOfDrSecondary',
      'tokensAfterUpdatePrimary',
      'updatePrimaryData',
      'forwardingPatience',
      'snapshotRecoverSource',
    ]);
    await walked.set.remove();
    expect(await leftOn(walked)).toEqual(await leftOn(await startedAnew()));
  });

  test('a server with all alternatives, and no other finding', async () => {
    const assume = Object.fromEntries(
      ALL.filter((name) => name !== 'nodeAtAddress').map((name) => [name, last(name)]),
    );
    await using walked = await startWalked({ assume });
    const findings = await walked.see(ALL);
    for (const [name, { outcome, alternative }] of Object.entries(findings)) {
      if (outcome === 'not_seen') continue;
      expect([name, alternative]).toEqual([
        name,
        name === 'nodeAtAddress' ? 'active' : last(name as AssumptionName),
      ]);
    }
    await walked.set.remove();
  });
});

const opened: Walked[] = [];
afterAll(() => Promise.all(opened.map((each) => each[Symbol.asyncDispose]())));

async function startedAnew(): Promise<Walked> {
  const walked = await startWalked();
  opened.push(walked);
  return walked;
}

/** The data of the clusters, by name, and whether they replicate. */
async function leftOn({ set }: Walked) {
  return Promise.all(
    [set.first, set.second].map(async (member) => {
      // The first one's data is the second one's.
      const { mode } = await set.status(member);
      if (member !== set.first) return { mode };
      const names = async (path: string) => Object.keys((await member.server.get(path)).data).sort();
      const { data } = await member.server.list('sys/policies/acl');
      return {
        mode,
        mounts: await names('sys/mounts'),
        auth: await names('sys/auth'),
        policies: data['keys'],
      };
    }),
  );
}
