import type { Fault } from '../../../src/emulator';
import type { Stack } from '../support';
import { address, CONFIG, onServer, snapshot, startSnapshotStack, STATUS } from './support';

/**
 * The faults of one request, by the name of the configuration that they affect. None of them makes
 * the cluster count as failed, so that each request is sent.
 */
const troubles: Readonly<Record<string, Fault>> = {
  denied: { status: 403, errors: ['1 error occurred:\n\t* permission denied\n\n'] },
  limited: { status: 429, retryAfter: 1 },
  broken: { status: 500, errors: ['internal error'] },
  gateway: { status: 502 },
  unsupported: { status: 404, errors: ['1 error occurred:\n\t* unsupported path\n\n'] },
  cut_before: { drop: 'before' },
  cut_after: { drop: 'after' },
};
const names = Object.keys(troubles);
const addresses = names.map(address).sort();

/** The faults that a server answers with an error, and the faults without an answer. */
const cut = ['cut_after', 'cut_before'];

/** One configuration for every fault, each with a write-only secret. */
function all(retain: number): string {
  const s3 = {
    aws_s3_bucket: 'backups',
    aws_s3_region: 'eu-west-1',
    aws_access_key_id: 'AKIA',
    aws_secret_access_key_wo: `secret-${retain}`,
    aws_secret_access_key_wo_version: retain,
  };
  return names.map((name) => snapshot(name, { retain, blocks: { aws_s3: s3 } })).join('');
}

let stack: Stack;
/** Requests are not repeated, so that every fault has an effect. */
beforeEach(async () => {
  stack = await startSnapshotStack({ settings: ', max_retries = 0' });
});
afterEach(() => stack.close());

/** Applies while one request for each configuration fails; the requests before it succeed. */
async function applyWith(method: string, hcl: string, skip = 0) {
  stack.resources(hcl);
  for (const [name, fault] of Object.entries(troubles)) {
    stack.emulator.faults.inject({ ...fault, method, path: `${CONFIG}/${name}`, skip, count: 1 });
  }
  const report = await stack.run('apply');
  expect(report.code).toBe(1);
  expect(stack.emulator.faults.list()).toEqual([]);
  return report;
}

/** The next apply makes the remaining changes, and the plan after it has none. */
async function expectToConverge(retain: number) {
  stack.resources(all(retain));
  await stack.must('apply');
  for (const name of names) {
    expect(await onServer(stack, name)).toMatchObject({ retain, aws_secret_access_key: `secret-${retain}` });
  }
  expect([...(await stack.addresses())].sort()).toEqual(addresses);
  expect((await stack.must('plan')).planned).toEqual({});
}

async function applyAll(retain: number) {
  stack.resources(all(retain));
  await stack.must('apply');
}

async function retained() {
  const state = await stack.workspace.state();
  return Object.fromEntries(Object.entries(state).map(([at, { retain }]) => [at, retain]));
}

test('a create whose read of the name fails writes nothing, and the next apply creates', async () => {
  const { errors } = await applyWith('GET', all(1));
  expect(errors).toHaveLength(names.length);
  expect(await stack.addresses()).toEqual([]);
  for (const name of names) expect(await onServer(stack, name)).toBeUndefined();
  await expectToConverge(1);
});

test('a create whose write fails is completed by the next apply', async () => {
  const { errors } = await applyWith('POST', all(1));
  // A create that took effect is recognized. A create whose effect is unknown is tainted.
  expect(errors).toHaveLength(names.length - 1);
  expect([...(await stack.addresses())].sort()).toEqual(cut.map(address));
  await expectToConverge(1);
});

test('a refresh that fails keeps the state, and the next one succeeds', async () => {
  await applyAll(1);
  const { errors } = await applyWith('GET', all(2));
  expect(errors).toHaveLength(names.length);
  expect(await retained()).toEqual(Object.fromEntries(addresses.map((at) => [at, 1])));
  await expectToConverge(2);
});

test('an update whose read of the present values fails is completed by the next apply', async () => {
  await applyAll(1);
  const { errors } = await applyWith('GET', all(2), 1);
  expect(errors).toHaveLength(names.length);
  expect(await retained()).toEqual(Object.fromEntries(addresses.map((at) => [at, 1])));
  for (const name of names) expect(await onServer(stack, name)).toMatchObject({ retain: 1 });
  await expectToConverge(2);
});

