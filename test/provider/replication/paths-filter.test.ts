import { block, startStack, type Stack } from '../support';
import { CALLS, enablePrimary, startClusters, withoutLogout } from './support';

const TYPE = 'vaultadmin_perf_replication_paths_filter';
const ADDRESS = `${TYPE}.it`;
const PATH = `${CALLS}/primary/paths-filter/eu`;

const filter = (attributes: object) =>
  block('resource', TYPE, { cluster: 'us', secondary_id: 'eu', ...attributes });
const DENY = { mode: 'deny', paths: ['secret/', 'auth/approle/'] };

let stack: Stack;
beforeAll(async () => {
  stack = await startClusters();
  await enablePrimary(stack);
});
afterEach(async () => {
  stack.workspace.remove('terraform.tfstate');
  await stack.ask('DELETE', PATH);
});
afterAll(() => stack.close());

const stored = async () => (await stack.ask('GET', PATH)).data;

test('a paths filter is created, changed and deleted', async () => {
  stack.resources(filter(DENY));
  await stack.must('apply');
  expect(await stored()).toEqual({ mode: 'deny', paths: expect.arrayContaining(DENY.paths) as unknown });
  expect((await stack.workspace.state())[ADDRESS]).toMatchObject({
    id: 'us//eu',
    cluster: 'us',
    ...{ mode: 'deny' },
  });
  expect(withoutLogout((await stack.must('plan')).requests)).toEqual([
    'GET ' + PATH,
    'POST auth/people/login/operator',
  ]);

  stack.resources(filter({ paths: ['secret/'] }));
  expect((await stack.must('apply')).planned).toEqual({ [ADDRESS]: 'update' });
  expect(await stored()).toEqual({ mode: 'allow', paths: ['secret/'] });

  const { code, warnings } = await stack.run('destroy');
  expect(code).toBe(0);
  expect(warnings).toMatchObject([
    { summary: 'paths filter "eu" on cluster "us": without it, the secondary receives everything' },
  ]);
  expect(await stored()).toBeUndefined();
});

test('a change of trailing slashes or of the order of paths is no change', async () => {
  stack.resources(filter({ mode: 'deny', paths: ['secret', 'auth/approle'] }));
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});
  stack.resources(filter(DENY));
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a filter that was changed or deleted by hand is shown and repaired', async () => {
  stack.resources(filter(DENY));
  await stack.must('apply');
  await stack.ask('POST', PATH, { mode: 'deny', paths: ['secret/'] });
  expect((await stack.must('plan')).planned).toEqual({ [ADDRESS]: 'update' });
  await stack.must('apply');
  expect((await stored())!.paths).toHaveLength(2);

  await stack.ask('DELETE', PATH);
  expect((await stack.must('plan')).planned).toEqual({ [ADDRESS]: 'create' });
});

test('a create of a filter that exists is refused, and the error shows the import', async () => {
  await stack.ask('POST', PATH, { mode: 'deny', paths: ['kv/'] });
  stack.resources(filter(DENY));
  const { code, errors, requests } = await stack.run('apply');
  expect(code).toBe(1);
  expect(errors).toMatchObject([{ summary: 'paths filter "eu" on cluster "us" already exists' }]);
  expect(errors[0]!.detail).toContain(`terraform import ${TYPE}.NAME 'us//eu'`);
  expect(requests).not.toContain(`POST ${PATH}`);
  expect(await stored()).toEqual({ mode: 'deny', paths: ['kv/'] });
});

test.each(['us//eu', 'us/eu'])('an import by %s leads to a plan without changes', async (id) => {
  await stack.ask('POST', PATH, DENY);
  stack.resources(filter(DENY));
  expect((await stack.workspace.run('import', ADDRESS, id)).code).toBe(0);
  expect((await stack.must('plan')).planned).toEqual({});
});

test.each([
  ['us//ap', 'paths filter "ap" on cluster "us" does not exist'],
  ['us/team//eu', 'paths filter "eu": the import id names a namespace'],
  ['us//-eu', 'paths filter "-eu": secondary_id is not valid as part of a path'],
])('an import of %s is refused', async (id, problem) => {
  stack.resources(filter(DENY));
  const { code, stderr } = await stack.workspace.run('import', '-no-color', ADDRESS, id);
  expect(code).toBe(1);
  expect(stderr.replace(/[\s│]+/g, ' ')).toContain(problem);
});

