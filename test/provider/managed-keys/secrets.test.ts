import type { Assume } from '../../../src/emulator/assume';
import { Canaries } from '../../support/canaries';
import { providerBlock, startStack, type Stack } from '../support';
import { BACKENDS, Expression, managedKey, without, type BackendName, type BlockValues } from './support';

const SECRETS: Readonly<Record<BackendName, readonly string[]>> = {
  pkcs11: ['pin'],
  awskms: ['access_key', 'secret_key'],
  azurekeyvault: ['client_secret'],
  gcpckms: ['credentials'],
};
const backends = Object.keys(SECRETS) as BackendName[];
const ALL_SECRETS = Object.values(SECRETS).flat();
/** The paths of writes of keys. */
const WRITES = 'sys/managed-keys/*';

let stack: Stack;
afterEach(() => stack.close());

/** A key that is named after its backend. Its secrets are variables named after the fields. */
function key(backend: BackendName, version: number, test_sign?: BlockValues): string {
  const secrets = SECRETS[backend].flatMap((field) => [
    [`${field}_wo`, new Expression(`var.${field}`)] as const,
    [`${field}_wo_version`, version] as const,
  ]);
  const values = { ...BACKENDS[backend], ...Object.fromEntries(secrets) };
  return managedKey({ name: backend, [backend]: values, ...(test_sign && { test_sign }) }, backend);
}

function planted(generation: string): Record<string, string> {
  return Object.fromEntries(ALL_SECRETS.map((field) => [field, `canary-${generation}-${field}`]));
}

test('no output, log or file contains a write-only secret', async () => {
  // GIVEN a key of each backend
  stack = await startStack({
    serverVersion: '1.21.0+ent.hsm',
    executable: true,
    provider: ({ clusters: { us } }) =>
      providerBlock(`us = { address = "${us!.address}", token = "${us!.rootToken}", max_retries = 0 }`),
  });
  const { faults } = stack.emulator;
  const canaries = new Canaries(stack.workspace, planted('first'));
  const configure = (version: number, test_sign?: BlockValues) =>
    stack.resources(
      canaries.variables + backends.map((backend) => key(backend, version, test_sign)).join('\n'),
    );
  /**
   * Runs a command, and expects an exit code, and a text in its output at least once for every key.
   */
  const run = async (code: number, text: string, command: string, ...args: string[]) => {
    const result = await canaries.run(command, '-no-color', '-input=false', ...args);
    const times = (result.stdout + result.stderr).replace(/\s+/g, ' ').split(text).length - 1;
    expect({ command, code: result.code, said: times >= backends.length }).toEqual({
      command,
      code,
      said: true,
    });
  };

  // The keys are created by a saved plan. The test signatures fail, because the keys do not exist.
  configure(1, {});
  await run(0, 'will be created', 'plan', '-out=tfplan');
  await canaries.run('show', '-json', 'tfplan');
  await run(1, 'cannot make a test signature', 'apply', 'tfplan');
  configure(1);
  await run(0, 'is not deleted, but tested again', 'apply', '-auto-approve');

  // rotate
  canaries.plant(planted('second'));
  configure(2);
  await run(0, 'Modifications complete', 'apply', '-auto-approve');

  // The server refuses the writes, and its errors repeat the requests.
  canaries.plant(planted('third'));
  const errors = [`bad: ${Object.values(planted('third')).join(' and ')}`];
  faults.inject({ method: 'POST', path: WRITES, status: 400, errors, count: backends.length });
  configure(3);
  await run(1, 'bad: ', 'apply', '-auto-approve');

  // The server does not answer the writes.
  faults.inject({ method: 'POST', path: WRITES, drop: 'before', count: backends.length });
  await run(1, 'the connection was lost', 'apply', '-auto-approve');

  // import
  await canaries.run('state', 'rm', ...backends.map(addressOf));
  const imports = backends.map(
    (backend) => `import {\n  to = ${addressOf(backend)}\n  id = "us//${backend}/${backend}"\n}\n`,
  );
  stack.workspace.write('imports.tf', imports.join(''));
  await run(0, 'Import complete', 'apply', '-auto-approve');
  await canaries.run('show', '-json');

  // Test signatures during a refresh, when the provider knows no secret that it could mask.
  configure(3, { on_refresh: true });
  faults.inject({ path: '*/test/sign', status: 204, count: backends.length });
  await run(0, 'Modifications complete', 'apply', '-auto-approve');
  await run(1, 'cannot make a test signature', 'plan');

  await run(0, 'Destruction complete', 'destroy', '-auto-approve', '-refresh=false');
  expect(canaries.sightings()).toEqual([]);
});

