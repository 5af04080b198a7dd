import { asOperator, calls, expectStatus, issueToken, join, joinedPair, status, useSet } from './support/set';
import type { Api } from '../support/api';

const use = useSet();
const policy = { policy: 'path "a" {}' };

/**
 * Demotes `us` and promotes `eu`.
 *
 * @returns the operator in `eu`.
 */
async function switchOver(): Promise<Api> {
  const { us } = use();
  const { secondary } = await joinedPair(use());
  await expectStatus(us.post(`${calls}/primary/demote`), 200);
  await expectStatus(secondary.post(`${calls}/secondary/promote`), 200);
  return secondary;
}

describe('a demoted primary', () => {
  it('a demoted primary keeps its data, its tokens and the id of the set, and has no connections', async () => {
    const { us, eu } = use();
    await joinedPair(use());
    const { cluster_id } = await status(us);
    const answer = await expectStatus(us.post(`${calls}/primary/demote`), 200);
    expect(answer.body.warnings).toEqual([
      'This cluster is being demoted to a replication secondary. Vault will be unavailable for a brief period and will resume service shortly.',
    ]);
    expect(await status(us)).toMatchObject({
      mode: 'secondary',
      state: 'idle',
      connection_state: 'idle',
      cluster_id,
      secondary_id: '',
      primary_cluster_addr: '',
      known_primary_cluster_addrs: [],
      primaries: [],
    });
    expect((await us.get('sys/policies/acl/operator')).status).toBe(200);
    expect(await status(eu)).toMatchObject({ state: 'idle', connection_state: 'connecting' });
  });

  it('a demoted primary refuses writes, because it cannot forward them', async () => {
    const { us } = use();
    await joinedPair(use());
    await us.post(`${calls}/primary/demote`);
    const answer = await us.put('sys/policies/acl/p', policy);
    expect([answer.status, answer.body.errors]).toEqual([
      503,
      ['error forwarding the request to the primary: no primary is known'],
    ]);
    expect((await us.get('sys/policies/acl/p')).status).toBe(404);
  });

  it('a demoted primary can be promoted again', async () => {
    const { us } = use();
    await joinedPair(use());
    await us.post(`${calls}/primary/demote`);
    await expectStatus(us.post(`${calls}/secondary/promote`), 200);
    expect(await status(us)).toMatchObject({ mode: 'primary', known_secondaries: [] });
  });
});

describe('a promoted secondary', () => {
  it('a promoted secondary is the primary of the same set, without secondaries and filters', async () => {
    const { us, eu } = use();
    const { secondary } = await joinedPair(use());
    await us.post(`${calls}/primary/paths-filter/eu`, { mode: 'deny', paths: ['none/'] });
    const { cluster_id, last_performance_wal: last_wal } = await status(us);
    await us.post(`${calls}/primary/demote`);
    const answer = await expectStatus(
      secondary.post(`${calls}/secondary/promote`, { primary_cluster_addr: 'https://lb:8201' }),
      200,
    );
    expect(answer.body.warnings).toEqual([
      'This cluster is being promoted to a replication primary. Vault will be unavailable for a brief period and will resume service shortly.',
    ]);
    expect(await status(eu)).toMatchObject({
      mode: 'primary',
      state: 'running',
      cluster_id,
      primary_cluster_addr: 'https://lb:8201',
      known_secondaries: [],
      secondaries: [],
      last_performance_wal: last_wal,
    });
    expect((await secondary.get(`${calls}/primary/paths-filter/eu`)).status).toBe(404);
    await expectStatus(secondary.put('sys/policies/acl/p', policy), 204);
    expect((await status(eu)).last_performance_wal).toBe(last_wal + 1);
  });
});

