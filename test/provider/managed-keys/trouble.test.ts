import { providerBlock, startStack } from '../support';
import { BACKENDS, managedKey } from './support';

test('a create whose read of the UUID fails has a warning, and a later refresh finds the UUID', async () => {
  const address = 'vaultadmin_managed_key.it';
  const path = 'sys/managed-keys/pkcs11/signing';
  const stack = await startStack({
    serverVersion: '1.21.0+ent.hsm',
    provider: ({ clusters: { us } }) =>
      providerBlock(`us = { address = "${us!.address}", token = "${us!.rootToken}", max_retries = 0 }`),
  });
  stack.resources(managedKey({ name: 'signing', pkcs11: BACKENDS.pkcs11 }));
  stack.emulator.faults.inject({ status: 500, method: 'GET', path, skip: 1, count: 1 });
  const { code, warnings } = await stack.run('apply');
  expect({ code, warnings }).toMatchObject({
    code: 0,
    warnings: [{ summary: 'managed key "signing" on cluster "us": its UUID is not known yet' }],
  });
  const { UUID } = (await stack.ask('GET', path)).data!;
  expect((await stack.must('plan')).planned).toEqual({});
  await stack.must('apply', '-refresh-only');
  expect((await stack.workspace.state())[address]).toMatchObject({ uuid: UUID });
  await stack.close();
});
