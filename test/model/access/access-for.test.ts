import {
  accessFor,
  AUTO_SNAPSHOT_CALLS,
  MANAGED_KEY_CALLS,
  managing,
  replicationCall,
} from '../../../src/model/access';

test('the calls on one path are merged, with the capabilities in the usual order', () => {
  expect(accessFor(managing(AUTO_SNAPSHOT_CALLS), { name: 'daily' })).toEqual([
    {
      path: 'sys/storage/raft/snapshot-auto/config/daily',
      capabilities: ['read', 'update', 'delete', 'sudo'],
    },
  ]);
});

test('a write requires both capabilities if the server distinguishes creating from updating', () => {
  expect(accessFor([MANAGED_KEY_CALLS.write], { type: 'awskms', name: 'signing' })).toEqual([
    { path: 'sys/managed-keys/awskms/signing', capabilities: ['create', 'update'] },
  ]);
});

test('the path of a list ends with a slash', () => {
  expect(accessFor([MANAGED_KEY_CALLS.list], { type: 'pkcs11' })).toEqual([
    { path: 'sys/managed-keys/pkcs11/', capabilities: ['list'] },
  ]);
});

test('calls of replication require sudo if the model says so', () => {
  const path = 'sys/replication/performance/primary';
  expect(
    accessFor([replicationCall('secondaryToken'), replicationCall('deletePathsFilter')], { id: 'eu' }),
  ).toEqual([
    { path: `${path}/secondary-token`, capabilities: ['update', 'sudo'] },
    { path: `${path}/paths-filter/eu`, capabilities: ['delete'] },
  ]);
});

test('a call whose path has an unknown value is left out', () => {
  expect(accessFor([MANAGED_KEY_CALLS.read], { type: 'pkcs11' })).toEqual([]);
});
