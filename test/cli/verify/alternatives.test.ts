/**
 * Runs the command's run on emulators under each alternative of each assumption: the run has to
 * find the alternative.
 */
import { ASSUMPTIONS, type AssumptionName, firstOf } from '../../../src/emulator/assume';
import { ALL, startRun, type StartedRun, whereOf } from './support/started-run';

/** The probes that need clusters of a certain version, or clusters that were never primaries. */
const OWN_EMULATOR: Readonly<Partial<Record<AssumptionName, { readonly serverVersion?: string }>>> = {
  updatePrimaryData: { serverVersion: '1.14.0+ent' },
  replicationWal: {},
};

const seen = ALL.filter((name) => whereOf(name) !== undefined);
const worldsOf = (names: readonly AssumptionName[]) =>
  names.flatMap((name) =>
    Object.keys(ASSUMPTIONS[name].alternatives).map((alternative) => [name, alternative] as const),
  );

async function expectFound(run: StartedRun, name: AssumptionName, alternative: string): Promise<void> {
  const findings = await run.see([name]);
  expect(findings[name]).toMatchObject({
    outcome: alternative === firstOf(name) ? 'as_assumed' : 'otherwise',
    alternative,
  });
}

test('a run can test all assumptions except a few', () => {
  expect(ALL.filter((name) => !seen.includes(name))).toEqual([
    'standbysAfterJoin',
    'tokensAfterUpdatePrimary',
    'forwardingPatience',
    'snapshotRecoverSource',
  ]);
});

describe('assumptions on one emulator', () => {
  let run: StartedRun;
  beforeAll(async () => {
    run = await startRun();
  });
  afterAll(() => run[Symbol.asyncDispose]());

  test.each(worldsOf(seen.filter((name) => !(name in OWN_EMULATOR))))(
    'the run finds %s=%s',
    async (name, alternative) => {
      const choose = (choice: string) => run.emulator.assumed.choose({ [name]: choice });
      // Only a DR secondary shows the alternatives of this assumption.
      if (name === 'healthOfDrSecondary') run.emulator.assumed.choose({ nodeAtAddress: 'dr-secondary' });
      choose(alternative);
      try {
        await expectFound(run, name, alternative);
      } finally {
        choose(firstOf(name));
        run.emulator.assumed.choose({ nodeAtAddress: 'active' });
      }
    },
  );
});

test.each(worldsOf(seen.filter((name) => name in OWN_EMULATOR)))(
  'the run finds %s=%s on an emulator of its own',
  async (name, alternative) => {
    await using run = await startRun({ ...OWN_EMULATOR[name], assume: { [name]: alternative } });
    await expectFound(run, name, alternative);
  },
);

test('an object that a server accepts and others refuse is removed', async () => {
  await using run = await startRun();
  const path = 'sys/policies/acl/verify-json';
  run.emulator.faults.inject({ method: 'POST', path, status: 204 });
  expect(await run.seeUntouched(['jsonErrorText'])).toEqual({
    jsonErrorText: { outcome: 'otherwise', seen: 'it is not refused: 204' },
  });
  expect(run.emulator.requests.list({ path }).map(({ method }) => method)).toEqual(['POST', 'DELETE']);
});

test('the run finds that a cluster behaves differently while it is written to', async () => {
  const steady = ({ requests }: StartedRun['emulator']) => requests.list({ path: 'verify-kv/steady' });
  await using run = await startRun({}, (emulator) => {
    if (steady(emulator).length > 0) emulator.assumed.choose({ tokensAfterDemotion: 'revoked' });
  });
  const alone = await run.see(['addressesAfterDemotion']);
  expect(alone).toMatchObject({ addressesAfterDemotion: { alternative: 'empty' } });
  expect(steady(run.emulator)).toEqual([]);
  expect(await run.see(['tokensAfterDemotion'])).toEqual({
    tokensAfterDemotion: {
      outcome: 'otherwise',
      seen: 'kept while nothing is written, but under writes: revoked',
    },
  });
  // The probe has written before each of its calls, such as the one that demotes the primary.
  expect(steady(run.emulator).filter(({ status }) => status < 300).length).toBeGreaterThanOrEqual(10);
  expect(steady(run.emulator).length).toBeLessThan(200);
});