test.each([
  [
    { paths: ['sys/'] },
    'paths filter "eu": paths contains a path that cannot be filtered',
    'every secondary receives "sys/"',
  ],
  [
    { paths: ['auth/token'] },
    'paths filter "eu": paths contains a path that cannot be filtered',
    'auth/token/',
  ],
  [
    { paths: ['/secret/'] },
    'paths filter "eu": paths contains a path that begins with a slash',
    'write "secret/"',
  ],
  [{ paths: ['secret/*'] }, 'paths filter "eu": paths contains a pattern', 'individually'],
  [
    { mode: 'block', paths: [] },
    'paths filter "eu": mode must be one of the allowed values',
    '"allow", "deny"',
  ],
  [
    { secondary_id: 'eu/1', paths: ['a/'] },
    'paths filter "eu/1": secondary_id is not valid as part of a path',
    'another name',
  ],
])('the filter %j is refused before any request', async (attributes, summary, cure) => {
  stack.resources(filter({ mode: 'deny', ...attributes }));
  const { code, errors, requests } = await stack.run('plan');
  expect([code, requests]).toEqual([1, []]);
  expect(errors).toHaveLength(1);
  expect(errors[0]!.summary).toContain(summary);
  expect(errors[0]!.detail).toContain(cure);
});

test.each([
  ['403', { status: 403, errors: ['permission denied'] }],
  ['500', { status: 500, errors: ['internal error'] }],
  ['a cluster that is no primary', { status: 400, errors: ['not a primary'] }],
])('an answer %s to a read keeps the filter in the state', async (_, fault) => {
  stack.resources(filter(DENY));
  await stack.must('apply');
  stack.emulator.faults.inject({ ...fault, method: 'GET', path: PATH });
  expect((await stack.run('apply')).code).toBe(1);
  stack.emulator.faults.clear();
  expect(await stack.addresses()).toEqual([ADDRESS]);
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a filter that a replication set writes as well is refused: the plan names both resources, and says how to keep the filter', async () => {
  const set = block('resource', 'vaultadmin_perf_replication_set', {
    primary: 'us',
    secondaries: { eu: { everything: true, confirm_data_loss: 'eu' } },
  });
  stack.resources(filter(DENY) + set);
  const { code, errors } = await stack.run('plan');
  expect(code).toBe(1);
  expect(errors.map(({ summary }) => summary)).toContain(
    'paths filter "eu" on cluster "us": a replication set writes it as well',
  );
  stack.resources(filter({ ...DENY, secondary_id: 'ap' }) + set);
  const others = await stack.run('plan');
  expect(others.errors.map(({ summary }) => summary)).not.toContainEqual(
    expect.stringContaining('a replication set writes it as well'),
  );
});

test('a filter on a cluster that is no primary is refused with its mode, and the cure', async () => {
  await using other = await startStack({ clusters: { us: 0, ap: 0 } });
  for (const cluster of ['us', 'ap']) {
    other.resources(filter({ ...DENY, cluster }));
    const { code, errors } = await other.run('apply');
    expect([code, errors]).toEqual([
      1,
      [
        {
          summary: `paths filter "eu" on cluster "${cluster}": the cluster is not a primary`,
          detail:
            'Received: a cluster in mode "disabled".\nAllowed: the primary of the secondary, which keeps its filter.\n' +
            'To do: set cluster to the primary, or make this cluster a primary first, and refer to it in depends_on.',
          line: expect.any(String) as string,
        },
      ],
    ]);
  }
});

test('two sets that share a member, in one plan, are refused: the error names the member and both sets', async () => {
  await using other = await startStack({ clusters: { us: 0, ap: 0, eu: 0 } });
  const set = (primary: string) =>
    block(
      'resource',
      'vaultadmin_perf_replication_set',
      { primary, secondaries: { eu: { id: `eu-of-${primary}`, everything: true } } },
      primary,
    );
  other.resources(set('us') + set('ap'));
  const { code, errors } = await other.run('plan');
  expect(code).toBe(1);
  expect(errors).toHaveLength(1);
  expect(errors[0]!.summary).toBe('cluster "eu" is a member of two replication sets');
  expect(errors[0]!.detail).toMatch(
    /^It is in vaultadmin_perf_replication_set with the primary "(us|ap)", and in vaultadmin_perf_replication_set with the primary "(us|ap)"\. A cluster has one primary: each set would point it to its own\.\nTo do: remove "eu" from one of the two, or make one set of both\.$/,
  );
});
