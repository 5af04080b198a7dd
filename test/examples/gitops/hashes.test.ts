import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { EXAMPLE } from './support/pipelines';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('hashes');
  write('package-lock.json', JSON.stringify({ packages: { 'node_modules/tool': {} } }));
  write('node_modules/tool/index.js', 'tool');
  write('cdktf.out/stacks/a/cdk.tf.json', '{}');
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function hashes(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(EXAMPLE, 'hashes.mjs'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const PASSED = { status: 0, stdout: '', stderr: '' };
const REFUSED = {
  status: 1,
  stdout: '',
  stderr: expect.stringContaining('is not the hash and path') as string,
};

test('written files are listed for tar, and checked', () => {
  expect(hashes('write')).toEqual(PASSED);
  expect(hashes('list')).toEqual({
    ...PASSED,
    stdout: './cdktf.out/stacks/a/cdk.tf.json\n./node_modules/tool\n',
  });
  expect(hashes('check', '.')).toEqual(PASSED);
  write('node_modules/tool/index.js', 'another');
  expect(hashes('check', '.')).toEqual({
    status: 1,
    stdout: '',
    stderr:
      '. does not have what synth.sha256 says:\n  node_modules/tool\n' +
      'If the change is yours, run "npm run lock" and commit synth.sha256.\n',
  });
});

/**
 * Changes that a list of plain names and hashes would not show, because its text would be the same
 * before and after them.
 */
test.each<[string, () => void, () => void]>([
  [
    'a name with a line break and the text of the next line',
    () => {
      write('node_modules/tool/a', '1');
      write('node_modules/tool/b', '2');
    },
    () => {
      const listed = sha256('2');
      rmSync(join(folder, 'node_modules/tool/a'));
      rmSync(join(folder, 'node_modules/tool/b'));
      write(`node_modules/tool/a\n${listed}  b`, '1');
    },
  ],
  [
    'a link in place of a file whose content describes that link',
    () => write('node_modules/tool/a', 'link to index.js'),
    () => {
      rmSync(join(folder, 'node_modules/tool/a'));
      symlinkSync('index.js', join(folder, 'node_modules/tool/a'));
    },
  ],
  [
    'a file in place of a folder, whose content lists the files of that folder',
    () => write('node_modules/tool/a/b', '1'),
    () => {
      rmSync(join(folder, 'node_modules/tool/a'), { recursive: true });
      write('node_modules/tool/a', `${sha256('1')}  b\n`);
    },
  ],
])('%s is noticed', (_, make, change) => {
  make();
  expect(hashes('write')).toEqual(PASSED);
  expect(hashes('check', '.')).toEqual(PASSED);
  change();
  expect(hashes('check', '.')).toMatchObject({ status: 1 });
});

function sha256(text: string): string {
  return execFileSync('sha256sum', { input: text, encoding: 'utf8' }).slice(0, 64);
}

test.each(['cdktf.out/a\nb', 'cdktf.out/a\r', 'cdktf.out/\u001b[2J', 'cdktf.out/\u202e', 'cdktf.out/a\\b'])(
  'a synthesis with a file named %j is refused, and no list of hashes is written',
  (path) => {
    write(path, '');
    expect(hashes('write')).toEqual(REFUSED);
    expect(existsSync(join(folder, 'synth.sha256'))).toBe(false);
  },
);

test.each([
  '--checkpoint-action=exec=sh',
  '-C/',
  '/etc/passwd',
  'cdktf.out/../../x',
  'cdktf.out/./x',
  'cdktf.out',
  'cdktf.out/',
  'cdktf.out//x',
  'cdktf.outside/x',
  'node_modules/..',
  'package.json',
  'cdktf.out/a\u0000',
])('synth.sha256 with the path %j is refused', (path) => {
  write('synth.sha256', `${'0'.repeat(64)}  ${path}\n`);
  expect(hashes('list')).toEqual(REFUSED);
});

test.each(['github.yml', 'gitlab.yml'])(
  'tar packs and unpacks only the files that hashes.mjs lists in %s',
  (file) => {
    const commands = readFileSync(join(EXAMPLE, file), 'utf8').match(/^.*\btar -.*$/gm)!;
    const expected =
      /^ *(- |- run: )?node hashes\.mjs list \| tar -(czf stacks\.tgz|xzf stacks\.tgz -C synthesized) -T -$/;
    expect(commands.filter((command) => !expected.test(command))).toEqual([]);
    expect(commands.length).toBeGreaterThanOrEqual(2);
  },
);
