/**
 * Tests that no secret is in the arguments of a process, because every user of a machine can read
 * them.
 */
import childProcess from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkTools } from '../../src/cli/doctor/check-tools';
import { withRevision } from '../../src/cli/policy/sources/git-revision';
import { sendRequest } from '../../src/cli/policy/http/send-request';

const spawned = jest.spyOn(childProcess, 'spawnSync');
const executed = jest.spyOn(childProcess, 'execFileSync');

const SECRET = 'canary-of-process-arguments';
const ROOT = join(__dirname, '..', '..');

beforeEach(() => {
  spawned.mockReset();
});

/** Makes every process that is started print a text and end. */
function answering(stdout: string): void {
  spawned.mockReturnValue({ pid: 1, output: [], stdout, stderr: '', status: 0, signal: null });
}

test('a request of a policy reaches the process that sends it on the standard input', () => {
  answering('{"status":200,"headers":{},"body":""}');
  sendRequest({
    method: 'POST',
    url: `https://user:${SECRET}@example.com/?token=${SECRET}`,
    headers: { authorization: `Bearer ${SECRET}` },
    body: SECRET,
    timeout: 1,
    retries: 0,
    verifiesCertificates: true,
  });
  expect(spawned).toHaveBeenCalledTimes(1);
  const [program, args, options] = spawned.mock.calls[0]!;
  expect([program, args]).toEqual([
    process.execPath,
    [join(ROOT, 'src', 'cli', 'policy', 'http', 'sender-process.js')],
  ]);
  expect((options?.input as string).split(SECRET)).toHaveLength(5);
});

test('doctor starts programs only to print their versions, whatever the environment contains', () => {
  answering('');
  checkTools({ VAULT_TOKEN: SECRET, TF_VAR_pin: SECRET }, true);
  expect(spawned.mock.calls.map(([program, args]) => [program, args])).toEqual([
    ['node', ['--version']],
    ['terraform', ['version', '-json']],
    ['tofu', ['version', '-json']],
  ]);
});

test('Git receives names of revisions and objects in its arguments, and no content of files', () => {
  executed.mockImplementation((_program, args) => (args!.includes('blob') ? SECRET : 'blob'));
  expect(withRevision('main:app.hcl', (path) => readFileSync(path, 'utf8'))).toBe(SECRET);
  expect(executed.mock.calls.map(([program, args]) => [program, args])).toEqual([
    ['git', ['cat-file', '-t', 'main:app.hcl']],
    ['git', ['rev-parse', '--verify', 'main:app.hcl']],
    ['git', ['cat-file', 'blob', 'blob']],
  ]);
});

test('no other code of the package starts processes', () => {
  const starting = ['src', 'constructs'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(folder, file))
      .filter((file) => file.endsWith('.ts') && !file.includes('generated'))
      .filter((file) =>
        /child_process|worker_threads|node:cluster/.test(readFileSync(join(ROOT, file), 'utf8')),
      ),
  );
  expect(starting.sort()).toEqual([
    'src/cli/doctor/check-tools.ts',
    'src/cli/policy/http/send-request.ts',
    'src/cli/policy/sources/git-revision.ts',
  ]);
});
