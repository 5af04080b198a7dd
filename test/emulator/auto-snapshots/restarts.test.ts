import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, readSnapshot, startEmulator } from '../../../src/emulator';
import { until } from '../../support/until';
import { Api } from '../support/api';
import { configs, filesIn, hour, localConfig, pass, statusOf, useFolder } from './support';

let running: Emulator[] = [];
afterEach(async () => {
  await Promise.all(running.map((emulator) => emulator.close()));
  running = [];
});
const folder = useFolder();

async function start(options: Parameters<typeof startEmulator>[0] = {}) {
  const emulator = await startEmulator({ rootToken: 'root', ...options });
  emulator.clock.freeze();
  running.push(emulator);
  const [cluster] = Object.values(emulator.clusters);
  return { emulator, api: new Api(cluster?.address ?? '', cluster?.rootToken) };
}

it('an emulator with a data folder continues its snapshots after a restart', async () => {
  const options = { dataFolder: join(folder(), 'data') };
  const first = await start(options);
  await first.api.post(`${configs}/a`, localConfig(folder(), { retain: 2, file_prefix: 's' }));
  await pass(first.emulator, hour + hour / 2);
  const before = await statusOf(first.api, 'a');
  await first.emulator.close();
  const files = () => filesIn(folder()).filter((name) => name.startsWith('s-'));
  expect(files()).toHaveLength(1);

  // The new emulator starts with the machine's clock, which is an hour and a half behind.
  const second = await start(options);
  expect(await statusOf(second.api, 'a')).toMatchObject({
    last_snapshot_url: before.last_snapshot_url,
    consecutive_errors: 0,
  });
  await pass(second.emulator, hour - 1000);
  expect(files()).toHaveLength(1);
  await pass(second.emulator, 1000);
  expect(files()).toHaveLength(2);
  await pass(second.emulator, hour);
  expect(files()).toHaveLength(2);
  expect((await second.api.get(`${configs}/a`)).body.data.retain).toBe(2);
});

it('attempts that were due while the emulator was stopped become one attempt', async () => {
  const options = { dataFolder: join(folder(), 'data') };
  const first = await start(options);
  await first.api.post(`${configs}/a`, localConfig(folder(), { retain: 9, file_prefix: 's' }));
  await first.emulator.close();

  const later = Date.now() + 10 * hour;
  const machine = jest.spyOn(Date, 'now').mockImplementation(() => later);
  const second = await start(options);
  await pass(second.emulator, 0);
  const files = () => filesIn(folder()).filter((name) => name.startsWith('s-')).length;
  expect(files()).toBe(1);
  await pass(second.emulator, hour - 1);
  expect(files()).toBe(1);
  await pass(second.emulator, 1);
  expect(files()).toBe(2);
  machine.mockRestore();
});

it('a new cluster that is restored from a snapshot has the data of the old one', async () => {
  const { emulator, api } = await start();
  await api.put('sys/policies/acl/kept', { policy: 'path "a" { capabilities = ["read"] }' });
  await api.put('sys/mounts/kv', { type: 'kv' });
  await api.put('kv/a', '{"big": 12345678901234567890}');
  await api.post(`${configs}/a`, localConfig(folder()));
  await pass(emulator, hour);
  await api.delete('sys/policies/acl/kept');
  const [file = ''] = filesIn(folder());
  const unsealKey = emulator.clusters.default?.unsealKey ?? '';
  const snapshot = await readSnapshot(readFileSync(join(folder(), file)), unsealKey);

  const restored = await start({
    clusters: { restored: 0 },
    rootToken: 'ignored',
    restore: { restored: snapshot },
  });
  expect(restored.emulator.clusters.restored).toMatchObject({ rootToken: 'root', unsealKey });
  expect((await restored.api.get('sys/policies/acl/kept')).body.data.policy).toContain('path "a"');
  expect((await restored.api.get('kv/a')).text).toContain('"big":12345678901234567890');
  await pass(restored.emulator, hour);
  expect(filesIn(folder())).not.toEqual([file]);
});

it('close waits for the running attempt, and leaves no incomplete files', async () => {
  const { emulator, api } = await start();
  await api.post(`${configs}/a`, localConfig(folder()));
  emulator.clock.advance(hour);
  await emulator.close();
  running = [];
  expect(filesIn(folder())).toEqual([expect.stringMatching(/^vault-snapshot-\d{19}\.snap$/)]);
});

it('snapshots are also taken in real time', async () => {
  const { emulator, api } = await start();
  emulator.clock.resume();
  await api.post(`${configs}/a`, localConfig(folder(), { interval: 1, retain: 2 }));
  await until(() => filesIn(folder()).length >= 1);
});
