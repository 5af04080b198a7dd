import {
  REPLICATION_MODES,
  REPLICATION_WARNINGS,
  REPLICATION_CALLS,
  REPLICATION_TRANSITIONS,
  transitionOf,
  type ReplicationMode,
} from '../../../src/model';

test('the transitions are those of the interface', () => {
  const lines = REPLICATION_TRANSITIONS.map(
    ({ from, trigger, to }) => `${from} -> ${to}: ${REPLICATION_CALLS[trigger].path}`,
  );
  expect(lines).toEqual([
    'disabled -> primary: primary/enable',
    'primary -> secondary: primary/demote',
    'primary -> disabled: primary/disable',
    'secondary -> primary: secondary/promote',
    'secondary -> disabled: secondary/disable',
    'secondary -> secondary: secondary/update-primary',
    'disabled -> secondary: secondary/enable',
  ]);
});

test('the transitions keep or delete data, cluster id and token as the interface says', () => {
  const kept = Object.fromEntries(
    REPLICATION_TRANSITIONS.map(({ trigger, wipesData, clusterId, needsToken }) => [
      trigger,
      [wipesData ? 'wiped' : 'kept', clusterId, needsToken],
    ]),
  );
  expect(kept).toEqual({
    enablePrimary: ['kept', 'new', false],
    demotePrimary: ['kept', 'kept', false],
    disablePrimary: ['kept', 'dropped', false],
    promoteSecondary: ['kept', 'kept', false],
    disableSecondary: ['kept', 'dropped', false],
    updatePrimary: ['kept', 'kept', 'optional'],
    enableSecondary: ['wiped', 'of_primary', true],
  });
});

test('every mode can be entered and left', () => {
  for (const mode of REPLICATION_MODES) {
    expect(REPLICATION_TRANSITIONS.some(({ from }) => from === mode)).toBe(true);
    expect(REPLICATION_TRANSITIONS.some(({ to }) => to === mode)).toBe(true);
  }
});

test('a cluster becomes a primary only by enabling and by promotion', () => {
  const toPrimary = REPLICATION_TRANSITIONS.filter(({ to }: { to: ReplicationMode }) => to === 'primary');
  expect(toPrimary.map(({ trigger }) => trigger)).toEqual(['enablePrimary', 'promoteSecondary']);
});

test('transitionOf returns the transition of a call', () => {
  expect(transitionOf('promoteSecondary')).toMatchObject({ from: 'secondary', to: 'primary' });
  expect(transitionOf('secondaryToken')).toBeUndefined();
});

test("the warnings are the server's texts", () => {
  expect(Object.values(REPLICATION_WARNINGS)).toEqual([
    'This cluster is being enabled as a primary for replication. Vault will be unavailable for a brief period and will resume service shortly.',
    'This cluster is being demoted to a replication secondary. Vault will be unavailable for a brief period and will resume service shortly.',
    'This cluster is being promoted to a replication primary. Vault will be unavailable for a brief period and will resume service shortly.',
    'This cluster is having replication disabled. Vault will be unavailable for a brief period and will resume service shortly.',
    'Vault has successfully found secondary information; it may take a while to perform setup tasks. Vault will be unavailable until these tasks and initial sync complete.',
  ]);
  const silent = REPLICATION_TRANSITIONS.filter(({ warning }) => warning === undefined);
  expect(silent.map(({ trigger }) => trigger)).toEqual(['updatePrimary']);
});
