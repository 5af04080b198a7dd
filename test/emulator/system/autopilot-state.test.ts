import { startTestEmulator } from '../support/emulator';

const PATH = 'sys/storage/raft/autopilot/state';

test('all nodes of a cluster are healthy voters', async () => {
  const { api, emulator } = await startTestEmulator({ standbys: 2, unavailableMs: 0 });
  await api.post('sys/step-down');
  emulator.clock.advance(5_000);
  const server = (id: string, status: string) => ({
    id,
    name: id,
    address: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    node_status: 'alive',
    node_type: 'voter',
    status,
    healthy: true,
    last_contact: '0s',
    last_term: 1,
    last_index: 1,
    stable_since: expect.stringMatching(/^\d{4}-/),
    version: '1.21.0',
    upgrade_version: '1.21.0',
  });
  const voters = ['default-1', 'default-2', 'default-3'];
  expect((await api.get(PATH)).body.data).toEqual({
    healthy: true,
    failure_tolerance: 1,
    optimistic_failure_tolerance: 1,
    leader: 'default-2',
    voters,
    servers: {
      'default-1': server('default-1', 'voter'),
      'default-2': server('default-2', 'leader'),
      'default-3': server('default-3', 'voter'),
    },
    redundancy_zones: {},
    upgrade_info: { status: 'idle', target_version: '1.21.0', target_version_voters: voters },
  });
});

test('a single node has no failure tolerance, and the open-source server has no such state here', async () => {
  const { api, emulator } = await startTestEmulator();
  expect((await api.get(PATH)).body.data).toMatchObject({ failure_tolerance: 0, leader: 'default-1' });
  const open = await startTestEmulator({ serverVersion: '1.21.0' });
  expect((await open.api.get(PATH)).status).toBe(404);
  await Promise.all([emulator.close(), open.emulator.close()]);
});
