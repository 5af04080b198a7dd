import fs, { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placePackage, replace } from '../../../constructs/placement/place-package';
import { packageHash } from '../../../constructs/placement/provider-package';

/** The functions of the file system that the placement of the provider calls. */
const OPERATIONS = [
  'lstatSync',
  'mkdirSync',
  'mkdtempSync',
  'readdirSync',
  'openSync',
  'fstatSync',
  'copyFileSync',
  'chmodSync',
  'symlinkSync',
  'readlinkSync',
  'renameSync',
  'rmSync',
] as const;

let folder: string;
// Some code of Node.js keeps the functions of the file system that it finds at its first use. This
// run loads that code before a test replaces the functions by spies.
beforeAll(() => {
  makeFolder();
  place(join(folder, 'out'));
  rmSync(folder, { recursive: true });
});
beforeEach(makeFolder);
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const OURS = join('plugins', 'vaultadmin');

function makeFolder(): void {
  folder = mkdtempSync(join(tmpdir(), 'at-once-'));
  fs.mkdirSync(join(folder, 'pack'));
  for (const name of ['provider', 'provider.js']) writeFileSync(join(folder, 'pack', name), name);
}

function place(out: string): void {
  const platforms = ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64'];
  const folders = Object.fromEntries(platforms.map((platform) => [platform, join(folder, 'pack')]));
  placePackage({ version: '1.0.0', folders }, out, join(out, OURS));
}

/**
 * Runs `run`, and calls `interrupt` before the operation on files with the number `moment`.
 *
 * @returns whether there was an operation with this number
 */
function interrupted(moment: number, run: () => void, interrupt: () => void): boolean {
  let count = 0;
  const spies = OPERATIONS.map((name) => {
    const original = fs[name] as (...args: unknown[]) => unknown;
    return jest.spyOn(fs, name).mockImplementation(((...args: unknown[]) => {
      if (++count === moment) interrupt();
      return original(...args);
    }) as never);
  });
  try {
    run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return count >= moment;
}

/**
 * Repeats a synthesis, and runs a second one within it, each time before another operation on
 * files. Returns the number of these operations.
 */
function atEachMoment(
  prepare: (out: string) => void,
  run: (out: string) => void,
  check: (out: string) => void,
) {
  for (let moment = 1; ; moment++) {
    const out = join(folder, `out${moment}`);
    fs.mkdirSync(out);
    prepare(out);
    const other = () => run(out);
    const wasInterrupted = interrupted(moment, () => run(out), other);
    check(out);
    if (!wasInterrupted) return moment - 1;
  }
}

function spoil(out: string): void {
  place(out);
  writeFileSync(join(out, OURS, '1.0.0', 'linux_amd64', 'provider'), 'spoilt');
}

test.each<[string, (out: string) => void]>([
  ['in a new folder', () => undefined],
  ['where the provider is placed already', place],
  ['in place of a changed provider', spoil],
  ['in place of a file', (out) => fs.mkdirSync(join(out, 'plugins')) ?? writeFileSync(join(out, OURS), '')],
])('two syntheses at the same time place one provider: %s', (_, prepare) => {
  const moments = atEachMoment(prepare, place, (out) => {
    expect(readdirSync(join(out, 'plugins'))).toEqual(['vaultadmin']);
    for (const platform of ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64']) {
      expect(packageHash(join(out, OURS, '1.0.0', platform))).toBe(packageHash(join(folder, 'pack')));
    }
  });
  expect(moments).toBeGreaterThan(15);
});

test('two syntheses at the same time write one lock file, which is never absent in between', () => {
  const lock = (out: string) => join(out, 'lock');
  const moments = atEachMoment(
    (out) => writeFileSync(lock(out), 'before'),
    (out) => {
      expect(fs.readFileSync(lock(out), 'utf8')).toMatch(/^(before|locked)$/);
      replace(lock(out), (file) => writeFileSync(file, 'locked'));
    },
    (out) => {
      expect(readdirSync(out)).toEqual(['lock']);
      expect(fs.readFileSync(lock(out), 'utf8')).toBe('locked');
    },
  );
  expect(moments).toBeGreaterThan(2);
});

test('a folder that another process creates again and again is an error of the synthesis', () => {
  const { renameSync } = fs;
  let renamed = 0;
  jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    renamed++;
    renameSync(from, to);
    if (from === join(folder, OURS)) fs.mkdirSync(join(folder, OURS, 'again'), { recursive: true });
  });
  spoil(folder);
  expect(() => place(folder)).toThrow(/^the vaultadmin provider cannot be placed: .*: ENOTEMPTY: /);
  expect(renamed).toBeGreaterThan(100);
  expect(readdirSync(join(folder, 'plugins'))).toEqual(['vaultadmin']);
});
