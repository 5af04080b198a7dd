import type { ReplicationPrimaryStatus, ReplicationSecondaryStatus } from '../../../src/client';
import { block, providerBlock, type Report, type Stack } from '../support';
import {
  asOperator,
  CALLS,
  change,
  enablePrimary,
  enableSecondary,
  giveToken,
  issueToken,
  revoke,
  startClusters,
  statusOf,
} from './support';

const TYPE = 'vaultadmin_perf_replication_secondary';
const ADDRESS = `${TYPE}.it`;
const ENABLE = `POST ${CALLS}/secondary/enable`;
const UPDATE = `POST ${CALLS}/secondary/update-primary`;
const DISABLE = `POST ${CALLS}/secondary/disable`;

let stack: Stack;
beforeEach(async () => {
  stack = await startClusters();
  await enablePrimary(stack);
});
afterEach(() => stack.close());

/** A secondary whose activation token is the value of a variable. */
const secondary = (attributes: object = {}) =>
  'variable "token" {\n  type      = string\n  ephemeral = true\n  default   = null\n}\n' +
  block('resource', TYPE, {
    cluster: 'eu',
    token_wo: '${var.token}',
    token_wo_version: 1,
    confirm_data_loss: 'eu',
    ...attributes,
  });

async function applyWith(token: string, attributes?: object) {
  stack.resources(secondary(attributes));
  giveToken(stack, token);
  return stack.run('apply');
}

async function join(attributes?: object) {
  const report = await applyWith(await issueToken(stack, 'eu'), attributes);
  expect(report).toMatchObject({ code: 0, errors: [], warnings: [] });
  return report;
}

/**
 * Returns the warnings without repetitions, because validation, plan and apply report the same
 * warnings.
 */
function summaries({ warnings }: Report): readonly string[] {
  return [...new Set(warnings.map(({ summary }) => summary))];
}

/** Creates a secrets engine in `eu`, outside of Terraform. */
function fill(path: string) {
  return asOperator(stack, 'eu', (client) => client.write(`sys/mounts/${path}`, { type: 'kv' }));
}

test('a secondary joins, is planned without its token, and leaves', async () => {
  expect((await join()).requests).toContain(ENABLE);
  expect(await statusOf(stack, 'eu')).toMatchObject({
    mode: 'secondary',
    secondary_id: 'eu',
    state: 'stream-wals',
  });
  expect((await stack.workspace.state())[ADDRESS]).toMatchObject({
    id: 'eu//performance',
    cluster: 'eu',
    token: null,
    token_wo: null,
    token_wo_version: 1,
    secondary_id: 'eu',
    cluster_id: ((await statusOf(stack, 'us')) as ReplicationPrimaryStatus).cluster_id,
    mode: 'secondary',
  });

  const again = await stack.must('plan');
  expect(again).toMatchObject({ planned: {}, requests: [`GET ${CALLS}/status`] });

  expect((await stack.must('destroy')).requests).toContain(DISABLE);
  expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });
});

test('a join with a stored token works, for versions of Terraform before 1.11', async () => {
  const token = await issueToken(stack, 'eu');
  stack.resources(block('resource', TYPE, { cluster: 'eu', token, confirm_data_loss: 'eu' }));
  const report = await stack.run('apply');
  expect(report).toMatchObject({ code: 0, errors: [] });
  expect(summaries(report)).toEqual(['performance replication secondary: token is stored in the state']);
  expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary' });
});

