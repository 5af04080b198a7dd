import {
  accessFor,
  AUTO_SNAPSHOT_CALLS,
  MANAGED_KEY_CALLS,
  managing,
  replicationCall,
} from '../../../src/model/access';

test('merges the calls on one path, with the capabilities in the usual order', () => {
  expect(accessFor(managing(AUTO_SNAPSHOT_CALLS), { name: 'daily' })).toEqual([
    {
      path: 'sys/storage/raft/snapshot-auto/config/daily',
      capabilities: ['read', 'update', 'delete', 'sudo'],
    },
  ]);
});

test('a server that distinguishes creating from updating requires both', () => {
  expect(accessFor([MANAGED_KEY_CALLS.write], { type: 'awskms', name: 'signing' })).toEqual([
    { path: 'sys/managed-keys/awskms/signing', capabilities: ['create', 'update'] },
  ]);
});

test('lists are checked with a slash at the end', () => {
  expect(accessFor([MANAGED_KEY_CALLS.list], { type: 'pkcs11' })).toEqual([
    { path: 'sys/managed-keys/pkcs11/', capabilities: ['list'] },
  ]);
});

test('takes sudo from the calls of replication', () => {
  const path = 'sys/replication/performance/primary';
  expect(
    accessFor([replicationCall('secondaryToken'), replicationCall('deletePathsFilter')], { id: 'eu' }),
  ).toEqual([
    { path: `${path}/secondary-token`, capabilities: ['update', 'sudo'] },
    { path: `${path}/paths-filter/eu`, capabilities: ['delete'] },
  ]);
});

test('leaves out calls whose path is not known', () => {
  expect(accessFor([MANAGED_KEY_CALLS.read], { type: 'pkcs11' })).toEqual([]);
});
