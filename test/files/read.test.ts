import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isPlainFile, readFileInPlace, readPlainFile, readToEnd } from '../../src/files';
import { temporaryFolder } from '../support/temporary-folder';

const MEBIBYTE = 1024 * 1024;
let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder('read-file');
  path = join(folder, 'file');
});

const reads: readonly [name: string, read: (path: string, longest: number) => Buffer | undefined][] = [
  ['readPlainFile', readPlainFile],
  ['readFileInPlace', readFileInPlace],
];

describe.each(reads)('%s', (_name, read) => {
  test('returns the content of a file of the allowed size', () => {
    writeFileSync(path, 'four');
    expect(read(path, 4)?.toString()).toBe('four');
  });

  test('refuses a file that is longer, with both sizes', () => {
    writeFileSync(path, 'fives');
    expect(() => read(path, 4)).toThrow('it has 5 bytes; allowed: at most 4 bytes');
    truncateSync(path, 2 ** 40);
    expect(() => read(path, 2 * MEBIBYTE)).toThrow('it has 1099511627776 bytes; allowed: at most 2 MiB');
  });

  test.each<[what: string, plant: () => void, reason: string]>([
    ['a pipe', () => execFileSync('mkfifo', [path]), 'it is neither a file nor a folder, not a file'],
    ['a folder', () => mkdirSync(path), 'it is a folder, not a file'],
  ])('refuses %s without waiting', (_what, plant, reason) => {
    plant();
    expect(() => read(path, MEBIBYTE)).toThrow(reason);
  });
});

test('readPlainFile follows a link to a file, and refuses one to a device', () => {
  writeFileSync(join(folder, 'target'), 'text');
  symlinkSync('target', path);
  expect(readPlainFile(path, MEBIBYTE).toString()).toBe('text');
  symlinkSync('/dev/zero', join(folder, 'zero'));
  expect(() => readPlainFile(join(folder, 'zero'), MEBIBYTE)).toThrow('neither a file nor a folder');
});

test('readPlainFile fails with the code of the file system if nothing is there', () => {
  expect(() => readPlainFile(path, MEBIBYTE)).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

test('readFileInPlace refuses a link, and returns undefined if nothing is there', () => {
  writeFileSync(join(folder, 'target'), 'text');
  symlinkSync('target', path);
  expect(() => readFileInPlace(path, MEBIBYTE)).toThrow('it is a link, not a file');
  expect(readFileInPlace(join(folder, 'missing'), MEBIBYTE)).toBeUndefined();
});

test('readToEnd stops after the limit, whatever size the system reports', () => {
  const zero = openSync('/dev/zero', 'r');
  try {
    expect(() => readToEnd(zero, 3 * MEBIBYTE)).toThrow('it has more than 3 MiB');
  } finally {
    closeSync(zero);
  }
  writeFileSync(path, 'x'.repeat(3 * MEBIBYTE));
  const file = openSync(path, 'r');
  try {
    expect(readToEnd(file, 3 * MEBIBYTE)).toHaveLength(3 * MEBIBYTE);
  } finally {
    closeSync(file);
  }
});

test('isPlainFile is false for a pipe and a folder, and true for a link whose target does not exist', () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  symlinkSync('missing', path);
  expect([join(folder, 'pipe'), folder, path].map(isPlainFile)).toEqual([false, false, true]);
});
