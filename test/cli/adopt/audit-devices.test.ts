import { UniqueNames } from '../../../src/cli/adopt/app/names';
import { Printer } from '../../../src/cli/adopt/app/code';
import { AdoptedNamespace } from '../../../src/cli/adopt/estate/adopted-namespace';
import { EstateReads } from '../../../src/cli/adopt/estate/estate-reads';
import { Remarks } from '../../../src/cli/adopt/estate/remarks';
import { AUDIT_DEVICES } from '../../../src/cli/adopt/kinds/audit-devices';
import { VaultClient, type AuditDevice } from '../../../src/client';

/** Returns the props that declare a device on a cluster. */
async function propsOf(device: AuditDevice): Promise<string> {
  const client = new VaultClient({ address: 'http://127.0.0.1:1' });
  jest
    .spyOn(client.auditDevices, 'readAll')
    .mockResolvedValue({ status: 200, data: [device], warnings: [], requestId: '' });
  const place = new AdoptedNamespace('us', '', client, new Remarks(), new EstateReads(() => undefined));
  const declare = await AUDIT_DEVICES.find([place], {
    defaultPolicy: false,
    replicated: false,
    isManaged: () => false,
  });
  const naming = { stack: 'us', ids: new UniqueNames(), variables: new UniqueNames() };
  const [{ props } = { props: {} }] = declare(naming).flatMap(({ declarations }) => declarations);
  return new Printer().print(props);
}

test('options with allowed values are declared by members of enumerations, and times by durations', async () => {
  const fields = { format: 'jsonx', socket_type: 'unix', write_timeout: '90s', address: '/run/audit' };
  const props = await propsOf({ path: 'siem', type: 'socket', ...fields });
  expect(props).toContain('format: AuditFormat.JSONX,');
  expect(props).toContain('socketType: AuditSocketType.UNIX,');
  expect(props).toContain('writeTimeout: Duration.seconds(90),');
});
