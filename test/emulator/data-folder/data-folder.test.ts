import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmulator } from '../../../src/emulator';
import { DataFolder } from '../../../src/emulator/data-folder';
import { temporaryFolder } from '../../support/temporary-folder';
import { Api } from '../support/api';

let folder: string;
let journal: string;
let warnings: string[];
beforeEach(() => {
  folder = temporaryFolder('data-folder');
  journal = join(folder, 'emulator.journal');
  warnings = [];
});
afterEach(() => jest.restoreAllMocks());

const openFolder = () => DataFolder.open(folder, (text) => warnings.push(text));

/** Writes values one after the other, and waits until each is on disk. */
async function write(...values: string[]): Promise<void> {
  const data = await openFolder();
  for (const value of values) {
    data.storage('s').put('key', value);
    await data.committed();
  }
  await data.close();
}

async function read(): Promise<unknown> {
  const data = await openFolder();
  const value = data.storage('s').get('key');
  await data.close();
  return value;
}

describe('a change in a data folder', () => {
  test('a committed change is on disk before the folder is closed', async () => {
    const data = await openFolder();
    const store = data.storage('s');
    expect(data.committed()).toBeUndefined();
    store.put('a/b', { big: 12345678901234567890n });
    store.put('dropped', 1);
    store.delete('dropped');
    data.storage('t').put('a', null);
    await data.committed();
    expect(data.committed()).toBeUndefined();

    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true });
    const other = await DataFolder.open(copy, (text) => warnings.push(text));
    expect(other.storage('s').entries()).toEqual([['a/b', { big: 12345678901234567890n }]]);
    expect(other.storage('t').entries()).toEqual([['a', null]]);
    await other.close();
    await data.close();
    rmSync(copy, { recursive: true });
    expect(warnings).toEqual([]);
  });

  test('changes of one turn of the event loop are one line, written once', async () => {
    const data = await openFolder();
    const handle = await open(journal, 'r');
    const sync = jest.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync');
    await handle.close();
    for (let count = 0; count < 100; count += 1) data.storage('s').put('key', count);
    data.storage('t').put('other', 'x');
    await data.committed();
    expect(sync).toHaveBeenCalledTimes(1);
    expect(readFileSync(journal, 'utf8').split('\n')[1]?.slice(9)).toBe('[["s","key",99],["t","other","x"]]');
    await data.close();
  });

  test('the journal is rewritten if most of it is outdated', async () => {
    const data = await openFolder();
    const store = data.storage('s');
    store.put('stays', 'x');
    for (let count = 0; count < 40; count += 1) {
      store.put('key', `${count}${'x'.repeat(1_000_000)}`);
      await data.committed();
    }
    expect(statSync(journal).size).toBeLessThan(20_000_000);
    expect(statSync(journal).mode & 0o777).toBe(0o600);
    await data.close();
    expect(readdirSync(folder)).toEqual(['emulator.journal']);
    const again = await openFolder();
    expect(again.storage('s').keys('')).toEqual(['key', 'stays']);
    expect(again.storage('s').get<string>('key')?.slice(0, 3)).toBe('39x');
    await again.close();
  });

  test('data of version 0.1.0 is converted', async () => {
    writeFileSync(join(folder, 'us.json'), '[["a/b",{"c":1}]]');
    const data = await openFolder();
    expect(data.storage('cluster/us').entries()).toEqual([['a/b', { c: 1 }]]);
    await data.close();
    rmSync(join(folder, 'us.json'));
    const again = await openFolder();
    expect(again.storage('cluster/us').get('a/b')).toEqual({ c: 1 });
    await again.close();
  });
});

