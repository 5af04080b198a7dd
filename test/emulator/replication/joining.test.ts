import {
  addOperator,
  asOperator,
  calls,
  enablePrimary,
  expectStatus,
  generateRoot,
  issueToken,
  join,
  joinedPair,
  status,
  useSet,
} from './support/set';

const use = useSet();
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const address = /^https:\/\/127\.0\.0\.1:\d+$/;
const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

describe('a primary', () => {
  it('the call to enable a primary returns a warning, and the status needs no token', async () => {
    const { us } = use();
    expect(await status(us)).toEqual({ mode: 'disabled' });
    const answer = await expectStatus(us.post(`${calls}/primary/enable`), 200);
    expect(answer.body).toMatchObject({
      data: null,
      warnings: [
        'This cluster is being enabled as a primary for replication. Vault will be unavailable for a brief period and will resume service shortly.',
      ],
    });
    const shown = await status(us);
    expect(shown).toEqual({
      mode: 'primary',
      state: 'running',
      cluster_id: expect.stringMatching(uuid) as string,
      primary_cluster_addr: '',
      known_secondaries: [],
      secondaries: [],
      last_wal: expect.any(Number) as number,
      last_performance_wal: expect.any(Number) as number,
      last_reindex_epoch: '0',
      merkle_root: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      corrupted_merkle_tree: false,
      last_corruption_check_epoch: '-62135596800',
      ssct_generation_counter: 0,
    });
    expect(shown.last_performance_wal).toBeGreaterThan(0);
    expect(shown.last_wal).toBeGreaterThan(shown.last_performance_wal);
  });

  it('the set has its own cluster id, shown in sys/replication/status and sys/health', async () => {
    const { us } = use();
    await enablePrimary(us, { primary_cluster_addr: 'https://lb.example.com:8201' });
    const performance = await status(us);
    expect(performance.primary_cluster_addr).toBe('https://lb.example.com:8201');
    const both = await expectStatus(us.as(undefined).get('sys/replication/status'), 200);
    expect(both.body.data).toEqual({ dr: { mode: 'disabled' }, performance });
    const health = (await us.as(undefined).get('sys/health')).body;
    expect(health).toMatchObject({ replication_performance_mode: 'primary', last_wal: performance.last_wal });
    expect(health.cluster_id).not.toBe(performance.cluster_id);
  });
});

