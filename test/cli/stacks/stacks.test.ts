import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stacksIn } from '../../../src/cli/stacks/stacks';
import { temporaryFolder } from '../../support/temporary-folder';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder('stacks');
  mkdirSync(join(folder, 'stacks', 'one', 'texts'), { recursive: true });
  file = join(folder, 'stacks', 'one', 'cdk.tf.json');
});

test.each<[what: string, plant: (path: string) => void, reason: string]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path]), 'it is neither a file nor a folder, not a file'],
  [
    'a link to a device',
    (path) => symlinkSync('/dev/zero', path),
    'it is neither a file nor a folder, not a file',
  ],
  ['a folder', (path) => mkdirSync(path), 'it is a folder, not a file'],
  [
    'a sparse file of 1 TiB',
    (path) => {
      writeFileSync(path, '');
      truncateSync(path, 2 ** 40);
    },
    'it has 1099511627776 bytes; allowed: at most 256 MiB',
  ],
])('a stack, or a file with a text beside it, that is %s is an error', (_what, plant, reason) => {
  plant(file);
  const error = `${file} cannot be read: ${reason}; synthesize the app again`;
  expect(() => stacksIn(folder)).toThrow(error);

  rmSync(file, { recursive: true });
  const policy = '${file("${path.module}/texts/p.txt")}';
  writeFileSync(file, JSON.stringify({ resource: { vaultadmin_acl_policy: { p: { policy } } } }));
  plant(join(folder, 'stacks', 'one', 'texts', 'p.txt'));
  expect(() => stacksIn(folder)).toThrow(error);
});

test('a stack whose values are nested 20,000 levels deep is an error', () => {
  writeFileSync(file, `{"resource":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`);
  const reason = 'it is nested deeper than 1000 levels';
  expect(() => stacksIn(folder)).toThrow(`${file} cannot be read: ${reason}; synthesize the app again`);
});

test('a stack that a link leads to is read', () => {
  writeFileSync(join(folder, 'elsewhere.json'), '{"resource":{}}');
  symlinkSync(join(folder, 'elsewhere.json'), file);
  expect(stacksIn(folder)).toEqual([
    { name: 'one', folder: join(folder, 'stacks', 'one'), json: { resource: {} } },
  ]);
});