describe('a planned switchover', () => {
  it('a planned switchover loses no data, and the old primary joins with a token', async () => {
    const { us, eu } = use();
    const newPrimary = await switchOver();
    await expectStatus(newPrimary.put('sys/policies/acl/after', policy), 204);
    const token = await issueToken(newPrimary, 'us');
    const answer = await expectStatus(us.post(`${calls}/secondary/update-primary`, { token }), 200);
    expect(answer.body).toMatchObject({ data: null, warnings: null });
    expect(await status(us)).toMatchObject({
      mode: 'secondary',
      state: 'stream-wals',
      connection_state: 'ready',
      secondary_id: 'us',
    });
    expect((await us.get('sys/policies/acl/after')).status).toBe(200);
    expect((await status(us)).merkle_root).toBe((await status(eu)).merkle_root);
    await expectStatus(us.put('sys/policies/acl/forwarded', policy), 204);
    expect((await newPrimary.get('sys/policies/acl/forwarded')).status).toBe(200);
  });

  it('a planned switchover moves the other secondaries with new tokens, also encrypted ones', async () => {
    const { us, eu, ap } = use();
    const { secondary: inEu } = await joinedPair(use());
    await join(us, ap, 'ap');
    const inAp = await asOperator(ap);
    await us.post(`${calls}/primary/demote`);
    await inEu.post(`${calls}/secondary/promote`);
    expect(await status(ap)).toMatchObject({ connection_state: 'connecting' });
    const key = (await inAp.post(`${calls}/secondary/generate-public-key`)).body.data
      .secondary_public_key as string;
    const request = { id: 'ap', secondary_public_key: key };
    const token = (await inEu.post(`${calls}/primary/secondary-token`, request)).body.data.token as string;
    await expectStatus(inAp.post(`${calls}/secondary/update-primary`, { token }), 200);
    expect(await status(ap)).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
    expect((await inAp.get('auth/token/lookup-self')).status).toBe(200);
    await inEu.put('sys/policies/acl/after', policy);
    expect((await inAp.get('sys/policies/acl/after')).status).toBe(200);
    expect((await status(eu)).known_secondaries).toEqual(['ap']);
  });

  it('a planned switchover is possible in both directions', async () => {
    const { us, eu } = use();
    const inEu = await switchOver();
    await us.post(`${calls}/secondary/update-primary`, { token: await issueToken(inEu, 'us') });
    await inEu.put('sys/policies/acl/second', policy);
    await expectStatus(inEu.post(`${calls}/primary/demote`), 200);
    await expectStatus(us.post(`${calls}/secondary/promote`), 200);
    await inEu.post(`${calls}/secondary/update-primary`, { token: await issueToken(us, 'eu') });
    expect((await us.get('sys/policies/acl/second')).status).toBe(200);
    expect((await status(eu)).merkle_root).toBe((await status(us)).merkle_root);
  });

  it('two clusters that are promoted at the same time each have writes of their own', async () => {
    const { us, eu } = use();
    const { secondary } = await joinedPair(use());
    await expectStatus(secondary.post(`${calls}/secondary/promote`), 200);
    expect([(await status(us)).mode, (await status(eu)).mode]).toEqual(['primary', 'primary']);
    expect((await status(us)).cluster_id).toBe((await status(eu)).cluster_id);
    expect((await status(us)).secondaries[0].connection_status).toBe('disconnected');
    await us.put('sys/policies/acl/in-us', policy);
    await secondary.put('sys/policies/acl/in-eu', policy);
    expect((await secondary.get('sys/policies/acl/in-us')).status).toBe(404);
    expect((await us.get('sys/policies/acl/in-eu')).status).toBe(404);
    // Making one of them a secondary again loses the writes that only it had.
    await us.post(`${calls}/primary/demote`);
    await us.post(`${calls}/secondary/update-primary`, { token: await issueToken(secondary, 'us') });
    expect((await us.get('sys/policies/acl/in-us')).status).toBe(404);
    expect((await us.get('sys/policies/acl/in-eu')).status).toBe(200);
  });
});

