import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../src/files';
import { temporaryFolder } from '../support/temporary-folder';

const made = (path: string, mode?: number): string | undefined => {
  try {
    makeFolder(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
};

test('missing folders are created with the mode, and existing ones stay as they are', () => {
  const folder = temporaryFolder('made');
  expect(made(join(folder, 'a/b'), 0o700)).toBeUndefined();
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
  expect(made(join(folder, 'a/b'), 0o755)).toBeUndefined();
  expect(statSync(join(folder, 'a/b')).mode & 0o777).toBe(0o700);
});

test('a file or a link in a circle in the place of a folder is an error', () => {
  const folder = temporaryFolder('made');
  writeFileSync(join(folder, 'file'), '');
  symlinkSync('circle', join(folder, 'circle'));
  expect(made(join(folder, 'file'))).toBe('EEXIST');
  expect(made(join(folder, 'file/below'))).toBe('ENOTDIR');
  expect(made(join(folder, 'circle/below'))).toBe('ELOOP');
});

(process.platform === 'linux' ? test : test.skip)(
  'a place in which the system creates no folders, although it exists, is an error',
  () => {
    expect(made('/proc/none/below')).toBe('ENOENT');
  },
);
