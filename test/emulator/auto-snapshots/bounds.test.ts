import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { SnapshotConfig } from '../../../src/emulator/auto-snapshots/store';
import { contentWithin, snapshotNames } from '../../../src/emulator/auto-snapshots/targets/target';
import { useEmulator } from '../support/emulator';
import { configs, loads } from './support';

const use = useEmulator();
const CONFIG: SnapshotConfig = {
  interval: 3600,
  retain: 1,
  path_prefix: 'p',
  file_prefix: 'vault-snapshot',
  storage_type: 'aws-s3',
};

test('an endless object is read up to the maximum size of a snapshot', async () => {
  const piece = Buffer.alloc(1024 * 1024);
  let given = 0;
  async function* endless() {
    for (; given < 10_000; given += 1) yield await Promise.resolve(piece);
  }
  await expect(contentWithin(endless())).rejects.toThrow('the object is too large for a snapshot');
  expect(given).toBe(256);
});

test('an endless list is read up to 10,000 objects', async () => {
  let given = 0;
  async function* endless() {
    for (; given < 1_000_000; given += 1) yield await Promise.resolve(`other-${given}`);
  }
  await expect(snapshotNames(CONFIG, endless())).rejects.toThrow('the service lists more than 10000 objects');
  expect(given).toBe(10_000);
});

test('a bucket that never stops sending does not keep a snapshot in the status loading', async () => {
  const { emulator, api } = use();
  // On a busy machine, the time limit of the download may be reached before the maximum size.
  const { signal } = new AbortController();
  const spy = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(signal);
  const piece = Buffer.alloc(4 * 1024 * 1024);
  let sent = 0;
  const server = createServer((_request, response) => {
    const more = () => {
      while (!response.destroyed && sent < 1024 * 1024 * 1024) {
        sent += piece.length;
        if (!response.write(piece)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await api.post(`${configs}/endless`, {
    interval: '1h',
    path_prefix: 'p',
    storage_type: 'aws-s3',
    aws_s3_bucket: 'b',
    aws_s3_region: 'r',
    aws_s3_endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    aws_s3_force_path_style: true,
    aws_access_key_id: 'a',
    aws_secret_access_key: 'b',
  });
  const url = 's3://b/p/vault-snapshot-1795665921006904125.snap';
  const { body } = await api.post('sys/storage/raft/snapshot-auto/snapshot-load/endless', { url });
  emulator.clock.advance(1_000);
  await emulator.clock.settled();
  const { data } = (await api.get(`${loads}/${body.data.snapshot_id as string}`)).body;
  server.closeAllConnections();
  server.close();
  spy.mockRestore();
  expect(data).toMatchObject({ status: 'error', error: 'the object is too large for a snapshot' });
  expect(sent).toBeLessThan(512 * 1024 * 1024);
});
