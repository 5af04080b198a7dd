import type { Fault } from '../../../src/emulator';
import { providerBlock, startStack, type Stack } from '../support';
import { BACKENDS, managedKey } from './support';

const address = 'vaultadmin_managed_key.it';
const path = 'sys/managed-keys/pkcs11/signing';
const key = (any_mount = false) => managedKey({ name: 'signing', any_mount, pkcs11: BACKENDS.pkcs11 });

const troubles: readonly [name: string, fault: Fault][] = [
  ['403', { status: 403, errors: ['permission denied'] }],
  ['500', { status: 500, errors: ['internal error'] }],
  ['404, unsupported path', { status: 404, errors: ['1 error occurred:\n\t* unsupported path\n\n'] }],
  ['a connection that breaks before the effect', { drop: 'before' }],
  ['a connection that breaks after the effect', { drop: 'after' }],
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

async function applyWith(fault: Fault, hcl: string) {
  stack.resources(hcl);
  stack.emulator.faults.inject({ count: 1, ...fault });
  const report = await stack.run('apply');
  expect(stack.emulator.faults.list()).toEqual([]);
  return report;
}

/** The next apply makes the remaining changes, and the plan after it has none. */
async function expectToConverge(hcl: string, held: object) {
  stack.resources(hcl);
  await stack.must('apply');
  expect((await stack.ask('GET', path)).data).toMatchObject(held);
  expect(await stack.addresses()).toEqual([address]);
  expect((await stack.must('plan')).planned).toEqual({});
}

describe.each(troubles)('a managed key that meets %s', (_name, trouble) => {
  test('a create whose write fails is completed by the next apply', async () => {
    const { code } = await applyWith({ ...trouble, method: 'POST', path }, key());
    expect(code).toBe(trouble.drop === 'after' ? 0 : 1);
    await expectToConverge(key(), { any_mount: false });
  });

  test('a create whose read of the UUID fails is completed by the next apply', async () => {
    const { code, warnings } = await applyWith({ ...trouble, method: 'GET', path, skip: 1 }, key());
    expect({ code, warnings }).toMatchObject({
      code: 0,
      warnings: [{ summary: 'managed key "signing" on cluster "us": its UUID is not known yet' }],
    });
    const { UUID } = (await stack.ask('GET', path)).data!;
    await expectToConverge(key(), {});
    await stack.must('apply', '-refresh-only');
    expect((await stack.workspace.state())[address]).toMatchObject({ uuid: UUID });
  });

  test('a refresh, an update and a destroy whose request fails are completed by the next apply', async () => {
    stack.resources(key());
    await stack.must('apply');

    expect((await applyWith({ ...trouble, method: 'GET', path }, key(true))).code).toBe(1);
    expect((await stack.workspace.state())[address]).toMatchObject({ any_mount: false });

    expect((await applyWith({ ...trouble, method: 'POST', path }, key(true))).code).toBe(1);
    expect((await stack.workspace.state())[address]).toMatchObject({ any_mount: false });
    await expectToConverge(key(true), { any_mount: true });

    expect((await applyWith({ ...trouble, method: 'DELETE', path }, '')).code).toBe(1);
    expect(await stack.addresses()).toEqual([address]);
    await stack.must('apply');
    expect((await stack.ask('GET', path)).status).toBe(404);
  });
});

describe('a create whose outcome cannot be determined', () => {
  beforeEach(async () => {
    stack.emulator.faults.inject({ method: 'POST', path, drop: 'after', count: 1 });
    stack.emulator.faults.inject({ method: 'GET', path, drop: 'before', skip: 1, count: 1 });
    stack.resources(key());
    const { code, warnings } = await stack.run('apply');
    expect({ code, warnings }).toMatchObject({
      code: 1,
      warnings: [
        { summary: 'managed key "signing" on cluster "us": could not determine whether it was created' },
      ],
    });
  });

  test('the next apply completes such a create', async () => {
    await expectToConverge(key(), {});
  });

  test('the next apply creates the key if none was created', async () => {
    await stack.ask('DELETE', path);
    await expectToConverge(key(), {});
  });

  test('such a create leaves a key alone that someone else created in the meantime', async () => {
    await stack.ask('POST', path, { library: 'other' });
    const { errors } = await stack.run('apply');
    expect(errors).toMatchObject([{ summary: 'managed key "signing" on cluster "us" already exists' }]);
    expect((await stack.ask('GET', path)).data).toMatchObject({ library: 'other' });
  });
});
