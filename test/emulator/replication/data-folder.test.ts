import { cpSync, rmSync } from 'node:fs';
import { temporaryFolder } from '../../support/temporary-folder';
import { asOperator, calls, joinedPair, startSet, status } from './support/set';

const policy = { policy: 'path "a" {}' };
let folder: string;
beforeEach(() => {
  folder = temporaryFolder('replication-data');
});

it('replication continues after a restart, even if the ports have changed', async () => {
  const first = await startSet({ dataFolder: folder });
  await joinedPair(first);
  await first.us.post(`${calls}/primary/paths-filter/eu`, { mode: 'deny', paths: ['kv/'] });
  const [ofPrimary, ofSecondary] = [await status(first.us), await status(first.eu)];
  await first.emulator.close();

  const second = await startSet({ dataFolder: folder });
  expect(await status(second.us)).toMatchObject({
    cluster_id: ofPrimary.cluster_id,
    last_performance_wal: ofPrimary.last_performance_wal,
    merkle_root: ofPrimary.merkle_root,
    secondaries: [{ node_id: 'eu', connection_status: 'connected', api_address: second.eu.address }],
  });
  expect(await status(second.eu)).toMatchObject({
    state: 'stream-wals',
    connection_state: 'ready',
    primary_cluster_addr: ofSecondary.primary_cluster_addr,
    primaries: [{ api_address: second.us.address }],
  });
  await second.us.put('sys/policies/acl/after', policy);
  const inEu = await asOperator(second.eu);
  expect((await inEu.get('sys/policies/acl/after')).status).toBe(200);
  expect((await second.us.get(`${calls}/primary/paths-filter/eu`)).status).toBe(200);
  expect(second.emulator.clusters.eu?.unsealKey).toBe(second.emulator.clusters.us?.unsealKey);
  await second.emulator.close();
});

it('writes that a stopped secondary has missed arrive after its start', async () => {
  const first = await startSet({ dataFolder: folder });
  await joinedPair(first);
  first.emulator.replication.partition('us', 'eu');
  await first.us.put('sys/policies/acl/missed', policy);
  await first.emulator.close();
  const second = await startSet({ dataFolder: folder });
  expect((await (await asOperator(second.eu)).get('sys/policies/acl/missed')).status).toBe(200);
  expect((await status(second.eu)).merkle_root).toBe((await status(second.us)).merkle_root);
  await second.emulator.close();
});

it('the replication set is on disk before the answer, in case the process is killed', async () => {
  const running = await startSet({ dataFolder: folder });
  await joinedPair(running);
  const copy = `${folder}-copy`;
  cpSync(folder, copy, { recursive: true });
  await running.emulator.close();
  const second = await startSet({ dataFolder: copy });
  expect(await status(second.us)).toMatchObject({ mode: 'primary', known_secondaries: ['eu'] });
  expect(await status(second.eu)).toMatchObject({ state: 'stream-wals', connection_state: 'ready' });
  expect((await status(second.eu)).merkle_root).toBe((await status(second.us)).merkle_root);
  await second.emulator.close();
  rmSync(copy, { recursive: true });
});
