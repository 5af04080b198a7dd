/**
 * Refusals whose texts are not in `test/mistakes/hcl.test.ts`. The tests of the model have all
 * rules of a set.
 */
import { providerBlock, type Stack } from '../../support';
import { asOperator, change, enablePrimary, enableSecondary } from '../support';
import { apply, configure, modes, refused, startThree } from './support/set-stack';

const OFF = { us: 'disabled', eu: 'disabled', ap: 'disabled' };
const eu = { confirm_data_loss: 'eu' };

let stack: Stack;
beforeAll(async () => {
  stack = await startThree();
});
afterAll(() => stack.close());
/** No cluster changes when a configuration is refused. */
afterEach(async () => expect(await modes(stack)).toEqual(OFF));

async function summaries(attributes: object): Promise<readonly string[]> {
  return (await refused(stack, attributes)).map(({ summary }) => summary);
}

test(`a filter that withholds the provider's own login is refused`, async () => {
  for (const paths_filter of [
    { mode: 'deny', paths: ['auth/people/'] },
    { mode: 'allow', paths: ['kv/'] },
  ]) {
    expect(await summaries({ primary: 'us', secondaries: { eu: { ...eu, paths_filter } } })).toEqual([
      'performance replication set: the paths filter of "eu" excludes the auth method that Terraform logs in with',
    ]);
  }
});

test('a secondary that is null is refused as a missing value, and nothing else is checked', async () => {
  for (const secondaries of [{ eu: null }, { eu, ap: null }, { eu: { paths_filter: { paths: [null] } } }])
    expect(await summaries({ primary: 'us', secondaries })).toEqual(['Missing value']);
});

test('a timeout that is not a duration is refused', async () => {
  expect(await summaries({ primary: 'us', timeouts: { sync: 'soon' } })).toEqual([
    'performance replication set: timeouts.sync must be a duration of more than 0 and at most 292 years',
  ]);
});

test('a cluster that holds data is refused without a confirmation', async () => {
  const [error] = await refused(stack, { primary: 'us', secondaries: { eu: {} } }, 'apply');
  expect(error).toMatchObject({
    summary:
      'performance replication set: "eu" holds data, which would be erased if it joins the replication set',
    detail:
      'It holds: auth method "people/", policy "operator", identities (1).\n' +
      'To do: save what you need and confirm the loss with confirm_data_loss = "eu" in secondaries["eu"]; or remove it from the set.',
  });
});

test('a cluster whose data the token may not read is refused without a confirmation', async () => {
  stack.emulator.faults.inject({
    cluster: 'eu',
    path: 'sys/mounts',
    status: 403,
    errors: ['permission denied'],
  });
  const [error] = await refused(stack, { primary: 'us', secondaries: { eu: {} } });
  stack.emulator.faults.clear();
  expect(error!.detail).toMatch(
    /^Its data could not be determined: cannot read sys\/mounts on .* A cluster whose data is not known counts as not empty\.\n/,
  );
});

test('a token that lacks rights for the plan is refused', async () => {
  await asOperator(stack, 'eu', (client) =>
    client.policies.acl.write('operator', { policy: 'path "sys/replication/*" { capabilities = ["read"] }' }),
  );
  const [error] = await refused(stack, { primary: 'us', secondaries: { eu } }, 'apply');
  expect(error!.summary).toBe(
    'performance replication set "us": the token of cluster "eu" lacks permissions for the plan',
  );
  expect(error!.detail).toContain('Path: sys/replication/performance/secondary/');
});

test('one server under two names is refused', async () => {
  const { us } = stack.emulator.clusters;
  stack.configure(
    providerBlock(
      ['us', 'again']
        .map((name) => `${name} = { address = "${us!.address}", token = "${us!.rootToken}" }`)
        .join('\n'),
    ),
  );
  expect(await summaries({ primary: 'us', secondaries: { again: { confirm_data_loss: 'again' } } })).toEqual([
    'performance replication set: "us" and "again" are at the same address',
  ]);
});

describe('clusters of other sets', () => {
  let other: Stack;
  beforeAll(async () => {
    other = await startThree();
  });
  afterAll(() => other.close());

  test('a primary and a secondary of other sets are refused', async () => {
    await enablePrimary(other, 'us');
    await enableSecondary(other, 'ap');
    const [primary] = await refused(other, {
      primary: 'eu',
      secondaries: { us: { confirm_data_loss: 'us' } },
    });
    expect(primary!.summary).toContain('"us" is the primary, and "eu" is not one of its secondaries');

    await change(other, 'eu', 'primary', (calls) => calls.enablePrimary());
    const both = { us: { confirm_data_loss: 'us' }, ap: { confirm_data_loss: 'ap' } };
    expect(
      (await refused(other, { primary: 'eu', secondaries: both })).map(({ summary }) => summary),
    ).toEqual(['performance replication set: "us" is the primary of another replication set']);
    const [secondary] = await refused(other, { primary: 'eu', secondaries: { ap: both.ap } });
    expect(secondary!.summary).toBe(
      'performance replication set: "ap" is a secondary of another replication set',
    );
  });

  test('a pair that exists is taken over with a warning, or imported', async () => {
    configure(other, { primary: 'us', secondaries: { ap: {} } });
    const { warnings } = await other.run('plan');
    expect(warnings.map(({ summary }) => summary)).toEqual([
      'performance replication set: "us" is already the primary of a replication set, which Terraform takes over',
    ]);
    const { stderr } = await other.workspace.run('import', 'vaultadmin_perf_replication_set.it', 'nobody');
    expect(stderr).toContain('import id "nobody" does not contain a cluster name');
    await other.workspace.must('import', 'vaultadmin_perf_replication_set.it', 'us');
    expect((await other.must('plan')).planned).toEqual({});
    configure(other, { primary: 'us' });
    await apply(other, { primary: 'us', secondaries: { ap: { confirm_data_loss: 'ap' } } });
    expect((await other.must('plan')).planned).toEqual({});
  });
});
