import {
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

const use = useSet();
const policy = { policy: 'path "a" {}' };
const disabledWarning =
  'This cluster is having replication disabled. Vault will be unavailable for a brief period and will resume service shortly.';

describe('a disabled secondary', () => {
  it('a disabled secondary keeps its data and its tokens, and accepts writes', async () => {
    const { us, eu } = use();
    const { secondary } = await joinedPair(use());
    const answer = await expectStatus(secondary.post(`${calls}/secondary/disable`), 200);
    expect(answer.body.warnings).toEqual([disabledWarning]);
    expect(await status(eu)).toEqual({ mode: 'disabled' });
    expect((await status(us)).secondaries[0]).toMatchObject({
      node_id: 'eu',
      connection_status: 'disconnected',
    });
    await us.put('sys/policies/acl/later', policy);
    expect((await secondary.get('sys/policies/acl/later')).status).toBe(404);
    await expectStatus(secondary.put('sys/policies/acl/own', policy), 204);
    expect((await us.get('sys/policies/acl/own')).status).toBe(404);
    expect((await secondary.get('sys/policies/acl/operator')).status).toBe(200);
  });

  it('a disabled secondary remains known to the primary until its id is revoked', async () => {
    const { us } = use();
    const { secondary } = await joinedPair(use());
    await secondary.post(`${calls}/secondary/disable`);
    expect((await status(us)).known_secondaries).toEqual(['eu']);
    await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
    expect(await status(us)).toMatchObject({ known_secondaries: [], secondaries: [] });
  });

  it('a disabled secondary loses its data when it joins again', async () => {
    const { us, eu } = use();
    const { secondary } = await joinedPair(use());
    await secondary.post(`${calls}/secondary/disable`);
    await secondary.put('sys/policies/acl/own', policy);
    await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
    const token = await issueToken(us, 'eu');
    await expectStatus(secondary.post(`${calls}/secondary/enable`, { token }), 200);
    expect((await secondary.get('auth/token/lookup-self')).status).toBe(403);
    expect((await (await asOperator(eu)).get('sys/policies/acl/own')).status).toBe(404);
  });
});

describe('a disabled primary', () => {
  it('a disabled primary leaves its secondaries without a primary, and gets a new id when it is enabled again', async () => {
    const { us, eu } = use();
    await joinedPair(use());
    const { cluster_id } = await status(us);
    const answer = await expectStatus(us.post(`${calls}/primary/disable`), 200);
    expect(answer.body.warnings).toEqual([disabledWarning]);
    expect(await status(us)).toEqual({ mode: 'disabled' });
    expect((await us.get('sys/policies/acl/operator')).status).toBe(200);
    expect(await status(eu)).toMatchObject({ mode: 'secondary', connection_state: 'connecting', cluster_id });
    await enablePrimary(us);
    const again = await status(us);
    expect(again.cluster_id).not.toBe(cluster_id);
    expect(again.known_secondaries).toEqual([]);
    expect(await status(eu)).toMatchObject({ connection_state: 'connecting', cluster_id });
  });
});

describe('a revoked secondary', () => {
  it('the connection of a revoked secondary ends immediately, and it needs a new token to join again', async () => {
    const { us, eu, emulator } = use();
    const { secondary } = await joinedPair(use());
    await expectStatus(us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' }), 204);
    expect(await status(us)).toMatchObject({ known_secondaries: [], secondaries: [] });
    expect(await status(eu)).toMatchObject({ mode: 'secondary', connection_state: 'transient_failure' });
    emulator.replication.crash('eu');
    expect(await status(eu)).toMatchObject({ connection_state: 'transient_failure' });
    const write = await secondary.put('sys/policies/acl/p', policy);
    expect([write.status, write.body.errors]).toEqual([
      503,
      [
        `error forwarding the request to the primary: ${(await status(eu)).primary_cluster_addr} cannot be reached`,
      ],
    ]);
    const token = await issueToken(us, 'eu');
    expect(await status(eu)).toMatchObject({ connection_state: 'transient_failure' });
    await expectStatus(secondary.post(`${calls}/secondary/update-primary`, { token }), 200);
    expect(await status(eu)).toMatchObject({ connection_state: 'ready' });
  });

  it('other secondaries stay connected after a revocation', async () => {
    const { us, ap } = use();
    await joinedPair(use());
    await join(us, ap, 'ap');
    await us.post(`${calls}/primary/revoke-secondary`, { id: 'eu' });
    expect(await status(ap)).toMatchObject({ connection_state: 'ready' });
  });
});
