import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatAcl } from '../../../src/policy/format-acl';
import { policyTexts, policyTextsOfAllFiles } from '../../../src/cli/policy/policy-texts';
import { policiesAt } from '../../../src/cli/policy/sources/files';
import { PolicySet } from '../../../src/policy';
import { computingTime } from '../../support/computing-time';
import { temporaryFolder } from '../../support/temporary-folder';

const MAIN = join(__dirname, '..', '..', '..', 'lib', 'src', 'cli', 'main.js');
const POLICY = 'path "a" {\n  capabilities = ["read"]\n}\n';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('hostile');
  writeFileSync(join(folder, 'good.hcl'), POLICY);
});

const READERS: readonly [
  string,
  (path: string) => readonly { readonly text: string; readonly unreadable?: string }[],
][] = [
  ['check', (path) => policyTextsOfAllFiles([path])],
  ['fmt', (path) => policyTexts([path])],
  ['lint, list and diff', policiesAt],
];

describe.each(READERS)('files for %s', (_, read) => {
  const texts = (path: string) => read(path).map(({ text }) => text);

  test.each<[string, (path: string) => void]>([
    ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
    ['a device', (path) => symlinkSync('/dev/zero', path)],
    ['a folder', (path) => mkdirSync(path)],
    ['a link to the folder', (path) => symlinkSync('.', path)],
  ])('%s in a folder is ignored', (_what, plant) => {
    plant(join(folder, 'planted.hcl'));
    expect(texts(folder)).toEqual([POLICY]);
  });

  test.each<[string, (path: string) => void, string]>([
    ['a link to nothing', (path) => symlinkSync('nowhere', path), 'it does not exist'],
    ['a link to itself', (path) => symlinkSync(path, path), 'its links lead in a circle'],
    [
      'a text in Latin 1',
      (path) => writeFileSync(path, POLICY.replace('"a"', '"\xe4"'), 'latin1'),
      'the file is not UTF-8 text',
    ],
    [
      'random bytes that begin like a word',
      (path) => writeFileSync(path, Buffer.from('4bd2009f', 'hex')),
      'the file is not UTF-8 text',
    ],
  ])('%s in a folder is reported, and the other files are read', (_what, plant, why) => {
    const path = join(folder, 'planted.hcl');
    plant(path);
    const reason = why.endsWith('open') ? `${why} '${path}'` : why;
    expect(read(folder).map(({ text, unreadable }) => [text, unreadable])).toEqual([
      [POLICY, undefined],
      ['', reason],
    ]);
  });

  test('temporary files that an editor writes beside a file are ignored', () => {
    symlinkSync('me@host.1234', join(folder, '.#good.hcl'));
    symlinkSync('me@host.1234', join(folder, '.#good.tf'));
    expect(texts(folder)).toEqual([POLICY]);
  });

  test('a text that is not HCL but begins like HCL is read', () => {
    writeFileSync(join(folder, 'torn.hcl'), 'K\u0001\u0002');
    expect(texts(folder)).toEqual([POLICY, 'K\u0001\u0002']);
  });

  test('a file without end, and one of more than 32 MiB, are reported', () => {
    symlinkSync('/dev/zero', join(folder, 'zero.hcl'));
    const lengths = (name: string) =>
      read(join(folder, name)).map(({ text, unreadable }) => [text.length, unreadable]);
    const tooLarge = [[0, 'it has more than 32 MiB']];
    expect(lengths('zero.hcl')).toEqual(tooLarge);
    writeFileSync(join(folder, 'large.hcl'), '# ');
    truncateSync(join(folder, 'large.hcl'), 10 * 1024 ** 3);
    expect(lengths('large.hcl')).toEqual(tooLarge);
  });
});

test('a PolicySet of a folder ignores pipes as well', () => {
  execFileSync('mkfifo', [join(folder, 'pipe.hcl')]);
  expect(PolicySet.of(folder).allows('read', 'a')).toBe(true);
});

