import { addOperator, calls, expectStatus, issueToken, joinedPair, status, useSet } from './support/set';
import type { Api } from '../support/api';

const use = useSet({ unavailableMs: 5_000 });

const notActive = [503, { errors: ['node is not active'] }];

async function expectUnavailable(api: Api): Promise<void> {
  for (const path of ['sys/policies/acl', `${calls}/status`, 'sys/replication/status']) {
    const answer = await api.get(path);
    expect([answer.status, answer.body]).toEqual(notActive);
  }
  const health = await api.as(undefined).get('sys/health');
  expect(health.status).toBe(429);
  expect(health.body).toMatchObject({
    sealed: false,
    standby: true,
    replication_performance_mode: 'bootstrapping',
  });
  expect((await api.as(undefined).get('sys/health?standbyok=true')).status).toBe(200);
  expect((await api.as(undefined).get('sys/health?standbycode=599')).status).toBe(599);
}

async function mode(api: Api): Promise<unknown> {
  return (await expectStatus(api.get('sys/health'), 200)).body.replication_performance_mode;
}

describe('a change of mode', () => {
  it('the call is answered first, and then service is interrupted for the configured time', async () => {
    const { us, emulator } = use();
    emulator.clock.freeze();
    for (const [call, after] of [
      ['primary/enable', 'primary'],
      ['primary/demote', 'secondary'],
      ['secondary/promote', 'primary'],
      ['primary/disable', 'disabled'],
    ] as const) {
      await expectStatus(us.post(`${calls}/${call}`), 200);
      await expectUnavailable(us);
      emulator.clock.advance(4_999);
      await expectUnavailable(us);
      emulator.clock.advance(1);
      expect(await mode(us)).toBe(after);
    }
  });

  it('service of other clusters is not interrupted', async () => {
    const { us, eu } = use();
    await expectStatus(us.post(`${calls}/primary/enable`), 200);
    expect((await eu.list('sys/policies/acl')).status).toBe(200);
  });

  it('the first sync of a secondary starts after the interruption', async () => {
    const { us, eu, emulator } = use();
    emulator.clock.freeze();
    await addOperator(us);
    await us.post(`${calls}/primary/enable`);
    emulator.clock.advance(5_000);
    const token = await issueToken(us, 'eu');
    await expectStatus(eu.post(`${calls}/secondary/enable`, { token }), 200);
    await expectUnavailable(eu);
    emulator.clock.advance(5_000);
    expect(await mode(eu)).toBe('secondary');
  });

  it('connections to secondaries are closed, and open again afterwards', async () => {
    const { us, eu, emulator } = use();
    emulator.clock.freeze();
    await us.post(`${calls}/primary/enable`);
    emulator.clock.advance(5_000);
    await expectStatus(eu.post(`${calls}/secondary/enable`, { token: await issueToken(us, 'eu') }), 200);
    emulator.clock.advance(5_000);
    emulator.replication.crash('us');
    const shown = await eu.as(undefined).get(`${calls}/status`);
    expect(shown.body.data).toMatchObject({ state: 'idle', connection_state: 'transient_failure' });
    emulator.clock.advance(5_000);
    const later = await eu.as(undefined).get(`${calls}/status`);
    expect(later.body.data).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
  });
});

describe('a sealed cluster', () => {
  const useQuick = useSet();

  it('a sealed primary or secondary has no connections until it is unsealed', async () => {
    const { us, eu, emulator } = useQuick();
    const { secondary } = await joinedPair(useQuick());
    const key = emulator.clusters.us?.unsealKey;
    await expectStatus(us.put('sys/seal'), 204);
    expect(await status(eu)).toMatchObject({ state: 'idle', connection_state: 'transient_failure' });
    expect((await secondary.put('sys/policies/acl/p', { policy: 'path "a" {}' })).status).toBe(503);
    await expectStatus(us.put('sys/unseal', { key }), 200);
    expect(await status(eu)).toMatchObject({ connection_state: 'ready' });
    await expectStatus(secondary.put('sys/seal'), 204);
    expect((await status(us)).secondaries[0].connection_status).toBe('disconnected');
    await expectStatus(eu.put('sys/unseal', { key }), 200);
    expect((await status(us)).secondaries[0].connection_status).toBe('connected');
  });
});
