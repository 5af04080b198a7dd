/**
 * Logins that expire, run out of uses or lack a capability. A primary steps down only if the login
 * suffices for the whole switchover.
 */
import { OPERATOR, startClusters, type TestClusters } from './support/clusters';
import { Session } from './support/session';

const timeouts = { mode_change: '2m', sync: '2m' };
const eu = { confirm_data_loss: 'eu' };
const pair = { primary: 'us', secondaries: { eu }, timeouts };
const swapped = { primary: 'eu', secondaries: { us: {} }, timeouts };
const ROLE = 'auth/operators/role/operator';

let clusters: TestClusters;
let session: Session;
beforeEach(async () => {
  clusters = await startClusters(['us', 'eu'], { unavailableMs: 20_000 });
  await clusters.addOperators();
  session = new Session(clusters);
  expect(await session.apply(pair)).toMatchObject({ errors: [] });
  clusters.emulator.clock.advance(60_000);
});
afterEach(() => clusters.emulator.close());

async function change(path: string, body: object): Promise<void> {
  expect((await clusters.ask('us', 'POST', path, body)).status).toBeLessThan(300);
}

async function expectRefused(wanted: object, message: string): Promise<string> {
  const { errors } = await session.apply(wanted as never);
  clusters.emulator.clock.advance(60_000);
  expect(errors).toEqual([expect.stringContaining(message)]);
  expect(await clusters.primaries()).toEqual(['us']);
  return errors[0]!;
}

test('a switchover is refused if tokens live shorter than its waits may take, and the primary stays the primary', async () => {
  await change(ROLE, { token_policies: ['operator'], token_ttl: '5s', token_max_ttl: '5s' });
  const error = await expectRefused(swapped, 'the login of cluster "us" is too short for a switchover');
  expect(error).toContain('Its token lives for 5 s. Required: 240 s, twice the mode_change timeout.');
  expect(error).toContain('Nothing was changed.');
  await change(ROLE, { token_policies: ['operator'], token_ttl: '5m', token_max_ttl: '5m' });
  expect(await session.apply(swapped)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
});

test('a switchover with short tokens that can be renewed succeeds', async () => {
  await change(ROLE, { token_policies: ['operator'], token_ttl: '30s', token_max_ttl: '1h' });
  expect(await session.apply(swapped)).toMatchObject({ errors: [] });
  expect(await clusters.primaries()).toEqual(['eu']);
});

test.each([1, 2, 3, 4, 8])(
  'a switchover with a secret id of %d uses is completed, or refused before the primary steps down',
  async (uses) => {
    const { secret_id } = OPERATOR.parameters;
    const { auth } = await clusters.ask('us', 'POST', OPERATOR.path, OPERATOR.parameters, '');
    const asBefore = (path: string, body: object) =>
      clusters.ask('us', 'POST', path, body, auth!.client_token);
    for (const ttl of ['5s', '1h']) {
      const tokens = { token_policies: ['operator'], token_ttl: ttl, token_max_ttl: ttl };
      await asBefore(ROLE, { ...tokens, secret_id_num_uses: 50 });
      await asBefore(`${ROLE}/secret-id/destroy`, { secret_id });
      const id = { secret_id, num_uses: uses };
      expect((await asBefore(`${ROLE}/custom-secret-id`, id)).status).toBe(200);
      const { errors } = await session.apply(swapped);
      clusters.emulator.clock.advance(60_000);
      const isDone = ttl === '1h' && uses >= 4;
      expect(errors.length > 0 ? errors[0] : 'done').toEqual(
        isDone ? 'done' : expect.stringMatching(/the login was refused|is too short for a switchover/),
      );
      const modes = await Promise.all(['us', 'eu'].map(async (name) => (await clusters.status(name)).mode));
      expect(modes).toEqual(isDone ? ['secondary', 'primary'] : ['primary', 'secondary']);
    }
  },
);

test('a switchover is refused if the policies of the token grant create in place of update, or do not grant the read of a filter', async () => {
  const grant = (paths: Readonly<Record<string, readonly string[]>>) => {
    const rules = Object.entries({ '*': ['create', 'read', 'update', 'delete', 'list', 'sudo'], ...paths });
    const policy = rules
      .map(([path, each]) => `path "${path}" { capabilities = ${JSON.stringify(each)} }`)
      .join('\n');
    return change('sys/policies/acl/operator', { policy });
  };
  await grant({ 'sys/replication/performance/secondary/promote': ['create', 'sudo'] });
  const error = await expectRefused(swapped, 'the token of cluster "us" lacks permissions for the plan');
  expect(error).toContain('Path: sys/replication/performance/secondary/promote.');
  expect(error).toContain('Allowed: update');

  await grant({ 'sys/replication/performance/primary/paths-filter/us': ['update', 'delete'] });
  await expectRefused(swapped, 'cannot read the paths filter of secondary "us"');
});

test('a plan with a switchover warns of a login that fails on the successor, and of rights that are missing on it', async () => {
  clusters.emulator.faults.inject({
    cluster: 'eu',
    path: OPERATOR.path,
    status: 400,
    errors: ['invalid role'],
  });
  expect((await session.plan(swapped)).warnings).toEqual([expect.stringContaining('invalid role')]);
  clusters.emulator.faults.clear();
  expect((await session.plan(swapped)).warnings).toEqual([]);
  await change('sys/policies/acl/operator', {
    policy:
      'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }\n' +
      'path "sys/replication/performance/secondary/promote" { capabilities = ["deny"] }',
  });
  expect((await session.plan(swapped)).warnings).toEqual([
    expect.stringContaining('the token of cluster "us" lacks permissions for the plan'),
  ]);
});

test('a plan without a switchover does not log in to the secondary', async () => {
  clusters.emulator.requests.clear();
  expect((await session.plan({ ...pair, timeouts: { ...timeouts, sync: '1m' } })).errors).toEqual([]);
  expect(clusters.emulator.requests.list({ cluster: 'eu', path: OPERATOR.path })).toEqual([]);
});