function addressOf(backend: BackendName): string {
  return `vaultadmin_managed_key.${backend}`;
}

const address = 'vaultadmin_managed_key.it';

describe('rotation of a write-only secret', () => {
  const keyWith = (pin_wo: string, pin_wo_version: number) =>
    managedKey({ name: 'signing', pkcs11: { ...BACKENDS.pkcs11, pin_wo, pin_wo_version } });
  const fillHsm = async (pin: string) => {
    const { library, slot } = BACKENDS.pkcs11;
    const { tokens, keys } = stack.emulator.keyStores.pkcs11;
    await tokens.add({ library, slot, pin });
    await keys.add({ library, slot, key_label: 'signing', key_type: 'RSA' });
  };
  beforeEach(async () => {
    stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
  });

  test('a new version plans an update in place, which writes the secret', async () => {
    await fillHsm('second');
    const test = async () =>
      (await stack.ask('POST', 'sys/managed-keys/pkcs11/signing/test/sign', {})).status;

    stack.resources(keyWith('first', 1));
    await stack.must('apply');
    expect(await test()).toBe(400);

    // A new secret with the old version plans nothing, because the secret is not stored.
    stack.resources(keyWith('second', 1));
    expect((await stack.must('plan')).planned).toEqual({});

    stack.resources(keyWith('second', 2));
    const plan = await stack.workspace.plan();
    const change = plan.resource_changes?.[0]?.change;
    expect(change?.actions).toEqual(['update']);
    expect([change?.before?.pkcs11, change?.after?.pkcs11]).toMatchObject([
      { pin: null, pin_wo: null, pin_wo_version: 1 },
      { pin: null, pin_wo: null, pin_wo_version: 2 },
    ]);
    await stack.must('apply');
    expect(await test()).toBe(204);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('a rotation that the server refuses is planned again', async () => {
    stack.resources(keyWith('first', 1));
    await stack.must('apply');
    stack.resources(keyWith('second', 2));
    stack.emulator.faults.inject({
      method: 'POST',
      path: WRITES,
      status: 403,
      errors: ['permission denied'],
      count: 1,
    });
    expect((await stack.run('apply')).code).toBe(1);
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'update' });
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('a secret with a new version is written together with changes of other fields', async () => {
    await fillHsm(BACKENDS.pkcs11.pin_wo);
    stack.resources(managedKey({ name: 'signing', pkcs11: BACKENDS.pkcs11 }));
    await stack.must('apply');
    await stack.ask('POST', 'sys/managed-keys/pkcs11/signing', { pin: 'of somebody else' });
    stack.resources(managedKey({ name: 'signing', any_mount: true, pkcs11: BACKENDS.pkcs11, test_sign: {} }));
    await stack.must('apply');
  });
});

describe('the plain argument of a secret', () => {
  const plain = (pin: string) => {
    const block = without(BACKENDS.pkcs11, 'pin_wo', 'pin_wo_version');
    return managedKey({ name: 'signing', pkcs11: { ...block, pin } });
  };
  beforeEach(async () => {
    stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
  });

  test('the plain argument is stored, with a warning, and a change of it is planned', async () => {
    stack.resources(plain('first'));
    const { code, warnings } = await stack.run('apply');
    expect(code).toBe(0);
    expect(warnings[0]).toEqual({
      summary: 'managed key "signing": pin is stored in the state',
      detail: 'To do: use pin_wo instead, with pin_wo_version = 1.',
      line: 'pin = "first"',
    });
    expect((await stack.workspace.state())[address]).toMatchObject({ pkcs11: { pin: 'first' } });
    expect((await stack.run('plan')).planned).toEqual({});
    stack.resources(plain('second'));
    expect((await stack.run('apply')).planned).toEqual({ [address]: 'update' });
  });

  test('the write-only argument takes the place of the plain one in an update', async () => {
    stack.resources(plain('first'));
    await stack.run('apply');
    stack.resources(managedKey({ name: 'signing', pkcs11: BACKENDS.pkcs11 }));
    expect((await stack.must('apply')).planned).toEqual({ [address]: 'update' });
    expect(JSON.stringify(await stack.workspace.state())).not.toContain('first');
  });
});

test('a secret that is removed from the configuration is cleared on the server', async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
  stack.resources(managedKey({ name: 'signing', awskms: BACKENDS.awskms }));
  await stack.must('apply');
  const secrets = SECRETS.awskms.flatMap((field) => [`${field}_wo`, `${field}_wo_version`]);
  const withoutSecrets = without(BACKENDS.awskms, ...secrets);
  stack.resources(managedKey({ name: 'signing', awskms: withoutSecrets }));
  await stack.must('apply');
  expect((await stack.ask('GET', 'sys/managed-keys/awskms/signing')).data).toMatchObject({
    access_key: '',
    secret_key: '',
  });
  expect((await stack.must('plan')).planned).toEqual({});
});

describe('an update of an imported key whose secrets are not set', () => {
  const update = async (assume: Assume) => {
    stack = await startStack({ serverVersion: '1.21.0+ent.hsm', assume });
    const secrets = { access_key: 'AKIA', secret_key: 'canary' };
    const { kms_key, key_type, curve } = BACKENDS.awskms;
    await stack.ask('POST', 'sys/managed-keys/awskms/signing', { kms_key, key_type, curve, ...secrets });
    const versions = { access_key_wo_version: 1, secret_key_wo_version: 1 };
    const backend = (values: BlockValues) =>
      managedKey({ name: 'signing', any_mount: true, awskms: { kms_key, key_type, curve, ...values } });
    stack.resources(`import {\n  to = ${address}\n  id = "signing"\n}\n${backend(versions)}`);
    return { applied: await stack.run('apply'), backend, versions };
  };
  const held = async () => {
    const { data } = await stack.ask('GET', 'sys/managed-keys/awskms/signing');
    return [data?.any_mount, data?.access_key, data?.secret_key];
  };
  const warning = {
    summary: 'managed key "signing" on cluster "us": the update leaves out access_key and secret_key',
    detail:
      'The configuration has the version alone. It is not documented that a server keeps what an update leaves ' +
      'out. The apply checks that it does.\n' +
      'To do: set access_key_wo and secret_key_wo if the values are at hand: the update then writes them.',
  };

  test('an update leaves the secrets out, with a warning, and the server keeps them', async () => {
    const { applied } = await update({});
    expect(applied).toMatchObject({ code: 0, planned: { [address]: 'update' } });
    expect(applied.warnings[0]).toMatchObject(warning);
    expect(await held()).toEqual([true, 'redacted', 'redacted']);
    expect((await stack.must('plan')).planned).toEqual({});
  });

  test('an update fails if the server drops the secrets, and the next plans ask for them until they are set', async () => {
    const { applied, backend, versions } = await update({ managedKeyWrites: 'replace' });
    expect(applied).toMatchObject({
      code: 1,
      errors: [
        {
          summary: 'managed key "signing" on cluster "us" has lost access_key and secret_key',
          detail:
            'The update left them out, and the server did not keep them. Everything else was written.\n' +
            'To do: set access_key_wo and secret_key_wo, and apply again.',
        },
      ],
    });
    expect(await held()).toEqual([true, '', '']);
    stack.resources(backend(versions));
    expect((await stack.run('plan')).errors.map(({ summary }) => summary)).toEqual([
      'managed key "signing": access_key_wo_version has changed, but access_key_wo is not set',
      'managed key "signing": secret_key_wo_version has changed, but secret_key_wo is not set',
    ]);
    stack.resources(backend({ ...versions, access_key_wo: 'AKIA', secret_key_wo: 'new' }));
    await stack.must('apply');
    expect(await held()).toEqual([true, 'redacted', 'redacted']);
  });
});
