import { VaultClient, type AuditDevice, type VaultResponse } from '../../src/client';
import { findAclPolicies, findAuditDevices, findManagedKeys, findRgpPolicies } from '../../src/inventory';

const client = new VaultClient({ address: 'http://127.0.0.1:1' });
const answer = <T>(data: T): VaultResponse<T> => ({ status: 200, requestId: '', warnings: ['old'], data });

test('policies are sorted; ACL policies that the server made for itself are left out', async () => {
  const keys = ['ops', 'root', 'response-wrapping', 'default', 'dev'];
  jest.spyOn(client.policies.acl, 'list').mockResolvedValue(answer({ keys }));
  expect(await findAclPolicies(client)).toEqual(
    answer([{ name: 'default' }, { name: 'dev' }, { name: 'ops' }]),
  );
  const list = jest.spyOn(client.policies.rgp, 'list').mockResolvedValue(answer({ keys: ['root', 'a'] }));
  const { signal } = new AbortController();
  expect((await findRgpPolicies(client, { signal })).data).toEqual([{ name: 'a' }, { name: 'root' }]);
  expect(list).toHaveBeenCalledWith({ signal });
});

test('numbers in names are sorted as numbers', async () => {
  const keys = ['team_10', 'team_2', 'team_1', 'team_01', 'team', 'team_1a'];
  jest.spyOn(client.policies.rgp, 'list').mockResolvedValue(answer({ keys }));
  const names = (await findRgpPolicies(client)).data.map(({ name }) => name);
  expect(names).toEqual(['team', 'team_1', 'team_01', 'team_1a', 'team_2', 'team_10']);
});

test('managed keys have the types of their backends', async () => {
  const names = { pkcs11: ['b', 'a'], awskms: [], azurekeyvault: [], gcpckms: ['c'] };
  jest.spyOn(client.managedKeys, 'listAll').mockResolvedValue(answer(names));
  expect((await findManagedKeys(client)).data).toEqual([
    { type: 'pkcs11', name: 'a' },
    { type: 'pkcs11', name: 'b' },
    { type: 'gcpckms', name: 'c' },
  ]);
});

test('audit devices are listed with the facts that the server returns, and numbers in their names are sorted as numbers', async () => {
  const [log, siem] = ['log-2', 'log-10'].map((path): AuditDevice => ({
    path,
    type: 'file',
    file_path: '/x',
  }));
  jest.spyOn(client.auditDevices, 'readAll').mockResolvedValue(answer([siem!, log!]));
  expect((await findAuditDevices(client)).data).toEqual([
    { name: 'log-2', device: log },
    { name: 'log-10', device: siem },
  ]);
});
