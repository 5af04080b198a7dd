import {
  AuditDevice,
  AuditFormat,
  AuditLog,
  AuditSocketType,
  Duration,
  VaultCluster,
  ResourceProvider,
  type AuditDeviceProps,
} from '../../../constructs';
import { synthesize, warnings } from '../support/synthesize';

/** Declares one device on the cluster `us`. */
function device(resources: ResourceProvider, props: Partial<AuditDeviceProps> = {}) {
  return synthesize((stack) => {
    const cluster = new VaultCluster(stack, 'Cluster', { name: 'us', resourceProvider: resources });
    new AuditDevice(stack, 'Audit', {
      path: 'file',
      log: AuditLog.file({ filePath: '/a' }),
      ...props,
      cluster,
    });
  });
}

const METADATA = { '//': { metadata: { path: 'stack/Audit/Resource', uniqueId: 'Audit' } } };
const PROPS = {
  description: 'd',
  local: true,
  format: AuditFormat.JSONX,
  hmacAccessor: false,
  filter: 'mount_type == "kv"',
  fallback: true,
  exclude: '[{"fields":["/request/data"]}]',
  namespace: 'admin',
};

test('an AuditDevice becomes one resource of vaultadmin', () => {
  expect(device(ResourceProvider.VAULTADMIN, PROPS).resource).toEqual({
    vaultadmin_audit_device: {
      Audit: {
        ...METADATA,
        provider: 'vaultadmin',
        cluster: 'us',
        namespace: 'admin',
        path: 'file',
        description: 'd',
        local: true,
        format: 'jsonx',
        hmac_accessor: false,
        filter: 'mount_type == "kv"',
        fallback: true,
        exclude: '[{"fields":["/request/data"]}]',
        file: { file_path: '/a' },
      },
    },
  });
});

test('an AuditDevice becomes one resource of hashicorp/vault, whose options are texts', () => {
  expect(device(ResourceProvider.UPSTREAM, PROPS).resource).toEqual({
    vault_audit: {
      Audit: {
        ...METADATA,
        provider: 'vault.us',
        namespace: 'admin',
        path: 'file',
        type: 'file',
        description: 'd',
        local: true,
        options: {
          file_path: '/a',
          format: 'jsonx',
          hmac_accessor: 'false',
          filter: 'mount_type == "kv"',
          fallback: 'true',
          exclude: '[{"fields":["/request/data"]}]',
        },
      },
    },
  });
});

test.each([
  [AuditLog.syslog(), 'syslog', { facility: 'AUTH' }],
  [AuditLog.syslog({ facility: 'LOCAL0', tag: 't' }), 'syslog', { facility: 'LOCAL0', tag: 't' }],
  [
    AuditLog.socket({ address: '/s', socketType: AuditSocketType.UNIX, writeTimeout: Duration.seconds(5) }),
    'socket',
    { address: '/s', socket_type: 'unix', write_timeout: '5s' },
  ],
])('an AuditDevice has the options of its log (%#)', (log, type, options) => {
  expect(device(ResourceProvider.UPSTREAM, { log }).resource).toMatchObject({
    vault_audit: { Audit: { type, options } },
  });
  expect(device(ResourceProvider.VAULTADMIN, { log }).resource).toMatchObject({
    vaultadmin_audit_device: { Audit: { [type]: options } },
  });
});

test('an AuditDevice with known problems is refused', () => {
  expect(() => device(ResourceProvider.VAULTADMIN, { path: 'file/' })).toThrow(
    'audit device "file/": path must not be empty, begin or end with a slash, or contain an empty segment',
  );
  const log = AuditLog.file({ filePath: '/a', mode: 'rw' });
  expect(() => device(ResourceProvider.UPSTREAM, { log })).toThrow(
    'audit device "file": mode must be octal digits',
  );
});

test('two constructs for one audit device are refused', () => {
  const both = () =>
    synthesize((stack) => {
      const cluster = new VaultCluster(stack, 'Cluster', { name: 'us' });
      const props = { cluster, path: 'file', log: AuditLog.syslog() };
      new AuditDevice(stack, 'A', props);
      new AuditDevice(stack, 'B', props);
    });
  expect(both).toThrow('audit device "file" on cluster "us" is written by [stack/A] already');
});

test('an AuditDevice with raw logs has a warning', () => {
  const stack = () =>
    warnings((scope) => {
      const cluster = new VaultCluster(scope, 'Cluster', { name: 'us' });
      new AuditDevice(scope, 'A', { cluster, log: AuditLog.syslog(), logRaw: true });
    });
  expect(stack().join()).toContain('logRaw logs tokens and secrets in plain text');
});
