import { serverFlavour, readSnapshot } from '../../../src/emulator';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalTarget } from '../../../src/emulator/auto-snapshots/targets/local';
import { useEmulator } from '../support/emulator';
import { configs, filesIn, hour, localConfig, pass, statusOf, useFolder } from './support';

const use = useEmulator();
const folder = useFolder();

beforeAll(() => use().emulator.clock.freeze());
afterEach(async () => {
  const { api } = use();
  for (const name of (await api.list(configs)).body.data?.keys ?? []) await api.delete(`${configs}/${name}`);
});

/** Returns the times in the names of files, in milliseconds of the clock. */
function timesIn(path: string, prefix = 'vault-snapshot'): number[] {
  return filesIn(path)
    .filter((name) => name.startsWith(`${prefix}-`))
    .map((name) => Math.floor(Number(name.slice(prefix.length + 1, -'.snap'.length)) / 1e6));
}

async function write(fields: object = {}, name = 'a') {
  const answer = await use().api.post(`${configs}/${name}`, localConfig(folder(), fields));
  expect(answer.status).toBe(204);
}

describe('snapshots in a local directory', () => {
  it('the first snapshot is written one interval after the configuration, and each further one after another interval', async () => {
    const { emulator, api } = use();
    const start = emulator.clock.now();
    await write({ retain: 5 });
    await pass(emulator, hour - 1);
    expect(filesIn(folder())).toEqual([]);
    await pass(emulator, 1);
    await pass(emulator, hour);
    expect(timesIn(folder())).toEqual([start + hour, start + 2 * hour]);
    const [, second = ''] = filesIn(folder());
    expect(second).toMatch(/^vault-snapshot-\d{19}\.snap$/);
    const at = (ms: number) => new Date(ms).toISOString().replace(/\.?0*Z$/, 'Z');
    expect(await statusOf(api, 'a')).toEqual({
      consecutive_errors: 0,
      last_snapshot_start: at(start + 2 * hour),
      last_snapshot_end: at(start + 2 * hour),
      last_snapshot_error: '',
      last_snapshot_url: `file://${folder()}/${second}`,
      next_snapshot_start: at(start + 3 * hour),
      snapshot_start: at(start + 2 * hour),
      snapshot_url: `file://${folder()}/${second}`,
    });
  });

  it('the number of kept snapshots is that of retain, also after the clock jumps', async () => {
    const { emulator } = use();
    const start = emulator.clock.now();
    await write({ retain: 3 });
    for (let hours = 1; hours <= 5; hours += 1) await pass(emulator, hour);
    expect(timesIn(folder())).toEqual([3, 4, 5].map((hours) => start + hours * hour));
    await pass(emulator, 1000 * hour + 1);
    expect(timesIn(folder())).toEqual([1003, 1004, 1005].map((hours) => start + hours * hour));
    await pass(emulator, hour);
    expect(timesIn(folder()).at(-1)).toBe(start + 1006 * hour);
  });

  it('retention does not delete other files', async () => {
    const { emulator } = use();
    const others = [
      'vault-snapshot-other-1700000000000000000.snap',
      'vault-snapshot-1.snap',
      'vault-snapshot.txt',
    ];
    for (const name of others) writeFileSync(join(folder(), name), '');
    const subfolder = 'vault-snapshot-1700000000000000000.snap';
    mkdirSync(join(folder(), subfolder));
    await write();
    await pass(emulator, hour);
    await pass(emulator, hour);
    expect(filesIn(folder())).toHaveLength(5);
    expect(filesIn(folder())).toEqual(expect.arrayContaining([...others, subfolder]));
    expect((await statusOf(use().api, 'a')).last_snapshot_error).toBe('');
  });

  it('configurations that share a directory and a prefix write one file each', async () => {
    const { emulator } = use();
    await write({ retain: 2 });
    await write({ retain: 2 }, 'b');
    await pass(emulator, hour);
    expect(filesIn(folder())).toHaveLength(2);
  });

  it('the files remain when the configuration is deleted, and no more are written', async () => {
    const { emulator, api } = use();
    await write();
    await pass(emulator, hour);
    await api.delete(`${configs}/a`);
    const before = filesIn(folder());
    expect(before).toHaveLength(1);
    await pass(emulator, 10 * hour);
    expect(filesIn(folder())).toEqual(before);
    expect((await api.get('sys/storage/raft/snapshot-auto/status/a')).status).toBe(404);
  });

  it('a new interval counts from the last attempt', async () => {
    const { emulator } = use();
    await write({ interval: '24h' });
    const start = emulator.clock.now();
    await pass(emulator, 2 * hour);
    await write({ interval: '3h' });
    await pass(emulator, hour);
    expect(timesIn(folder())).toEqual([start + 3 * hour]);
    await write({ interval: '10m' });
    await pass(emulator, hour / 6);
    expect(timesIn(folder())).toEqual([start + 3 * hour + hour / 6]);
  });

  it('a sealed cluster takes no snapshots', async () => {
    const { emulator, api } = use();
    await write();
    await api.put('sys/seal');
    await pass(emulator, hour);
    expect(filesIn(folder())).toEqual([]);
    await api.put('sys/unseal', { key: emulator.clusters.default?.unsealKey });
    await pass(emulator, hour);
    expect(filesIn(folder())).toHaveLength(1);
  });

  it('the control API answers a move of the clock only when the snapshots are written', async () => {
    const { api } = use();
    await write();
    expect((await api.post('/emulator/v1/clock/advance', { by: '1h' })).status).toBe(200);
    expect(filesIn(folder())).toHaveLength(1);
  });
});

