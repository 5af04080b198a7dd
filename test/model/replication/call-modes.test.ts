import { modesOfCall, REPLICATION_CALLS, type ReplicationCallName } from '../../../src/model';

test('modesOfCall returns the modes in which a call is possible', () => {
  const names = Object.keys(REPLICATION_CALLS) as ReplicationCallName[];
  expect(Object.fromEntries(names.map((name) => [name, modesOfCall(name).join(', ')]))).toEqual({
    status: 'disabled, primary, secondary',
    enablePrimary: 'disabled',
    demotePrimary: 'primary',
    disablePrimary: 'primary',
    secondaryToken: 'primary',
    revokeSecondary: 'primary',
    writePathsFilter: 'primary',
    readPathsFilter: 'primary',
    deletePathsFilter: 'primary',
    primaryDynamicFilter: 'primary',
    secondaryDynamicFilter: 'secondary',
    generatePublicKey: 'disabled, secondary',
    enableSecondary: 'disabled',
    promoteSecondary: 'secondary',
    disableSecondary: 'secondary',
    updatePrimary: 'secondary',
  });
});