describe('a call of update-primary', () => {
  const update = `${calls}/secondary/update-primary`;

  it('either a token or addresses are accepted, and not both', async () => {
    const { secondary } = await joinedPair(use());
    const answer = await secondary.post(update, { token: '', update_primary_addrs: ['127.0.0.1:1'] });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [
        'change of the primary: update_primary_addrs conflicts with token; received ["127.0.0.1:1"]; allowed: one of token and update_primary_addrs; remove one of them: use addresses if those of the primary have changed, or a token for a different primary',
      ],
    ]);
  });

  it('a blank token removes the former primary', async () => {
    const { us, eu } = use();
    const { secondary } = await joinedPair(use());
    await expectStatus(secondary.post(update, { token: '' }), 200);
    expect(await status(eu)).toMatchObject({
      mode: 'secondary',
      state: 'idle',
      connection_state: 'idle',
      primary_cluster_addr: '',
      known_primary_cluster_addrs: [],
    });
    expect((await status(us)).secondaries[0].connection_status).toBe('disconnected');
    await us.put('sys/policies/acl/missed', policy);
    expect((await secondary.get('sys/policies/acl/missed')).status).toBe(404);
    await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
    await expectStatus(secondary.post(update, { token: await issueToken(us, 'eu') }), 200);
    expect((await secondary.get('sys/policies/acl/missed')).status).toBe(200);
  });

  it('the addresses are tried in order, and those that answer are kept', async () => {
    const { us, eu } = use();
    const { secondary } = await joinedPair(use());
    const known = (await status(eu)).primary_cluster_addr as string;
    const addresses = ['127.0.0.1:1', known.replace('https://', '')];
    await expectStatus(secondary.post(update, { update_primary_addrs: addresses }), 200);
    expect(await status(eu)).toMatchObject({
      state: 'stream-wals',
      connection_state: 'ready',
      known_primary_cluster_addrs: [known],
    });
    const before = await status(eu);
    const refused = await secondary.post(update, { update_primary_addrs: '127.0.0.1:1,127.0.0.1:2' });
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      ['no primary of this replication set answers at any of update_primary_addrs: 127.0.0.1:1, 127.0.0.1:2'],
    ]);
    expect(await status(eu)).toEqual({ ...before, primaries: expect.any(Array) as unknown });
    await us.put('sys/policies/acl/later', policy);
    expect((await secondary.get('sys/policies/acl/later')).status).toBe(200);
  });

  it('an address of a primary that issued no token to the secondary is refused', async () => {
    const { eu, ap } = use();
    const inEu = await switchOverWithThird();
    const inAp = await asOperator(ap);
    const address = (await issuedAddress(inEu)) as string;
    await expectStatus(inAp.post(update, { update_primary_addrs: [address] }), 200);
    expect(await status(ap)).toMatchObject({
      connection_state: 'transient_failure',
      known_primary_cluster_addrs: [address],
    });
    void eu;
  });

  it('a token of another set is refused, and changes nothing', async () => {
    const { us, eu, ap } = use();
    const { secondary } = await joinedPair(use());
    await ap.post(`${calls}/primary/enable`);
    const other = (await status(ap)).cluster_id as string;
    const answer = await secondary.post(update, { token: await issueToken(ap, 'eu') });
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [
        `the token belongs to another replication set, "${other}": disable replication and enable it with a token to join that one`,
      ],
    ]);
    expect(await status(eu)).toMatchObject({
      connection_state: 'ready',
      cluster_id: (await status(us)).cluster_id as string,
    });
  });
});

/** Joins `us`, `eu` and `ap` to one set, and makes `eu` its primary. */
async function switchOverWithThird(): Promise<Api> {
  const { us, ap } = use();
  const { secondary } = await joinedPair(use());
  await join(us, ap, 'ap');
  await us.post(`${calls}/primary/demote`);
  await secondary.post(`${calls}/secondary/promote`);
  return secondary;
}

/** Returns the cluster address in the activation tokens of a primary. */
async function issuedAddress(primary: Api): Promise<unknown> {
  const token = await issueToken(primary, 'probe');
  const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    jti: string;
  };
  return (await primary.as(jti).put('sys/wrapping/unwrap')).body.data.primary_cluster_addr;
}