describe('a snapshot', () => {
  it('the data of the cluster is only readable with its unseal key', async () => {
    const { emulator, api } = use();
    await api.put('sys/policies/acl/before', { policy: 'path "before" {}' });
    await write({ file_prefix: 'team' });
    await pass(emulator, hour);
    await api.put('sys/policies/acl/after', { policy: 'path "after" {}' });
    const [name = ''] = filesIn(folder());
    const file = join(folder(), name);
    const unsealKey = emulator.clusters.default?.unsealKey ?? '';
    const snapshot = await readSnapshot(readFileSync(file), unsealKey);
    const text = JSON.stringify(snapshot.entries);
    expect(text).toContain('path \\"before\\" {}');
    expect(text).not.toContain('path \\"after\\" {}');
    expect(snapshot.meta).toMatchObject({
      Version: 1,
      ClusterName: 'default',
      Index: snapshot.entries.length,
    });

    expect(name.startsWith('team-')).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const listed = execFileSync('tar', ['tzf', file], { encoding: 'utf8' });
    expect(listed).toBe('meta.json\nstate.bin\nSHA256SUMS\n');
    const state = execFileSync('tar', ['xzOf', file, 'state.bin'], { encoding: 'latin1' });
    expect(state).not.toContain('before');
    const otherKey = Buffer.alloc(32).toString('base64');
    await expect(readSnapshot(readFileSync(file), otherKey)).rejects.toThrow(
      'the unseal key does not belong to the cluster of the snapshot',
    );
  });

  it('a changed or incomplete snapshot is refused', async () => {
    const { emulator } = use();
    const unsealKey = emulator.clusters.default?.unsealKey ?? '';
    await write();
    await pass(emulator, hour);
    const [name = ''] = filesIn(folder());
    const tar = (...options: string[]) => execFileSync('tar', options, { cwd: folder() });
    tar('xzf', name);
    const read = () => readSnapshot(readFileSync(join(folder(), 'new.snap')), unsealKey);
    tar('czf', 'new.snap', 'meta.json', 'SHA256SUMS');
    await expect(read()).rejects.toThrow('the snapshot has no state.bin');
    tar('czf', 'new.snap', 'meta.json', 'SHA256SUMS', 'state.bin');
    expect((await read()).meta.ClusterName).toBe('default');
    writeFileSync(join(folder(), 'meta.json'), '{}');
    tar('czf', 'new.snap', 'meta.json', 'SHA256SUMS', 'state.bin');
    await expect(read()).rejects.toThrow("the snapshot's meta.json does not match SHA256SUMS");
  });

  it.each([
    ['is no archive', Buffer.from('text'), /^this is not a snapshot: /],
    ['is empty', Buffer.alloc(0), /^this is not a snapshot: /],
  ])('a snapshot that %s is refused', async (_, content, message) => {
    await expect(readSnapshot(content, '')).rejects.toThrow(message);
  });
});

