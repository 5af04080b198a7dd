import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Emulator } from '../../../src/emulator';
import type { Api } from '../support/api';

export const configs = 'sys/storage/raft/snapshot-auto/config';
export const statuses = 'sys/storage/raft/snapshot-auto/status';

export const hour = 3_600_000;

/** A folder of its own for every test of a file. */
export function useFolder(): () => string {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return () => folder;
}

export function localConfig(folder: string, fields: object = {}): object {
  return { interval: '1h', path_prefix: folder, storage_type: 'local', local_max_space: 1e9, ...fields };
}

/** Moves the clock, and waits for the snapshots that were due. */
export async function pass(emulator: Emulator, milliseconds: number): Promise<void> {
  emulator.clock.advance(milliseconds);
  await emulator.clock.settled();
}

export async function statusOf(api: Api, name: string) {
  return (await api.get(`${statuses}/${name}`)).body.data;
}

/** The names of the files in a folder, sorted. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder).sort();
}
