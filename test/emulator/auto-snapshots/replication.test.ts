import { asOperator, joinedPair, useSet } from '../replication/support/set';
import { configs, filesIn, hour, localConfig, pass, statusOf, useFolder } from './support';

const use = useSet();
const folder = useFolder();

it('configurations are not replicated, and a new secondary loses its own', async () => {
  const { us, eu, emulator } = use();
  await us.post(`${configs}/us`, localConfig(folder(), { file_prefix: 'us' }));
  await eu.post(`${configs}/eu`, localConfig(folder(), { file_prefix: 'eu' }));
  const { secondary } = await joinedPair(use());
  expect((await secondary.list(configs)).status).toBe(404);
  await pass(emulator, hour);
  expect(filesIn(folder())).toEqual([expect.stringMatching(/^us-/)]);

  expect((await secondary.post(`${configs}/eu`, localConfig(folder(), { file_prefix: 'eu' }))).status).toBe(
    204,
  );
  expect((await us.list(configs)).body.data.keys).toEqual(['us']);
  await pass(emulator, hour);
  expect(filesIn(folder())).toEqual([expect.stringMatching(/^eu-/), expect.stringMatching(/^us-/)]);
  const again = await asOperator(use().eu);
  expect(await statusOf(again, 'eu')).toMatchObject({ consecutive_errors: 0 });
});

it('clusters can share a directory and a prefix', async () => {
  const { us, eu, emulator } = use();
  emulator.clock.freeze();
  for (const api of [us, eu]) await api.post(`${configs}/a`, localConfig(folder(), { retain: 2 }));
  await pass(emulator, hour);
  expect(filesIn(folder())).toHaveLength(2);
});

it('a restarted cluster takes each snapshot once', async () => {
  const { us, emulator } = use();
  await us.post(`${configs}/us`, localConfig(folder(), { retain: 5 }));
  emulator.replication.crash('us');
  await pass(emulator, hour);
  await pass(emulator, hour);
  expect(filesIn(folder())).toHaveLength(2);
});
