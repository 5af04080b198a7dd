import { CRASH_STEPS, type CrashStep } from '../../../src/emulator';
import {
  addOperator,
  asOperator,
  calls,
  enablePrimary,
  expectStatus,
  issueToken,
  join,
  joinedPair,
  status,
  useSet,
} from './support/set';
import type { Api } from '../support/api';

const use = useSet();
const policy = { policy: 'path "a" {}' };

/** Makes a cluster crash at a step of a call, which gets no answer. */
async function crashing(cluster: string, step: CrashStep, call: () => Promise<unknown>): Promise<void> {
  use().emulator.replication.crashAt(cluster, step);
  await expect(call()).rejects.toThrow(/socket hang up|ECONNRESET/);
  expect(use().emulator.replication.state().crashes).toEqual({});
}

describe('a crash of the primary', () => {
  it.each([
    ['primary-enabled', 'primary/enable', { mode: 'primary' }],
    ['primary-demoted', 'primary/demote', { mode: 'secondary', state: 'idle' }],
    ['primary-disabled', 'primary/disable', { mode: 'disabled' }],
  ] as const)('a crash at %s leaves the new mode', async (step, call, after) => {
    const { us } = use();
    if (step !== 'primary-enabled') await enablePrimary(us);
    await crashing('us', step, () => us.post(`${calls}/${call}`));
    expect(await status(us)).toMatchObject(after);
    expect((await us.get('auth/token/lookup-self')).status).toBe(200);
  });

  it('a crash at token-issued leaves an id that is in use, without a token that anyone has', async () => {
    const { us } = use();
    await enablePrimary(us);
    await crashing('us', 'token-issued', () => us.post(`${calls}/primary/secondary-token`, { id: 'eu' }));
    expect((await status(us)).known_secondaries).toEqual(['eu']);
    expect((await us.post(`${calls}/primary/secondary-token`, { id: 'eu' })).status).toBe(400);
    await expectStatus(us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' }), 204);
    await issueToken(us, 'eu');
  });

  it('a crash at filter-written, filter-deleted or secondary-revoked leaves the change made', async () => {
    const { us } = use();
    await enablePrimary(us);
    await issueToken(us, 'eu');
    const filter = `${calls}/primary/paths-filter/eu`;
    await crashing('us', 'filter-written', () => us.post(filter, { mode: 'deny', paths: ['kv'] }));
    expect((await us.get(filter)).body.data).toEqual({ mode: 'deny', paths: ['kv/'] });
    await crashing('us', 'filter-deleted', () => us.delete(filter));
    expect((await us.get(filter)).status).toBe(404);
    await crashing('us', 'secondary-revoked', () =>
      us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' }),
    );
    expect((await status(us)).known_secondaries).toEqual([]);
  });

  it('connections close at a crash, and open again afterwards', async () => {
    const { us, eu, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.crash('us');
    expect(await status(eu)).toMatchObject({ connection_state: 'ready', state: 'stream-wals' });
    await us.put('sys/policies/acl/after', policy);
    expect((await secondary.get('sys/policies/acl/after')).status).toBe(200);
    expect((await status(eu)).merkle_root).toBe((await status(us)).merkle_root);
  });
});

describe('a crash of a joining cluster', () => {
  async function joining(): Promise<string> {
    const { us, eu } = use();
    await addOperator(us);
    await enablePrimary(us);
    await eu.put('sys/policies/acl/own', policy);
    return issueToken(us, 'eu');
  }

  const enable = (api: Api, token: string) => () => api.post(`${calls}/secondary/enable`, { token });

  it('a crash at token-unwrapped leaves the cluster unchanged, and the token used up', async () => {
    const { eu } = use();
    const token = await joining();
    await crashing('eu', 'token-unwrapped', enable(eu, token));
    expect(await status(eu)).toEqual({ mode: 'disabled' });
    expect((await eu.get('sys/policies/acl/own')).status).toBe(200);
    expect((await enable(eu, token)()).status).toBe(500);
  });

  it.each(['secondary-enabled', 'storage-wiped', 'merkle-diffed', 'half-synced', 'merkle-synced'] as const)(
    'the join continues after a crash at %s',
    async (step) => {
      const { us, eu } = use();
      await crashing('eu', step, enable(eu, await joining()));
      expect(await status(eu)).toMatchObject({
        mode: 'secondary',
        state: 'stream-wals',
        connection_state: 'ready',
      });
      expect((await status(eu)).merkle_root).toBe((await status(us)).merkle_root);
      const inEu = await asOperator(eu);
      expect((await inEu.get('sys/policies/acl/own')).status).toBe(404);
      expect((await eu.get('auth/token/lookup-self')).status).toBe(403);
    },
  );
});

describe('a crash of a secondary', () => {
  it.each([
    ['secondary-promoted', 'secondary/promote', { mode: 'primary' }],
    ['secondary-disabled', 'secondary/disable', { mode: 'disabled' }],
    ['primary-updated', 'secondary/update-primary', { mode: 'secondary', state: 'idle' }],
  ] as const)('a crash at %s leaves the new mode', async (step, call, after) => {
    const { secondary } = await joinedPair(use());
    await crashing('eu', step, () => secondary.post(`${calls}/${call}`));
    expect(await status(secondary)).toMatchObject(after);
  });

  it('a crash at key-generated loses the new key', async () => {
    const { secondary } = await joinedPair(use());
    await crashing('eu', 'key-generated', () => secondary.post(`${calls}/secondary/generate-public-key`));
    await expectStatus(secondary.post(`${calls}/secondary/generate-public-key`), 200);
  });

  it('tokens remain valid after a crash, and the secondary connects again', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.crash('eu');
    expect(await status(secondary)).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
    expect((await secondary.get('auth/token/lookup-self')).status).toBe(200);
    expect((await status(us)).secondaries).toHaveLength(1);
  });
});

describe('injected faults', () => {
  it('a fault makes the cluster crash before a request, or after it in place of the answer', async () => {
    const { us, emulator } = use();
    emulator.faults.inject({ cluster: 'us', path: 'sys/policies/acl/*', crash: 'before', count: 1 });
    await expect(us.put('sys/policies/acl/a', policy)).rejects.toThrow('socket hang up');
    expect((await us.get('sys/policies/acl/a')).status).toBe(404);
    emulator.faults.inject({ cluster: 'us', path: 'sys/policies/acl/*', crash: 'after', count: 1 });
    await expect(us.put('sys/policies/acl/a', policy)).rejects.toThrow('socket hang up');
    expect((await us.get('sys/policies/acl/a')).status).toBe(200);
  });

  it('the primary crashes while a secondary unwraps its token', async () => {
    const { us, eu, emulator } = use();
    await enablePrimary(us);
    const token = await issueToken(us, 'eu');
    emulator.faults.inject({ cluster: 'us', path: 'sys/wrapping/unwrap', crash: 'after', count: 1 });
    const answer = await eu.post(`${calls}/secondary/enable`, { token });
    expect([answer.status, answer.body.errors]).toEqual([
      500,
      [`error unwrapping secondary token: Post "${us.address}/v1/sys/wrapping/unwrap": EOF`],
    ]);
    expect((await eu.post(`${calls}/secondary/enable`, { token })).status).toBe(500);
  });
});

it('every step at which a cluster can crash is listed', async () => {
  const { us, eu, emulator } = use();
  const unknown = 'never' as CrashStep;
  expect(() => emulator.replication.crashAt('us', unknown)).toThrow(
    `step "never" is unknown; allowed are ${Object.keys(CRASH_STEPS).join(', ')}`,
  );
  emulator.replication.crashAt('us', 'token-issued');
  emulator.replication.crashAt('us', undefined);
  await enablePrimary(us);
  await join(us, eu, 'eu');
});
