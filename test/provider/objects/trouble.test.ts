/** Objects of every kind whose requests fail: nothing is lost, and the next apply completes. */
import type { Fault } from '../../../src/emulator';
import { CONFIG, snapshot } from '../auto-snapshots/support';
import { BACKENDS, managedKey } from '../managed-keys/support';
import { newLatch } from '../../support/latch';
import { aclPolicy, POLICY, providerBlock, startStack, type Stack } from '../support';

/**
 * By the name of the object that it affects, the fault of one request, with the reason in the
 * error. None of the faults makes the cluster count as failed, so that each request is sent.
 */
const FAULTS = {
  denied: [{ status: 403, errors: ['1 error occurred:\n\t* permission denied\n\n'] }, 'permission denied'],
  limited: [{ status: 429, retryAfter: 1 }, 'too many requests'],
  broken: [{ status: 500, errors: ['internal error'] }, 'the server failed'],
  gateway: [{ status: 502 }, 'the server failed'],
  unsupported: [
    { status: 404, errors: ['1 error occurred:\n\t* unsupported path\n\n'] },
    'the server does not support this',
  ],
  cut_before: [{ drop: 'before' }, 'the connection was lost'],
  cut_after: [{ drop: 'after' }, 'the connection was lost'],
} satisfies Record<string, [Fault, reason: string]>;

/** The faults without an answer. */
const CUT = ['cut_after', 'cut_before'];

interface Kind {
  readonly title: string;
  readonly type: string;
  readonly path: string;
  readonly faults: readonly (keyof typeof FAULTS)[];
  /** Returns the resource of an object, in its first or its second version. */
  readonly resource: (name: string, version: number) => string;
  /** The values of a version in the state and on the server. */
  readonly held: (version: number) => Readonly<Record<string, unknown>>;
  /** Further values of a version on the server. */
  readonly hidden?: (version: number) => Readonly<Record<string, unknown>>;
  /** An object of someone else. */
  readonly foreign: Readonly<Record<string, unknown>>;
}

const KINDS: readonly Kind[] = [
  {
    title: 'ACL policy',
    type: 'vaultadmin_acl_policy',
    path: 'sys/policies/acl',
    // Only three objects of this kind are created: further creates would share a list.
    faults: ['denied', 'cut_before', 'cut_after'],
    resource: (name, version) => aclPolicy({ name, policy: `# ${version}\n${POLICY}` }, name),
    held: (version) => ({ policy: `# ${version}\n${POLICY}` }),
    foreign: { policy: '# of somebody else' },
  },
  {
    title: 'managed key',
    type: 'vaultadmin_managed_key',
    path: 'sys/managed-keys/pkcs11',
    faults: Object.keys(FAULTS) as Kind['faults'],
    resource: (name, version) =>
      managedKey({ name, any_mount: version === 2, pkcs11: BACKENDS.pkcs11 }, name),
    held: (version) => ({ any_mount: version === 2 }),
    foreign: { library: 'other' },
  },
  {
    title: 'automated snapshot',
    type: 'vaultadmin_auto_snapshot',
    path: CONFIG,
    faults: Object.keys(FAULTS) as Kind['faults'],
    resource: (name, version) =>
      snapshot(name, {
        retain: version,
        blocks: {
          aws_s3: {
            aws_s3_bucket: 'backups',
            aws_s3_region: 'eu-west-1',
            aws_access_key_id: 'AKIA',
            aws_secret_access_key_wo: `secret-${version}`,
            aws_secret_access_key_wo_version: version,
          },
        },
      }),
    held: (version) => ({ retain: version }),
    hidden: (version) => ({ aws_secret_access_key: `secret-${version}` }),
    foreign: { retain: 7 },
  },
];

let stack: Stack;
/** Requests are not repeated, so that every fault has an effect. */
beforeEach(async () => {
  stack = await startStack({
    serverVersion: '1.21.0+ent.hsm',
    provider: ({ clusters: { us } }) =>
      providerBlock(`us = { address = "${us!.address}", token = "${us!.rootToken}", max_retries = 0 }`),
  });
});
afterEach(() => stack.close());

