import { snapshotHealth, type SnapshotHealthOptions, type SnapshotStatus } from '../../../src/model';

const interval = 3600;
const now = Date.parse('2026-11-21T12:00:00Z');
const good: SnapshotStatus = {
  consecutive_errors: 0,
  last_snapshot_start: '2026-11-21T11:10:00Z',
  last_snapshot_end: '2026-11-21T11:10:02.123456789Z',
  next_snapshot_start: '2026-11-21T12:10:00Z',
};
const health = (status: SnapshotStatus, options?: SnapshotHealthOptions, at = now) =>
  snapshotHealth(status, interval, at, options);

test.each<[string, SnapshotStatus, SnapshotHealthOptions, number]>([
  ['a success within the interval', good, {}, now],
  ['a success exactly two intervals ago', { ...good, last_snapshot_end: '2026-11-21T10:00:00Z' }, {}, now],
  ['an older success, if more intervals may pass', good, { maxIntervals: 5 }, now + 3 * 3_600_000],
  [
    'a failure, if one is permitted',
    { ...good, consecutive_errors: 1, last_snapshot_error: 'e' },
    { maxErrors: 1 },
    now,
  ],
])('%s is healthy', (_, status, options, at) => {
  expect(health(status, options, at)).toEqual({ healthy: true, state: 'ok', reasons: [] });
});

test.each<[string, SnapshotStatus, SnapshotHealthOptions, string, string[]]>([
  [
    'a failure',
    { ...good, consecutive_errors: 1, last_snapshot_error: 'open /snap: permission denied' },
    {},
    'failing',
    ['the last attempt failed: open /snap: permission denied'],
  ],
  [
    'several failures',
    { ...good, consecutive_errors: 3, last_snapshot_error: 'no space' },
    { maxErrors: 2 },
    'failing',
    ['the last 3 attempts failed: no space'],
  ],
  [
    'a failure of a server that does not count them',
    { last_snapshot_end: good.last_snapshot_end, last_snapshot_error: 'no space' },
    {},
    'failing',
    ['the last attempt failed: no space'],
  ],
  [
    'a success that is too old',
    { ...good, last_snapshot_end: '2026-11-21T09:59:59Z' },
    {},
    'overdue',
    ['the last attempt ended at 2026-11-21T09:59:59Z, 2h0m1s ago; snapshots are due every 1h0m0s'],
  ],
  [
    'a failure long ago',
    { ...good, consecutive_errors: 2, last_snapshot_error: 'e', last_snapshot_end: '2026-11-20T12:00:00Z' },
    {},
    'failing',
    [
      'the last 2 attempts failed: e',
      'the last attempt ended at 2026-11-20T12:00:00Z, 24h0m0s ago; snapshots are due every 1h0m0s',
    ],
  ],
  [
    'a snapshot that could not be loaded',
    { ...good, loading_error: 'no room' },
    {},
    'failing',
    ['the last snapshot could not be loaded: no room'],
  ],
  [
    'no attempt yet, with no known due time',
    {},
    {},
    'waiting',
    [
      'no snapshot was attempted yet; the first is due one interval (1h0m0s) after the configuration was written',
    ],
  ],
  [
    'a success that is too old, if more failures are permitted than intervals',
    { ...good, consecutive_errors: 2, last_snapshot_error: 'e' },
    { maxErrors: 5 },
    'overdue',
    ['the last success was 2h49m58s ago or earlier; snapshots are due every 1h0m0s'],
  ],
  [
    'no attempt yet, long after the first was due',
    { next_snapshot_start: '2026-11-21T10:00:00Z' },
    {},
    'overdue',
    ['no snapshot was attempted yet; the first was due at 2026-11-21T10:00:00Z, 2h0m0s ago'],
  ],
])('%s is not healthy', (_, status, options, state, reasons) => {
  expect(health(status, options)).toEqual({ healthy: false, state, reasons });
});

test.each([
  ['before the first is due', '2026-11-21T12:30:00Z', 'is due at 2026-11-21T12:30:00Z'],
  ['until one interval after it was due', '2026-11-21T11:00:00Z', 'is due at 2026-11-21T11:00:00Z'],
])('a configuration without an attempt is healthy %s', (_, next_snapshot_start, reason) => {
  expect(health({ next_snapshot_start })).toEqual({
    healthy: true,
    state: 'waiting',
    reasons: [`no snapshot was attempted yet; the first ${reason}`],
  });
});
