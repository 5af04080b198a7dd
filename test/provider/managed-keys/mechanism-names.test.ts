/** The names of mechanisms beside their numbers, in plans and states. */
import { startStack, type Stack } from '../support';
import { BACKENDS, managedKey, without } from './support';

const ADDRESS = 'vaultadmin_managed_key.it';
const key = (mechanism: string) =>
  managedKey({
    name: 'signing',
    pkcs11: { ...without(BACKENDS.pkcs11, 'key_bits'), mechanism },
  });

let stack: Stack;
beforeEach(async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
});
afterEach(() => stack.close());

/** The lines of the plan that Terraform prints about mechanisms. */
async function plannedLines(): Promise<string[]> {
  const { stdout } = await stack.workspace.run('plan', '-input=false', '-no-color');
  const lines = stdout.split('\n').filter((line) => line.includes('mechanism'));
  return lines.map((line) => line.trim().replace(/ +/g, ' '));
}

test('plans of a create and of updates, with known and unknown mechanisms, show names beside numbers', async () => {
  stack.resources(key('0x0001'));
  expect(await plannedLines()).toEqual(['+ mechanism = "0x0001"', '+ mechanism_name = "CKM_RSA_PKCS"']);
  await stack.must('apply');

  stack.resources(key('0x1085'));
  expect(await plannedLines()).toEqual([
    '~ mechanism = "0x0001" -> "0x1085"',
    '~ mechanism_name = "CKM_RSA_PKCS" -> "CKM_AES_CBC_PAD"',
  ]);
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});

  stack.resources(key('0x80000001'));
  expect(await plannedLines()).toEqual([
    '~ mechanism = "0x1085" -> "0x80000001"',
    '- mechanism_name = "CKM_AES_CBC_PAD" -> null',
  ]);
  await stack.must('apply');
  expect((await stack.must('plan')).planned).toEqual({});
});

test('the plan of an import and of a change by hand shows the name', async () => {
  const { library, key_label, slot, pin_wo: pin } = BACKENDS.pkcs11;
  const byHand = { library, key_label, slot, mechanism: '0x000D', pin };
  await stack.ask('POST', 'sys/managed-keys/pkcs11/signing', byHand);
  const imported = `import {\n  to = ${ADDRESS}\n  id = "us//pkcs11/signing"\n}\n`;
  stack.resources(key('0x000D') + imported);
  expect(await plannedLines()).toEqual(['mechanism = "0x000D"', 'mechanism_name = "CKM_RSA_PKCS_PSS"']);
  await stack.must('apply');

  await stack.ask('POST', 'sys/managed-keys/pkcs11/signing', { ...byHand, mechanism: '0x0009' });
  expect(await plannedLines()).toEqual([
    '~ mechanism = "0x0009" -> "0x000D"',
    '~ mechanism_name = "CKM_RSA_PKCS_OAEP" -> "CKM_RSA_PKCS_PSS"',
  ]);
});

test.each([[[]], [['-refresh=false']]])(
  'a state without names, planned with %j, has no changes',
  async (options) => {
    stack.resources(key('0x1'));
    await stack.must('apply');
    const state = stack.workspace.read('terraform.tfstate');
    const older = state.replace(/\n *"mechanism_name": "CKM_RSA_PKCS",/, '');
    expect(older).not.toBe(state);
    stack.workspace.write('terraform.tfstate', older);

    const { code } = await stack.workspace.run('plan', '-input=false', '-detailed-exitcode', ...options);
    expect(code).toBe(0);
    await stack.must('apply', ...options);
  },
);

test('a mechanism that is known at the apply is planned without a name, and gets it', async () => {
  const late = 'terraform_data.mechanism.output';
  const resource = key('LATE').replace('"LATE"', late);
  stack.resources(`resource "terraform_data" "mechanism" {\n  input = "0x1041"\n}\n${resource}`);
  expect(await plannedLines()).toContain('+ mechanism_name = (known after apply)');
  await stack.must('apply');
  expect((await stack.workspace.state())[ADDRESS]).toMatchObject({
    pkcs11: { mechanism: '0x1041', mechanism_name: 'CKM_ECDSA' },
  });
  expect((await stack.must('plan')).planned).toEqual({});
});
