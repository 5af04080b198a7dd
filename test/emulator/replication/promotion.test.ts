import { calls, expectStatus, issueToken, joinedPair, status, useSet } from './support/set';
import type { Api } from '../support/api';

const use = useSet();
const promote = `${calls}/secondary/promote`;
const policy = { policy: 'path "a" {}' };

async function expectBehind(secondary: Api): Promise<void> {
  const answer = await secondary.post(promote);
  expect([answer.status, answer.body.errors]).toEqual([
    503,
    ['replication is still catching up, try again later or provide the "force" argument'],
  ]);
  expect((await status(secondary)).mode).toBe('secondary');
}

describe('a promotion', () => {
  it('waits for what the primary has written', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.pause('eu');
    await us.put('sys/policies/acl/late', policy);
    await expectBehind(secondary);
    emulator.replication.resume('eu');
    await expectStatus(secondary.post(promote), 200);
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(200);
  });

  it('is refused where the primary is gone without a word, since nobody knows what it wrote', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.partition('us', 'eu');
    await us.put('sys/policies/acl/late', policy);
    await expectBehind(secondary);
    emulator.replication.heal();
    await expectStatus(secondary.post(promote), 200);
  });

  it('is refused for ever where the primary was demoted before all had arrived', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.pause('eu');
    await us.put('sys/policies/acl/late', policy);
    await us.post(`${calls}/primary/demote`);
    emulator.replication.resume('eu');
    await expectBehind(secondary);
    // The way out that loses nothing.
    await expectStatus(us.post(promote), 200);
    await expectStatus(
      secondary.post(`${calls}/secondary/update-primary`, { token: await issueToken(us, 'eu2') }),
      200,
    );
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(200);
  });

  it('knows after a restart that nothing was missing when the primary was demoted', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    await us.post(`${calls}/primary/demote`);
    emulator.replication.crash('eu');
    await expectStatus(secondary.post(promote), 200);
  });
});

describe('a forced promotion', () => {
  it('loses what had not arrived, for good when the old primary comes back', async () => {
    const { us, eu, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.pause('eu');
    await us.put('sys/policies/acl/lost', policy);
    await us.put('sys/policies/acl/operator', { policy: 'path "nothing" {}' });
    await expectStatus(secondary.post(promote, { force: true }), 200);
    expect((await secondary.get('sys/policies/acl/lost')).status).toBe(404);
    expect((await us.get('sys/policies/acl/lost')).status).toBe(200);
    await secondary.put('sys/policies/acl/new', policy);

    emulator.replication.resume('eu');
    await us.post(`${calls}/primary/demote`);
    const token = await issueToken(secondary, 'us');
    await expectStatus(us.post(`${calls}/secondary/update-primary`, { token }), 200);
    expect((await us.get('sys/policies/acl/lost')).status).toBe(404);
    expect((await us.get('sys/policies/acl/new')).status).toBe(200);
    expect((await status(us)).merkle_root).toBe((await status(eu)).merkle_root);
    expect((await status(us)).last_remote_wal).toBe((await status(eu)).last_performance_wal);
  });

  it.each(['true', true])('is asked for by force = %p', async (force) => {
    const { emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.partition('us', 'eu');
    await expectStatus(secondary.post(promote, { force }), 200);
    expect((await status(secondary)).mode).toBe('primary');
  });
});
