import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { policyTexts } from '../../../src/cli/policy/policy-texts';
import { policiesAt } from '../../../src/cli/policy/sources/files';
import { PolicySet } from '../../../src/policy';

const POLICY = 'path "a" {\n  capabilities = ["read"]\n}\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  writeFileSync(join(folder, 'good.hcl'), POLICY);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const READERS: readonly [string, (path: string) => readonly { readonly text: string }[]][] = [
  ['check and fmt', (path) => policyTexts([path])],
  ['lint, list and diff', policiesAt],
];

describe.each(READERS)('%s', (_, read) => {
  const texts = (path: string) => read(path).map(({ text }) => text);

  test.each<[string, (path: string) => void]>([
    ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
    ['a device', (path) => symlinkSync('/dev/zero', path)],
    ['a link to nothing', (path) => symlinkSync('nowhere', path)],
    ['a link to itself', (path) => symlinkSync(path, path)],
    ['a folder', (path) => mkdirSync(path)],
    ['a link to the folder', (path) => symlinkSync('.', path)],
  ])('%s in a folder is passed over', (_what, plant) => {
    plant(join(folder, 'planted.hcl'));
    expect(texts(folder)).toEqual([POLICY]);
  });

  test('a file without end, and one of more than 32 MiB, are refused', () => {
    symlinkSync('/dev/zero', join(folder, 'zero.hcl'));
    expect(() => read(join(folder, 'zero.hcl'))).toThrow(
      /zero\.hcl cannot be read: the file has more than 32 MiB$/,
    );
    writeFileSync(join(folder, 'large.hcl'), '# ');
    truncateSync(join(folder, 'large.hcl'), 10 * 1024 ** 3);
    expect(() => read(join(folder, 'large.hcl'))).toThrow(
      /large\.hcl cannot be read: the file has more than 32 MiB$/,
    );
  });
});

test('a set for tests passes over pipes as well', () => {
  execFileSync('mkfifo', [join(folder, 'pipe.hcl')]);
  expect(PolicySet.of(folder).allows('read', 'a')).toBe(true);
});
