import { calls, expectStatus, joinedPair, status, useSet } from './support/set';

const use = useSet();
const side = {
  primary: 'requires "primary"',
  secondary: 'requires "secondary"',
  disabled: 'requires "disabled"',
};
const needs: readonly (readonly [string, string, keyof typeof side])[] = [
  ['POST', 'primary/enable', 'disabled'],
  ['POST', 'primary/demote', 'primary'],
  ['POST', 'primary/disable', 'primary'],
  ['POST', 'primary/secondary-token', 'primary'],
  ['POST', 'primary/revoke-secondary', 'primary'],
  ['POST', 'primary/paths-filter/eu', 'primary'],
  ['GET', 'primary/paths-filter/eu', 'primary'],
  ['DELETE', 'primary/paths-filter/eu', 'primary'],
  ['GET', 'primary/dynamic-filter/eu', 'primary'],
  ['GET', 'secondary/dynamic-filter/eu', 'secondary'],
  ['POST', 'secondary/enable', 'disabled'],
  ['POST', 'secondary/promote', 'secondary'],
  ['POST', 'secondary/disable', 'secondary'],
  ['POST', 'secondary/update-primary', 'secondary'],
];

it('a call that the mode does not allow is refused with the name of the mode', async () => {
  const { us, ap } = use();
  const { secondary } = await joinedPair(use());
  for (const [mode, api] of Object.entries({ primary: us, secondary, disabled: ap })) {
    for (const [method, path, wanted] of needs.filter(([, , each]) => each !== mode)) {
      const answer = await api.send(
        method,
        `${calls}/${path}`,
        method === 'POST' ? { body: { id: 'x', token: 'x' } } : {},
      );
      expect([path, answer.status, answer.body.errors]).toEqual([
        path,
        400,
        [`the replication mode of this cluster is "${mode}": the call ${side[wanted]}`],
      ]);
    }
  }
  const key = await us.post(`${calls}/secondary/generate-public-key`);
  expect([key.status, key.body.errors]).toEqual([
    400,
    ['the replication mode of this cluster is "primary": the call requires "disabled" or "secondary"'],
  ]);
  expect([(await status(us)).mode, (await status(secondary)).mode, (await status(ap)).mode]).toEqual([
    'primary',
    'secondary',
    'disabled',
  ]);
});

it('the calls require the root namespace and a token', async () => {
  const { us } = use();
  await us.put('sys/namespaces/team');
  expect((await us.post(`${calls}/primary/enable`, {}, { namespace: 'team' })).status).toBe(404);
  expect((await us.get(`${calls}/status`, { namespace: 'team' })).status).toBe(404);
  for (const [method, path] of needs) {
    expect([path, (await us.as(undefined).send(method, `${calls}/${path}`)).status]).toEqual([path, 403]);
  }
  expect(await status(us)).toEqual({ mode: 'disabled' });
});

it('the former paths of the calls are supported', async () => {
  const { us } = use();
  await expectStatus(us.post('sys/replication/primary/enable'), 200);
  await expectStatus(us.post('sys/replication/primary/secondary-token', { id: 'eu' }), 200);
  expect(await status(us)).toMatchObject({ mode: 'primary', known_secondaries: ['eu'] });
});

it('PUT is accepted for POST, and unknown parameters cause a warning', async () => {
  const { us } = use();
  const answer = await expectStatus(us.put(`${calls}/primary/enable`, { color: 'red' }), 200);
  expect(answer.body.warnings).toContain('Endpoint ignored these unrecognized parameters: [color]');
});

describe('the open-source server', () => {
  const useOpen = useSet({ serverVersion: '1.21.0' });

  it('an open-source server has no replication, and its status says so at one path only', async () => {
    const { us } = useOpen();
    expect((await us.as(undefined).get('sys/replication/status')).body.data).toEqual({ mode: 'disabled' });
    expect((await us.get(`${calls}/status`)).status).toBe(404);
    const answer = await us.post(`${calls}/primary/enable`);
    expect([answer.status, answer.body.errors]).toEqual([
      404,
      ['1 error occurred:\n\t* unsupported path\n\n'],
    ]);
  });
});

describe('a server of version 1.16', () => {
  const useOld = useSet({ serverVersion: '1.16.0+ent' });

  it('a server of version 1.16 returns fewer details about heartbeats', async () => {
    const { us } = useOld();
    await joinedPair(useOld());
    expect(Object.keys((await status(us)).secondaries[0] as object)).toEqual([
      'node_id',
      'api_address',
      'cluster_address',
      'connection_status',
      'last_heartbeat',
    ]);
  });
});