test('a join erases data only if the name of the cluster confirms it', async () => {
  const token = await issueToken(stack, 'eu');
  await fill('treasure');
  const { code, errors, requests } = await applyWith(token, { confirm_data_loss: null });
  expect(code).toBe(1);
  expect(errors).toEqual([
    {
      summary: 'cluster "eu" holds data, which would be erased if it joins a replication set',
      detail: expect.stringMatching(
        /^It holds: secrets engine "treasure\/", auth method "people\/", policy "operator".*\. Nothing was changed\.\nTo do: if all of this may be lost, set confirm_data_loss = "eu"\.$/,
      ) as string,
      line: 'confirm_data_loss = null',
    },
  ]);
  expect(requests).not.toContain(ENABLE);

  const wrong = await applyWith(token, { confirm_data_loss: 'us' });
  expect(wrong.errors).toMatchObject([
    { summary: 'performance replication secondary on cluster "eu": confirm_data_loss names another cluster' },
  ]);
  expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });
  expect((await stack.ask('GET', 'sys/mounts/treasure', undefined, { cluster: 'eu' })).status).toBe(200);

  expect((await applyWith(token)).code).toBe(0);
  expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary' });
});

test('a join of a cluster without data needs no confirmation', async () => {
  for (const [path, method] of [
    ['sys/auth/people', 'DELETE'],
    ['sys/policies/acl/operator', 'DELETE'],
  ] as const) {
    await stack.ask(method, path, undefined, { cluster: 'eu' });
  }
  const { clusters } = stack.emulator;
  stack.configure(
    `provider "vaultadmin" {\n  clusters = { eu = { address = "${clusters.eu!.address}", token = "${clusters.eu!.rootToken}" } }\n}`,
  );
  const report = await applyWith(await issueToken(stack, 'eu'), { confirm_data_loss: null });
  expect(report).toMatchObject({ code: 0, errors: [] });
  expect(summaries(report)).toEqual(['cluster "eu": its token will be lost when it joins']);
  expect(report.warnings[0]!.detail).toContain('auth_login');
  // The status is read without a token: the cluster's old token is no longer valid.
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a secondary follows the primary that issued its new token, without being enabled again', async () => {
  await join();
  await revoke(stack, 'eu');
  const token = await issueToken(stack, 'eu-2');
  const unchanged = await applyWith(token);
  expect(unchanged.requests).not.toContain(UPDATE);

  const report = await applyWith(token, { token_wo_version: 2 });
  expect(report).toMatchObject({ code: 0, errors: [], planned: { [ADDRESS]: 'update' } });
  expect(report.requests).toContain(UPDATE);
  expect(report.requests).not.toContain(ENABLE);
  expect(await statusOf(stack, 'eu')).toMatchObject({ secondary_id: 'eu-2', state: 'stream-wals' });
  expect((await stack.workspace.state())[ADDRESS]).toMatchObject({ secondary_id: 'eu-2' });
});

test('a secondary gets other addresses of its primary without a token', async () => {
  await join();
  const { primary_cluster_addr: address } = (await statusOf(stack, 'eu')) as ReplicationSecondaryStatus;
  const attributes = { token_wo: null, token_wo_version: null, update_primary_addrs: [address] };
  stack.resources(secondary(attributes));
  const report = await stack.must('apply');
  expect(report.planned).toEqual({ [ADDRESS]: 'update' });
  expect(report.requests).toContain(UPDATE);
  expect(await statusOf(stack, 'eu')).toMatchObject({ state: 'stream-wals' });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a secondary loses the addresses of its primary if the token is changed to an empty one', async () => {
  await join();
  const report = await applyWith('', { token_wo_version: 2 });
  expect(report).toMatchObject({ code: 0, errors: [] });
  expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary', state: 'idle' });
});

test('a cluster whose address is known only after the apply is planned without a request to it', async () => {
  const { clusters } = stack.emulator;
  stack.configure(
    providerBlock(`eu = { address = terraform_data.eu.output, token = "${clusters.eu!.rootToken}" }`),
  );
  const address = `resource "terraform_data" "eu" {\n  input = "${clusters.eu!.address}"\n}\n`;
  stack.resources(address + secondary());
  giveToken(stack, await issueToken(stack, 'eu'));
  const plan = await stack.must('plan');
  expect(plan).toMatchObject({ planned: { [ADDRESS]: 'create' }, requests: [] });
  expect((await stack.run('apply')).code).toBe(0);
  expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary' });
});