describe('a journal', () => {
  test('an incomplete last line, wherever it was cut, is removed', async () => {
    await write('first');
    const whole = readFileSync(journal);
    await write('second');
    const longer = readFileSync(journal);
    for (let length = whole.length + 1; length < longer.length; length += 1) {
      writeFileSync(journal, longer.subarray(0, length));
      warnings = [];
      expect([length, await read()]).toEqual([length, 'first']);
      expect(warnings).toEqual([
        `${journal} ended with an incomplete write of ${length - whole.length} bytes, which was removed. ` +
          'The write had not been acknowledged.',
      ]);
      expect(readFileSync(journal).equals(whole)).toBe(true);
    }
  });

  test('a journal with an incomplete first line is new', async () => {
    await write();
    const header = readFileSync(journal);
    for (let length = 0; length < header.length; length += 1) {
      writeFileSync(journal, header.subarray(0, length));
      await write('kept');
      expect(await read()).toBe('kept');
    }
  });

  test('a journal that is damaged before its end is refused', async () => {
    await write('first', 'second');
    const content = readFileSync(journal, 'utf8');
    writeFileSync(journal, content.replace('first', 'fIrst'));
    await expect(openFolder()).rejects.toThrow(
      `${journal} is damaged at line 2, but later lines are intact: ` +
        'restore the file from a backup, or use another folder',
    );
  });

  test.each(['emulator.journal', 'us.json'])('another file is refused and not quoted: %s', async (name) => {
    writeFileSync(join(folder, name), 'canary-secret');
    const start = startEmulator({ dataFolder: folder, clusters: { us: 0 } });
    await expect(start).rejects.toThrow(
      `${join(folder, name)} does not hold data of the emulator: remove it, or use another folder`,
    );
    expect(readFileSync(join(folder, name), 'utf8')).toBe('canary-secret');
    expect(existsSync(join(folder, 'lock'))).toBe(false);
  });
});

describe('a data folder', () => {
  const refusal = () =>
    `the folder ${folder} is in use by the emulator with process id ${process.pid}: ` +
    'stop that emulator, or use another folder';

  test.each([
    ['is a file', [], 'EEXIST: file already exists, mkdir'],
    ['would be within a file', ['within'], 'ENOTDIR: not a directory, stat'],
  ])('a folder that %s is refused', async (_, below, why) => {
    const file = join(folder, 'file');
    writeFileSync(file, 'kept');
    const wanted = join(file, ...below);
    await expect(DataFolder.open(wanted, () => undefined)).rejects.toThrow(
      `the folder ${wanted} cannot be created: ${why} '${wanted}': remove what is in its place, or use another folder`,
    );
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });

  test('a folder can be used by one emulator at a time', async () => {
    const first = await openFolder();
    await expect(openFolder()).rejects.toThrow(refusal());
    await first.close();
    await (await openFolder()).close();
  });

  test.each([
    ['whose process has ended', { pid: 2 ** 22 + 1 }],
    ['whose process id is now that of another process', { started: '1' }],
    ['of a folder that was copied to this one', { folder: '/elsewhere' }],
  ])('a folder whose lock is a %s can be used', async (_, changed) => {
    const first = await openFolder();
    const lock = join(folder, 'lock');
    const held = JSON.parse(readFileSync(lock, 'utf8')) as object;
    writeFileSync(lock, JSON.stringify({ ...held, ...changed }));
    const second = await openFolder();
    await expect(openFolder()).rejects.toThrow(refusal());
    await second.close();
    await first.close();
  });

  test.each(['', 'not JSON', 'null'])('a folder with the lock %j can be used', async (text) => {
    writeFileSync(join(folder, 'lock'), text);
    await (await openFolder()).close();
  });
});

describe('a full disk', () => {
  const full = 'ENOSPC: no space left on device, write';
  const failure = () =>
    `${journal} cannot be written: ${full}; the emulator no longer accepts writes: ` +
    'free up space or correct the permissions, then restart it';

  test('a failed write and all later ones are refused, and reads continue', async () => {
    const options = {
      dataFolder: folder,
      rootToken: 'root',
      onWarning: (text: string) => warnings.push(text),
    };
    const emulator = await startEmulator(options);
    const api = new Api(emulator.clusters.default.address);
    await api.put('sys/policies/acl/before', { policy: 'path "a" {}' });

    const handle = await open(journal, 'r');
    const datasync = jest
      .spyOn(Object.getPrototypeOf(handle) as typeof handle, 'datasync')
      .mockRejectedValueOnce(new Error(full));
    await handle.close();
    const [one, two] = await Promise.all([
      api.put('sys/policies/acl/lost', { policy: 'path "a" {}' }),
      api.put('sys/policies/acl/lost-too', { policy: 'path "a" {}' }),
    ]);
    for (const answer of [one, two, await api.put('sys/policies/acl/later', { policy: 'path "a" {}' })]) {
      expect([answer.status, answer.body]).toEqual([500, { errors: [failure()] }]);
    }
    expect(datasync).toHaveBeenCalledTimes(1);
    expect((await api.get('sys/policies/acl/before')).status).toBe(200);
    expect((await api.list('sys/policies/acl')).status).toBe(200);
    expect((await api.get('sys/health')).status).toBe(200);
    expect(warnings).toEqual([failure()]);
    await emulator.close();

    const again = await startEmulator(options);
    expect((await new Api(again.clusters.default.address).get('sys/policies/acl/before')).status).toBe(200);
    await again.close();
  });
});
