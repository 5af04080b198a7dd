import { startStack, type Stack } from '../support';
import { BACKENDS, managedKey } from './support';

let stack: Stack;
afterEach(() => stack.close());

const OAEP = { ...BACKENDS.pkcs11, mechanism: '0x0009' };
const keys = (hash: object, mode: object) =>
  managedKey({ name: 'oaep', pkcs11: { ...OAEP, ...hash } }, 'oaep') +
  managedKey({ name: 'azure', azurekeyvault: { ...BACKENDS.azurekeyvault, ...mode } }, 'azure');

test('fields of 2.0 are not sent to an older server', async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent.hsm' });
  stack.resources(keys({ rsa_oaep_hash: 'sha256' }, { encryption_mode: 'raw' }));
  const { errors } = await stack.run('plan');
  expect(errors.map(({ summary }) => summary).sort()).toEqual([
    'managed key "azure": encryption_mode requires Vault 2.0 or later',
    'managed key "oaep": rsa_oaep_hash requires Vault 2.0 or later',
  ]);
  expect(errors.map(({ line }) => line).sort()).toEqual([
    'encryption_mode = "raw"',
    'rsa_oaep_hash = "sha256"',
  ]);

  // Default values do not need a feature of the server.
  stack.resources(keys({}, { encryption_mode: 'envelope' }));
  expect((await stack.run('plan')).errors).toEqual([]);
});

test('a server of 2.0 stores the fields, and its defaults are no change', async () => {
  stack = await startStack({ serverVersion: '2.0.0+ent.hsm' });
  const stored = async (path: string) => (await stack.ask('GET', `sys/managed-keys/${path}`)).data;
  const values = async () => [
    (await stored('pkcs11/oaep'))?.rsa_oaep_hash,
    (await stored('azurekeyvault/azure'))?.encryption_mode,
  ];
  stack.resources(keys({ rsa_oaep_hash: 'sha256' }, { encryption_mode: 'raw' }));
  await stack.must('apply');
  expect(await values()).toEqual(['sha256', 'raw']);

  stack.resources(keys({}, {}));
  await stack.must('apply');
  expect(await values()).toEqual(['', 'envelope']);
  expect((await stack.must('plan')).planned).toEqual({});
});