describe('a new secondary', () => {
  it('the call to enable a secondary returns a warning, and the data of the primary arrives', async () => {
    const { us, eu } = use();
    await us.post('sys/mounts/kv', { type: 'kv', options: { version: '2' } });
    await us.post('kv/data/app', { data: { answer: '42' } });
    await addOperator(us);
    await enablePrimary(us);
    const token = await issueToken(us, 'eu');
    const answer = await expectStatus(eu.post(`${calls}/secondary/enable`, { token }), 200);
    expect(answer.body).toMatchObject({
      data: null,
      warnings: [
        'Vault has successfully found secondary information; it may take a while to perform setup tasks. Vault will be unavailable until these tasks and initial sync complete.',
      ],
    });
    const secondary = await asOperator(eu);
    expect((await secondary.get('kv/data/app')).body.data.data).toEqual({ answer: '42' });
  });

  it('the status of a secondary shows its position, and so does the status of the primary', async () => {
    const { us, eu } = use();
    await joinedPair(use());
    const [ofPrimary, ofSecondary] = [await status(us), await status(eu)];
    const beat = {
      connection_status: 'connected',
      last_heartbeat: expect.stringMatching(seconds) as string,
      last_heartbeat_duration_ms: '0',
      clock_skew_ms: '0',
      replication_primary_canary_age_ms: expect.stringMatching(/^\d{1,3}$/) as string,
    };
    const addresses = (cluster_address: string, api: string) => ({ api_address: api, cluster_address });
    const primaryAddress = ofSecondary.primary_cluster_addr as string;
    expect(primaryAddress).toMatch(address);
    expect(ofSecondary).toEqual({
      mode: 'secondary',
      state: 'stream-wals',
      connection_state: 'ready',
      cluster_id: ofPrimary.cluster_id,
      secondary_id: 'eu',
      primary_cluster_addr: primaryAddress,
      known_primary_cluster_addrs: [primaryAddress],
      primaries: [{ ...addresses(primaryAddress, us.address), ...beat }],
      last_remote_wal: ofPrimary.last_performance_wal,
      last_start: expect.stringMatching(seconds) as string,
      last_reindex_epoch: expect.stringMatching(/^\d{10}$/) as string,
      merkle_root: ofPrimary.merkle_root,
      corrupted_merkle_tree: false,
      last_corruption_check_epoch: '-62135596800',
      ssct_generation_counter: 0,
    });
    expect(ofPrimary.known_secondaries).toEqual(['eu']);
    expect(ofPrimary.secondaries).toEqual([
      {
        node_id: 'eu',
        ...addresses(expect.stringMatching(address) as unknown as string, eu.address),
        ...beat,
      },
    ]);
    const health = (await eu.as(undefined).get('sys/health')).body;
    expect(health.replication_performance_mode).toBe('secondary');
    expect(health).not.toHaveProperty('last_wal');
  });

  it('a cluster that joins loses its data, tokens and unseal key', async () => {
    const { us, eu, emulator } = use();
    await eu.post('sys/mounts/own', { type: 'kv' });
    await eu.post('own/secret', { a: '1' });
    await eu.put('sys/policies/acl/own', { policy: 'path "a" {}' });
    await eu.post('sys/namespaces/team');
    const before = emulator.clusters.eu?.unsealKey;
    const { secondary } = await joinedPair(use());
    expect((await eu.get('auth/token/lookup-self')).status).toBe(403);
    expect((await secondary.get('own/secret')).status).toBe(404);
    expect((await secondary.get('sys/policies/acl/own')).status).toBe(404);
    expect((await secondary.list('sys/namespaces')).status).toBe(404);
    expect((await secondary.get('sys/health')).body.cluster_name).toBe('eu');
    const { us: primary, eu: joined } = emulator.clusters;
    expect(joined?.unsealKey).toBe(primary?.unsealKey);
    expect(joined?.unsealKey).not.toBe(before);
    await expectStatus(secondary.put('sys/seal'), 204);
    expect((await eu.put('sys/unseal', { key: before })).status).toBe(400);
    await expectStatus(eu.put('sys/unseal', { key: primary?.unsealKey }), 200);
    expect(await status(eu)).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
    expect((await us.get('auth/token/lookup-self')).status).toBe(200);
  });

  it('a cluster keeps its data if the token is refused', async () => {
    const { eu } = use();
    await eu.put('sys/policies/acl/own', { policy: 'path "a" {}' });
    expect((await eu.post(`${calls}/secondary/enable`, { token: 'bad' })).status).toBe(400);
    expect((await eu.get('sys/policies/acl/own')).status).toBe(200);
    expect(await status(eu)).toEqual({ mode: 'disabled' });
  });

  it('several secondaries can join one primary', async () => {
    const { us, eu, ap } = use();
    await joinedPair(use());
    await join(us, ap, 'ap');
    await us.put('sys/policies/acl/late', { policy: 'path "a" {}' });
    for (const api of [eu, ap]) {
      expect((await (await asOperator(api)).get('sys/policies/acl/late')).status).toBe(200);
      expect((await status(api)).merkle_root).toBe((await status(us)).merkle_root);
    }
    expect((await status(us)).known_secondaries).toEqual(['eu', 'ap']);
  });

  it('the unseal key of the primary generates a root token', async () => {
    const { us, eu, emulator } = use();
    await enablePrimary(us);
    await join(us, eu, 'eu');
    const root = await generateRoot(eu, emulator.clusters.us?.unsealKey);
    await expectStatus(root.post(`${calls}/secondary/disable`), 200);
    expect(await status(eu)).toEqual({ mode: 'disabled' });
  });

  it('replication can be disabled before the first sync is complete', async () => {
    const { us, eu, emulator } = use();
    await enablePrimary(us, { primary_cluster_addr: 'https://lb.example.com:8201' });
    await join(us, eu, 'eu');
    const root = await generateRoot(eu, emulator.clusters.eu?.unsealKey);
    expect((await root.list('sys/policies/acl')).status).toBe(503);
    await expectStatus(root.post(`${calls}/secondary/disable`), 200);
    expect((await root.list('sys/policies/acl')).body.data.keys).toEqual(['default', 'root']);
  });

  it('a secondary waits if no primary answers at the cluster address of the token', async () => {
    const { us, eu } = use();
    await enablePrimary(us, { primary_cluster_addr: 'https://lb.example.com:8201' });
    await join(us, eu, 'eu');
    expect(await status(eu)).toMatchObject({
      mode: 'secondary',
      state: 'merkle-diff',
      connection_state: 'connecting',
      primary_cluster_addr: 'https://lb.example.com:8201',
      known_primary_cluster_addrs: ['https://lb.example.com:8201'],
      primaries: [],
      last_remote_wal: 0,
    });
    expect((await eu.as(undefined).get('sys/health')).body.replication_performance_mode).toBe(
      'bootstrapping',
    );
    expect((await eu.get('sys/policies/acl')).status).toBe(503);
  });
});