describe('an import of a secondary', () => {
  test.each(['eu', 'eu//performance'])('an import by %s plans no change', async (id) => {
    const token = await issueToken(stack, 'eu');
    await change(stack, 'eu', 'secondary', (calls) => calls.enableSecondary({ token }));
    stack.resources(secondary());
    expect((await stack.workspace.run('import', ADDRESS, id)).code).toBe(0);
    expect(await applyWith(token)).toMatchObject({ code: 0, errors: [] });
    expect(await statusOf(stack, 'eu')).toMatchObject({ secondary_id: 'eu', state: 'stream-wals' });
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('an import without a token plans no change, and a later token of another primary is used', async () => {
    await enableSecondary(stack, 'eu');
    stack.resources(secondary({ token_wo: null, token_wo_version: null, confirm_data_loss: null }));
    expect((await stack.workspace.run('import', ADDRESS, 'eu')).code).toBe(0);
    expect((await stack.must('plan')).planned).toEqual({});

    await revoke(stack, 'eu');
    expect(await applyWith(await issueToken(stack, 'eu-2'))).toMatchObject({ code: 0, errors: [] });
    expect(await statusOf(stack, 'eu')).toMatchObject({ secondary_id: 'eu-2', state: 'stream-wals' });
  });

  test('an import of a cluster that is not a secondary is refused', async () => {
    stack.resources(secondary());
    const { code, stderr } = await stack.workspace.run('import', '-no-color', ADDRESS, 'eu');
    expect(code).toBe(1);
    expect(stderr).toContain('performance replication secondary on cluster "eu" does not exist');
  });
});

describe('a secondary that was changed outside of Terraform', () => {
  test('a secondary that was disabled keeps its data, because the old confirmation does not count for it', async () => {
    await join();
    await change(stack, 'eu', 'disabled', (calls) => calls.disableSecondary());
    await fill('treasure');
    const seen = await stack.run('plan');
    expect(seen).toMatchObject({ code: 0, errors: [], planned: {} });
    expect(seen.warnings).toMatchObject([
      {
        summary: 'cluster "eu" is no longer a secondary: replication was disabled on it outside of Terraform',
      },
    ]);

    await revoke(stack, 'eu');
    const token = await issueToken(stack, 'eu');
    const refused = await applyWith(token, { token_wo_version: 2 });
    expect(refused.code).toBe(1);
    expect(refused.errors[0]!.detail).toContain('secrets engine "treasure/"');
    expect(refused.requests).not.toContain(ENABLE);
    expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });

    expect(await applyWith(token, { confirm_data_loss: null })).toMatchObject({ code: 0 });
    const anew = await applyWith(token, { token_wo_version: 2 });
    expect(anew).toMatchObject({ code: 0, errors: [] });
    expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
  });

  test('a destroy of a secondary that was disabled sends no request to disable it', async () => {
    await join();
    await change(stack, 'eu', 'disabled', (calls) => calls.disableSecondary());
    const report = await stack.run('destroy');
    expect(report).toMatchObject({ code: 0, errors: [] });
    expect(report.requests).not.toContain(DISABLE);
  });

  test('a secondary that was promoted is a warning, and is neither joined nor disabled', async () => {
    await join();
    await change(stack, 'us', 'secondary', (calls) => calls.demotePrimary());
    await change(stack, 'eu', 'primary', (calls) => calls.promoteSecondary());
    const summary = 'cluster "eu" is no longer a secondary: it was promoted outside of Terraform';
    expect(await stack.run('plan')).toMatchObject({ code: 0, planned: {}, warnings: [{ summary }] });
    expect(await applyWith('a.b.c', { token_wo_version: 2 })).toMatchObject({
      code: 1,
      errors: [{ summary }],
    });
    expect(await stack.run('destroy')).toMatchObject({ code: 1, errors: [{ summary }] });
    expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'primary' });
  });
});
