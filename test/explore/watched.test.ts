/** The emulator agrees with the model: each of its steps is a step of the model. */
import { watched } from './watched';
import { step } from './model';
import { startClusters, type TestClusters } from '../provider/replication/set/support/clusters';
import { startInProcess } from '../provider/replication/set/support/wire';

const CALLS = 'sys/replication/performance';

/** Takes clusters through a switchover by hand, and returns the watcher's findings. */
async function switchedOver(model = step): Promise<ReturnType<typeof watched>> {
  let watching!: ReturnType<typeof watched>;
  const clusters = await startClusters(['us', 'eu'], {}, async (options) => {
    watching = watched(await startInProcess(options), {}, model);
    return watching;
  });
  await clusters.addOperators();
  await clusters.mountStore('us', 'kv');
  await clusters.ask('us', 'POST', `${CALLS}/primary/enable`);
  await follow(clusters, 'secondary/enable', { cluster: 'eu', primary: 'us' });
  clusters.emulator.replication.partition('us', 'eu');
  await clusters.write('us', 'kv/w1');
  clusters.emulator.replication.heal();
  await clusters.ask('us', 'POST', `${CALLS}/primary/demote`);
  await clusters.ask('eu', 'POST', `${CALLS}/secondary/promote`, {});
  await follow(clusters, 'secondary/update-primary', { cluster: 'us', primary: 'eu' });
  await clusters.emulator.close();
  return watching;
}

async function follow(
  clusters: TestClusters,
  call: string,
  { cluster, primary }: { readonly cluster: string; readonly primary: string },
): Promise<void> {
  const { data: key } = await clusters.ask(cluster, 'POST', `${CALLS}/secondary/generate-public-key`);
  const { data } = await clusters.ask(primary, 'POST', `${CALLS}/primary/secondary-token`, {
    id: cluster,
    ...key,
  });
  await clusters.ask(cluster, 'POST', `${CALLS}/${call}`, { token: data!.token });
  await clusters.status(cluster);
}

test('each step of a switchover by hand is compared, and is a step of the model', async () => {
  const { differences, compared } = await switchedOver();
  expect(differences).toEqual([]);
  const calls = ['enable-primary', 'enable-secondary', 'demote', 'promote', 'update-primary', 'cut', 'mend'];
  expect(calls.filter((kind) => !compared.has(kind))).toEqual([]);
});

test('a model whose demotion keeps the secondaries connected is found', async () => {
  const { differences } = await switchedOver((world, sent, assumed) => {
    const stepped = step(world, sent, assumed);
    return sent.request.kind === 'demote' ? { ...stepped, world } : stepped;
  });
  expect(differences[0]).toContain('"kind":"demote"');
});