describe('files for policy test', () => {
  beforeEach(() => {
    writeFileSync(join(folder, 'p.sentinel'), 'main = rule { true }\n');
    mkdirSync(join(folder, 'test', 'p'), { recursive: true });
    writeFileSync(join(folder, 'test', 'p', 'a.hcl'), '');
  });
  const run = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'policy', 'test'], {
      cwd: folder,
      encoding: 'utf8',
      timeout: 240_000,
    });
    return { status, stdout: stdout.replace(/in \d+\.\d\d s/, 'in T s'), stderr };
  };

  test('pipes and devices among policies and tests are ignored', () => {
    for (const name of ['q.sentinel', 'test/p/b.hcl', 'test/p/c.json'])
      execFileSync('mkfifo', [join(folder, name)]);
    symlinkSync('/dev/zero', join(folder, 'r.sentinel'));
    expect(run()).toEqual({
      status: 0,
      stdout: 'PASS - p.sentinel\n  PASS - test/p/a.hcl\n1 test of 1 policy: 1 passed, 0 failed, in T s\n',
      stderr: '',
    });
  });

  test.each([
    ['q.sentinel', 'of more than 32 MiB', Buffer.alloc(32 * 1024 ** 2 + 1, '#'), 'it has more than 32 MiB'],
    ['q.sentinel', 'in Latin 1', Buffer.from('# \xe4', 'latin1'), 'the file is not UTF-8 text'],
    ['test/p/b.hcl', 'in Latin 1', Buffer.from('# \xe4', 'latin1'), 'the file is not UTF-8 text'],
  ])('the file %s %s is reported, and the other tests run', (name, _, content, why) => {
    writeFileSync(join(folder, name), content);
    const { status, stdout, stderr } = run();
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' });
    expect(stdout).toContain(`${name}:1:1: the file cannot be read: ${why}\n`);
    expect(stdout).toContain('  PASS - test/p/a.hcl\n');
  });

  test('the report names the link that leads to no file', () => {
    symlinkSync('nowhere', join(folder, 'q.sentinel'));
    const { status, stdout } = run();
    expect(status).toBe(2);
    expect(stdout).toContain('q.sentinel:1:1: the file cannot be read: it does not exist\n');
  });
});

test.each<[string, string, string]>([
  ['hcl', 'comments', `${'/**/'.repeat(100_000)}!`],
  ['hcl', 'signs of comments', `${'#'.repeat(100_000)}\n!`],
  ['hcl', 'expressions', `${'${a}'.repeat(100_000)}!`],
  ['tf', 'comments within a heredoc', `x = <<E\n{${'/**/'.repeat(100_000)}!\nE\n`],
  ['tf', 'comments that do not end', '/*'.repeat(200_000)],
  ['tf', 'blocks within each other', 'a "b" {\n'.repeat(50_000)],
  ['tf', 'texts in lines', '"a"\n'.repeat(100_000)],
  ['tf', 'texts in a line', '"a" '.repeat(100_000)],
  ['tf', 'lines of a heredoc', `x = <<-E\n${' a\n'.repeat(400_000)}E\n`],
])('a .%s file of many %s is read in bounded time', async (extension, _what, text) => {
  writeFileSync(join(folder, `planted.${extension}`), text);
  const took = await computingTime(() => policyTextsOfAllFiles([folder]));
  expect(took).toBeLessThan(20_000);
});

const LIST = 'path "a" {\n  capabilities = ["read"';
test.each<[string, string]>([
  ['escaped quotation marks in a comment', `/* ${'"\\'.repeat(500_000)} */\n${POLICY}`],
  ['spaces in a list', `${LIST}${' '.repeat(200_000)}/* x */]\n}\n`],
  ['attributes below one another', `path "a" {\n${attributes(30_000)}}\n`],
])('fmt writes %s in bounded time', async (_, text) => {
  const took = await computingTime(() => expect(formatAcl(text)).toContain('path "a"'));
  expect(took).toBeLessThan(20_000);
});

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => `  k${index} = ${index}\n`).join('');
}

test.each([
  ['a policy', 'main = rule{true}\n', 0, 'main = rule { true }\n', ''],
  [
    'bytes that are no text',
    Buffer.from('4bd2009f', 'hex'),
    2,
    '',
    'vault-admin: standard input cannot be read: the file is not UTF-8 text\n',
  ],
  [
    'more than 32 MiB',
    Buffer.alloc(32 * 1024 ** 2 + 1, '#'),
    2,
    '',
    'vault-admin: standard input cannot be read: it has more than 32 MiB\n',
  ],
])('fmt formats standard input: %s', (_what, input, status, stdout, stderr) => {
  expect(
    spawnSync(process.execPath, [MAIN, 'policy', 'fmt', '-'], { input, encoding: 'utf8' }),
  ).toMatchObject({ status, stdout, stderr });
});