describe('an attempt with a local directory fails', () => {
  it('an attempt fails if local_max_space is used up, and writes no file', async () => {
    const { emulator, api } = use();
    await write({ retain: 3 });
    await pass(emulator, hour);
    const [first = ''] = filesIn(folder());
    const { size } = statSync(join(folder(), first));
    writeFileSync(join(folder(), 'unrelated'), Buffer.alloc(10 * size));
    await write({ retain: 3, local_max_space: 2 * size + Math.floor(size / 2) });
    await pass(emulator, hour);
    await pass(emulator, hour);
    const before = filesIn(folder());
    expect(before).toHaveLength(3);
    const good = await statusOf(api, 'a');
    await pass(emulator, hour);
    const failed = await statusOf(api, 'a');
    expect(failed.consecutive_errors).toBe(2);
    expect(failed.last_snapshot_error).toMatch(
      /^not enough space for the snapshot: it needs \d+ bytes, the 2 existing snapshots use \d+, and local_max_space allows \d+$/,
    );
    expect(failed.last_snapshot_url).toBe(good.last_snapshot_url);
    expect(failed.snapshot_url).not.toBe(failed.last_snapshot_url);
    expect(filesIn(folder())).toEqual(before);

    await write({ retain: 3 });
    await pass(emulator, hour);
    expect(await statusOf(api, 'a')).toMatchObject({ consecutive_errors: 0, last_snapshot_error: '' });
  });

  it('an attempt fails if it would exceed local_max_space by one byte, and succeeds at the exact size', async () => {
    const name = (number: number) => `vault-snapshot-170000000000000000${number}.snap`;
    const target = new LocalTarget(
      {
        interval: 1,
        retain: 1,
        path_prefix: folder(),
        file_prefix: 'vault-snapshot',
        storage_type: 'local',
        local_max_space: 10,
      },
      serverFlavour('1.21.0+ent'),
    );
    await target.write(name(1), Buffer.alloc(4));
    await target.write(name(2), Buffer.alloc(6));
    await expect(target.write(name(3), Buffer.alloc(1))).rejects.toThrow(
      'not enough space for the snapshot: it needs 1 bytes, the 2 existing snapshots use 10, and local_max_space allows 10',
    );
    expect(filesIn(folder())).toEqual([name(1), name(2)]);
  });

  it('an attempt fails if the directory is missing, and succeeds once it exists', async () => {
    const { emulator, api } = use();
    const missing = join(folder(), 'missing');
    await write({ path_prefix: missing });
    await pass(emulator, hour);
    expect(await statusOf(api, 'a')).toMatchObject({
      consecutive_errors: 1,
      last_snapshot_error: `open ${missing}: no such file or directory`,
      last_snapshot_url: '',
    });
    rmSync(missing, { force: true });
    execFileSync('mkdir', [missing]);
    await pass(emulator, hour);
    expect(filesIn(missing)).toHaveLength(1);
    expect((await statusOf(api, 'a')).last_snapshot_error).toBe('');
  });

  it('an attempt fails if the path is a file', async () => {
    const { emulator, api } = use();
    const file = join(folder(), 'file');
    writeFileSync(file, '');
    await write({ path_prefix: file });
    await pass(emulator, hour);
    expect((await statusOf(api, 'a')).last_snapshot_error).toBe(`open ${file}: not a directory`);
  });

  it('an attempt fails if the directory is not writable', async () => {
    const { emulator, api } = use();
    await write({ path_prefix: '/proc' });
    await pass(emulator, hour);
    expect((await statusOf(api, 'a')).last_snapshot_error).toMatch(
      /^open \/proc\/\.vault-snapshot-\d+\.snap\.tmp: (no such file or directory|permission denied)$/,
    );
  });
});