test('an update whose write fails is completed by the next apply', async () => {
  await applyAll(1);
  const { errors } = await applyWith('POST', all(2));
  expect(errors).toHaveLength(names.length);
  expect(await retained()).toEqual(Object.fromEntries(addresses.map((at) => [at, 1])));
  await expectToConverge(2);
});

test('a configuration whose deletion fails stays in the state', async () => {
  await applyAll(1);
  const { errors } = await applyWith('DELETE', '');
  expect(errors).toHaveLength(names.length);
  expect([...(await stack.addresses())].sort()).toEqual(addresses);
  await stack.must('apply');
  expect(await stack.addresses()).toEqual([]);
  for (const name of names) expect(await onServer(stack, name)).toBeUndefined();
});

test.each([
  ['the status', STATUS],
  ['the interval of it', CONFIG],
])('a data source that meets %s is an error', async (_what, path) => {
  const body = { storage_type: 'local', interval: '1h', path_prefix: '/snapshots', local_max_space: 1 };
  for (const name of names) await stack.ask('POST', `${CONFIG}/${name}`, body);
  stack.resources(
    names
      .map((name) => `data "vaultadmin_auto_snapshot_status" "${name}" {\n  name = "${name}"\n}\n`)
      .join(''),
  );
  for (const [name, fault] of Object.entries(troubles)) {
    stack.emulator.faults.inject({ ...fault, method: 'GET', path: `${path}/${name}`, count: 1 });
  }
  const { code, errors } = await stack.run('plan');
  expect(code).toBe(1);
  expect(errors).toHaveLength(names.length);
  await stack.must('plan');
});

test('messages about failures name the request, the cluster and what to do', async () => {
  const { errors } = await applyWith('GET', all(1));
  expect(errors.map(({ summary }) => summary).sort()).toEqual(
    [
      'cannot create automated snapshot "broken" on cluster "us": the server failed',
      'cannot create automated snapshot "cut_after" on cluster "us": the connection was lost',
      'cannot create automated snapshot "cut_before" on cluster "us": the connection was lost',
      'cannot create automated snapshot "denied" on cluster "us": permission denied',
      'cannot create automated snapshot "gateway" on cluster "us": the server failed',
      'cannot create automated snapshot "limited" on cluster "us": too many requests',
      'cannot create automated snapshot "unsupported" on cluster "us": the server does not support this',
    ].sort(),
  );
});

test('an apply succeeds after faults that pass when requests are repeated', async () => {
  stack.configure(
    `provider "vaultadmin" {
      clusters = { us = { address = "${stack.emulator.clusters.us!.address}", token = "${stack.emulator.clusters.us!.rootToken}" } }
    }`,
  );
  stack.emulator.faults.inject({ method: 'GET', path: `${CONFIG}/*`, status: 503, count: 1 });
  stack.emulator.faults.inject({ method: 'POST', path: `${CONFIG}/*`, status: 429, retryAfter: 1, count: 1 });
  stack.emulator.faults.inject({ method: 'POST', path: `${CONFIG}/*`, drop: 'after', skip: 1, count: 1 });
  await expectToConverge(1);
});

describe('a create whose outcome cannot be determined', () => {
  const path = `${CONFIG}/nightly`;
  const nightly = snapshot('nightly', { blocks: { local: { local_max_space: 1_000_000 } } });

  beforeEach(async () => {
    // The write takes effect without an answer, and the read after it has no answer either.
    stack.emulator.faults.inject({ method: 'POST', path, drop: 'after', count: 1 });
    stack.emulator.faults.inject({ method: 'GET', path, drop: 'before', skip: 1, count: 1 });
    stack.resources(nightly);
    const { code, warnings } = await stack.run('apply');
    expect(code).toBe(1);
    expect(warnings).toMatchObject([
      { summary: 'automated snapshot "nightly" on cluster "us": could not determine whether it was created' },
    ]);
  });

  test('the next apply completes such a create', async () => {
    expect((await stack.must('apply')).planned).toEqual({ [address('nightly')]: 'replace' });
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('such a create leaves a configuration alone that someone else wrote in the meantime', async () => {
    await stack.ask('POST', path, { retain: 7 });
    const { errors } = await stack.run('apply');
    expect(errors).toMatchObject([
      { summary: 'automated snapshot "nightly" on cluster "us" already exists' },
    ]);
    expect(await onServer(stack, 'nightly')).toMatchObject({ retain: 7 });
  });
});