test('the refusals of the model are compared one by one, and an object that a server does not refuse is removed', async () => {
  await using run = await startRun();
  const rgp = 'sys/policies/rgp/verify-refused';
  const snapshot = 'sys/storage/raft/snapshot-auto/config/verify-refused';
  const fault = run.emulator.faults.inject({ method: 'POST', path: snapshot, status: 204 });
  run.emulator.faults.inject({ path: rgp, status: 500, errors: ['no such thing'] });
  const inNamespace =
    'not all are alike: explained, but an RGP with an unknown enforcement level: 500 with the text "no such thing"';
  // On clusters that are not disposable, requests write only to a namespace of the run.
  expect(await run.seeUntouched(['modelRefusals'])).toEqual({
    modelRefusals: { outcome: 'otherwise', seen: inNamespace },
  });
  expect(run.emulator.requests.list({ path: snapshot })).toEqual([]);
  const { modelRefusals } = await run.see(['modelRefusals', 'statusRoot']);
  expect(modelRefusals!.seen).toBe(
    `${inNamespace}; a snapshot configuration of an unknown storage type: it is not refused: 204`,
  );
  expect(run.emulator.requests.list({ path: snapshot }).map(({ method }) => method)).toEqual([
    'POST',
    'DELETE',
  ]);
  run.emulator.faults.clear(fault);
});

test('the run only reads the status of a cluster that replicates already', async () => {
  await using run = await startRun({
    assume: { statusRoot: 'absent', corruptionFields: 'absent', heartbeatDetails: 'later' },
  });
  const names = ['statusRoot', 'corruptionFields', 'heartbeatDetails', 'missingFilter'] as const;
  const outcomes = async () =>
    Object.values(await run.seeUntouched(names)).map(({ outcome, alternative }) => alternative ?? outcome);
  expect(await outcomes()).toEqual(['not_seen', 'not_seen', 'not_seen', 'not_seen']);
  await run.set.furnish();
  await run.set.pair();
  const before = run.emulator.requests.list().length;
  expect(await outcomes()).toEqual(['absent', 'absent', 'later', 'not_seen']);
  const sent = run.emulator.requests.list().slice(before);
  expect([...new Set(sent.map(({ method }) => method))]).toEqual(['GET']);
});

describe('a whole run', () => {
  /** Returns the last alternative of an assumption. */
  const last = (name: AssumptionName) => Object.keys(ASSUMPTIONS[name].alternatives).at(-1) as string;

  test('the run finds the expected behavior on a server that behaves as assumed', async () => {
    await using run = await startRun();
    const findings = await run.see(ALL);
    const others = Object.entries(findings).filter(([, { outcome }]) => outcome !== 'as_assumed');
    expect(others.map(([name]) => name)).toEqual([
      'standbysAfterJoin',
      'healthOfDrSecondary',
      'tokensAfterUpdatePrimary',
      'updatePrimaryData',
      'forwardingPatience',
      'snapshotRecoverSource',
    ]);
    await run.set.remove();
    expect(await leftOn(run)).toEqual(await leftOn(await startedAnew()));
  });

  test('the run finds the last alternative of each assumption, and nothing else', async () => {
    const assume = Object.fromEntries(
      ALL.filter((name) => name !== 'nodeAtAddress').map((name) => [name, last(name)]),
    );
    await using run = await startRun({ assume });
    const findings = await run.see(ALL);
    for (const [name, { outcome, alternative }] of Object.entries(findings)) {
      if (outcome === 'not_seen') continue;
      expect([name, alternative]).toEqual([
        name,
        name === 'nodeAtAddress' ? 'active' : last(name as AssumptionName),
      ]);
    }
    await run.set.remove();
  });
});

const opened: StartedRun[] = [];
afterAll(() => Promise.all(opened.map((each) => each[Symbol.asyncDispose]())));

async function startedAnew(): Promise<StartedRun> {
  const run = await startRun();
  opened.push(run);
  return run;
}

/** Returns the modes of the clusters, and the data that is left on them. */
async function leftOn({ set }: StartedRun) {
  return Promise.all(
    [set.first, set.second].map(async (member) => {
      // The second cluster has the data of the first one, so only the first one is read.
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