describe.each(KINDS)('objects of the kind $title', ({ title, type, path, faults, ...kind }) => {
  const addresses = faults.map((name) => `${type}.${name}`).sort();
  const all = (version: number) => faults.map((name) => kind.resource(name, version)).join('');
  const onServer = async (name: string) => (await stack.ask('GET', `${path}/${name}`)).data ?? undefined;
  const sorted = async () => [...(await stack.addresses())].sort();

  async function applyAll(version: number): Promise<void> {
    stack.resources(all(version));
    await stack.must('apply');
  }

  /**
   * Applies while one request for each object fails.
   *
   * @param skip the number of requests with this method that succeed before.
   */
  async function applyWith(method: string, hcl: string, skip = 0) {
    stack.resources(hcl);
    for (const name of faults) {
      stack.emulator.faults.inject({ ...FAULTS[name][0], method, path: `${path}/${name}`, skip, count: 1 });
    }
    const report = await stack.run('apply');
    expect(report.code).toBe(1);
    expect(stack.emulator.faults.list()).toEqual([]);
    return report;
  }

  /** The next apply makes the remaining changes, and the plan after it has none. */
  async function expectToConverge(version: number): Promise<void> {
    await applyAll(version);
    for (const name of faults)
      expect(await onServer(name)).toMatchObject({ ...kind.held(version), ...kind.hidden?.(version) });
    expect(await sorted()).toEqual(addresses);
    expect((await stack.must('plan')).planned).toEqual({});
  }

  async function expectState(version: number): Promise<void> {
    const state = await stack.workspace.state();
    expect(Object.keys(state).sort()).toEqual(addresses);
    for (const values of Object.values(state)) expect(values).toMatchObject(kind.held(version));
  }

  test('creates whose read of the name fails write nothing, and the next apply creates', async () => {
    const { errors } = await applyWith('GET', all(1));
    expect(errors.map(({ summary }) => summary).sort()).toEqual(
      faults.map((name) => `cannot create ${title} "${name}" on cluster "us": ${FAULTS[name][1]}`).sort(),
    );
    expect(await sorted()).toEqual([]);
    for (const name of faults) expect(await onServer(name)).toBeUndefined();
    await expectToConverge(1);
  });

  test('creates whose write fails are completed by the next apply', async () => {
    const { errors, requests } = await applyWith('POST', all(1));
    // A create that took effect is recognized. A create whose effect is unknown is tainted.
    expect(errors).toHaveLength(faults.length - 1);
    expect(await sorted()).toEqual(CUT.map((name) => `${type}.${name}`));
    // The provider reads an object again if the server may have written it.
    const reads = (name: string) => requests.filter((request) => request === `GET ${path}/${name}`).length;
    expect([reads('denied'), reads('cut_before')]).toEqual([1, 2]);
    await expectToConverge(1);
  });

  test('a refresh that fails keeps the state, and the next one succeeds', async () => {
    await applyAll(1);
    expect((await applyWith('GET', all(2))).errors).toHaveLength(faults.length);
    await expectState(1);
    await expectToConverge(2);
  });

  test('updates whose write fails are completed by the next apply', async () => {
    await applyAll(1);
    expect((await applyWith('POST', all(2))).errors).toHaveLength(faults.length);
    await expectState(1);
    await expectToConverge(2);
  });

  test('objects whose deletion fails stay in the state', async () => {
    await applyAll(1);
    expect((await applyWith('DELETE', '')).errors).toHaveLength(faults.length);
    expect(await sorted()).toEqual(addresses);
    await stack.must('apply');
    expect(await sorted()).toEqual([]);
    for (const name of faults) expect(await onServer(name)).toBeUndefined();
  });

  test('creates whose outcome cannot be determined are completed, and an object of someone else stays', async () => {
    const names = ['created', 'lost', 'taken'];
    for (const name of names) {
      // The write takes effect without an answer, and the read after it has no answer either.
      const at = { path: `${path}/${name}`, count: 1 };
      stack.emulator.faults.inject({ ...at, method: 'POST', drop: 'after' });
      stack.emulator.faults.inject({ ...at, method: 'GET', drop: 'before', skip: 1 });
    }
    stack.resources(names.map((name) => kind.resource(name, 1)).join(''));
    const { errors, warnings } = await stack.run('apply');
    expect(errors).toHaveLength(names.length);
    expect([...warnings].sort((a, b) => (a.summary < b.summary ? -1 : 1))).toMatchObject(
      names.map((name) => ({
        summary: `${title} "${name}" on cluster "us": could not determine whether it was created`,
        detail:
          'The server did not answer the write, which may still take effect. The object is in the state, marked as tainted: ' +
          'the next apply checks whether it exists, and creates it again.',
      })),
    );

    await stack.ask('DELETE', `${path}/lost`);
    await stack.ask('POST', `${path}/taken`, kind.foreign);
    expect((await stack.must('plan')).planned).toEqual({
      [`${type}.created`]: 'replace',
      [`${type}.lost`]: 'create',
      [`${type}.taken`]: 'create',
    });
    const next = await stack.run('apply');
    expect(next.errors).toMatchObject([{ summary: `${title} "taken" on cluster "us" already exists` }]);
    expect(await onServer('taken')).toMatchObject(kind.foreign);
    for (const name of ['created', 'lost']) expect(await onServer(name)).toMatchObject(kind.held(1));
  });
});

test('an apply succeeds after faults that pass when requests are repeated', async () => {
  const { address, rootToken } = stack.emulator.clusters.us!;
  stack.configure(providerBlock(`us = { address = "${address}", token = "${rootToken}" }`));
  const path = 'sys/policies/acl/ops';
  stack.emulator.faults.inject({ method: 'GET', path, status: 503, count: 1 });
  stack.emulator.faults.inject({ method: 'POST', path, status: 429, retryAfter: 1, count: 1 });
  stack.emulator.faults.inject({ method: 'POST', path, drop: 'after', skip: 1, count: 1 });
  stack.resources(aclPolicy({ name: 'ops' }));
  const { requests } = await stack.must('apply');
  expect(requests).toEqual([...Array(2).fill(`GET ${path}`), ...Array(3).fill(`POST ${path}`)]);
});

test('a server that is slower than the timeout is an error', async () => {
  stack.resources(aclPolicy({ name: 'ops' }));
  await stack.must('apply');
  const { address, rootToken } = stack.emulator.clusters.us!;
  stack.configure(
    providerBlock(`us = { address = "${address}", token = "${rootToken}", timeout = "2s", max_retries = 0 }`),
  );
  const planned = newLatch();
  const read = { method: 'GET', path: 'sys/policies/acl/ops' };
  stack.emulator.faults.inject({ ...read, until: planned.opened, count: 1 });
  const { code, errors } = await stack.run('plan');
  planned.open();
  expect(code).toBe(1);
  expect(errors.map(({ summary }) => summary)).toEqual([
    'cannot read ACL policy "ops" on cluster "us": no answer in time',
  ]);
  expect(await stack.addresses()).toEqual(['vaultadmin_acl_policy.it']);
});
