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
  it('a promotion waits for the writes of the primary', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.pause('eu');
    await us.put('sys/policies/acl/late', policy);
    await expectBehind(secondary);
    emulator.replication.resume('eu');
    await expectStatus(secondary.post(promote), 200);
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(200);
  });

  it('a promotion is refused if the primary was lost, because its last writes are unknown', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.partition('us', 'eu');
    await us.put('sys/policies/acl/late', policy);
    await expectBehind(secondary);
    emulator.replication.heal();
    await expectStatus(secondary.post(promote), 200);
  });

  it('a promotion is refused permanently if the primary was demoted before all writes had arrived', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.pause('eu');
    await us.put('sys/policies/acl/late', policy);
    await us.post(`${calls}/primary/demote`);
    emulator.replication.resume('eu');
    await expectBehind(secondary);
    // The old primary can be promoted again, which loses no data.
    await expectStatus(us.post(promote), 200);
    await expectStatus(
      secondary.post(`${calls}/secondary/update-primary`, { token: await issueToken(us, 'eu2') }),
      200,
    );
    expect((await secondary.get('sys/policies/acl/late')).status).toBe(200);
  });

  it('a promotion succeeds after a restart if no writes were missing at the demotion of the primary', async () => {
    const { us, emulator } = use();
    const { secondary } = await joinedPair(use());
    await us.post(`${calls}/primary/demote`);
    emulator.replication.crash('eu');
    await expectStatus(secondary.post(promote), 200);
  });
});

describe('a forced promotion', () => {
  it('a forced promotion loses the writes that had not arrived, also when the old primary joins again', async () => {
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

  it.each(['true', true])('a promotion with force = %p is forced', async (force) => {
    const { emulator } = use();
    const { secondary } = await joinedPair(use());
    emulator.replication.partition('us', 'eu');
    await expectStatus(secondary.post(promote, { force }), 200);
    expect((await status(secondary)).mode).toBe('primary');
  });
});
