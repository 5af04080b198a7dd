import { readdirSync } from 'node:fs';
import type { Emulator } from '../../../src/emulator';
import { temporaryFolder } from '../../support/temporary-folder';
import type { Api } from '../support/api';

export const configs = 'sys/storage/raft/snapshot-auto/config';
export const statuses = 'sys/storage/raft/snapshot-auto/status';

export const hour = 3_600_000;

/** Provides a new folder for every test of a file. */
export function useFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = temporaryFolder('snapshots');
  });
  return () => folder;
}

export function localConfig(folder: string, fields: object = {}): object {
  return { interval: '1h', path_prefix: folder, storage_type: 'local', local_max_space: 1e9, ...fields };
}

/** Advances the clock, and waits for the snapshots that were due. */
export async function pass(emulator: Emulator, milliseconds: number): Promise<void> {
  emulator.clock.advance(milliseconds);
  await emulator.clock.settled();
}

export async function statusOf(api: Api, name: string) {
  return (await api.get(`${statuses}/${name}`)).body.data;
}

export const loads = 'sys/storage/raft/snapshot-load';

/** Loads the last snapshot of a configuration by its URL, and unloads it when it is ready. */
export async function loadLast(emulator: Emulator, api: Api, name: string): Promise<void> {
  const { last_snapshot_url: url } = await statusOf(api, name);
  const { body } = await api.post(`sys/storage/raft/snapshot-auto/snapshot-load/${name}`, { url });
  expect(body.data).toMatchObject({ status: 'loading', auto_config_name: name, url });
  await pass(emulator, 1000);
  const id = body.data.snapshot_id as string;
  const { data } = (await api.get(`${loads}/${id}`)).body;
  expect({ error: '', ...data }).toMatchObject({ status: 'ready', error: '', url });
  expect((await api.delete(`${loads}/${id}`)).status).toBe(204);
}

/** Returns the names of the files in a folder, sorted. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder).sort();
}
