import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProgressLine } from '../../../src/cli/output/progress';
import type * as ProgressModule from '../../../src/cli/output/progress';
import { vaultAdminAlone } from '../support/cli';

const CLEAR = '\r\u001b[K';

/** Returns the text that is written to a stream with these properties. */
function written(facts: { isTTY: boolean; columns: number }, use: (progress: ProgressLine) => void): string {
  let text = '';
  use(new ProgressLine({ ...facts, write: (chunk: string | Uint8Array) => (text += String(chunk)) !== '' }));
  return text;
}

test('progress is one line on a terminal, which is removed in the end', () => {
  const text = written({ isTTY: true, columns: 80 }, (progress) => {
    progress.say('reading us');
    progress.end();
  });
  expect(text).toBe(`${CLEAR}reading us${CLEAR}`);
});

test('the line of progress does not change faster than it can be read', () => {
  const text = written({ isTTY: true, columns: 80 }, (progress) => {
    progress.say('reading: 1 of 9');
    progress.say('reading: 2 of 9');
  });
  expect(text).toBe(`${CLEAR}reading: 1 of 9`);
});

test('the line of progress fits into a narrow terminal', () => {
  const text = written({ isTTY: true, columns: 8 }, (progress) => progress.say('reading us'));
  expect(text).toBe(`${CLEAR}reading`);
});

test('progress is not written if the stream is not a terminal', () => {
  const text = written({ isTTY: false, columns: 80 }, (progress) => {
    progress.say('reading us');
    progress.end();
  });
  expect(text).toBe('');
});

/** The files that show progress, with the command of each. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  'adopt/adopt.ts': ['adopt'],
  'doctor/run-doctor.ts': ['doctor'],
  'policy/audit/from-audit.ts': ['policy', 'from-audit'],
  'status/show-status.ts': ['status'],
  'status/unmanaged.ts': ['status'],
  'verify/run-verify.ts': ['verify'],
};

test('every command that shows progress has --quiet', async () => {
  const folder = join(__dirname, '..', '..', '..', 'src', 'cli');
  const users = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && /\bwithProgress\(/.test(readFileSync(join(folder, file), 'utf8')),
  );
  expect(users.filter((file) => file !== 'output/progress.ts').sort()).toEqual(Object.keys(SHOWN_BY));
  for (const command of Object.values(SHOWN_BY)) {
    const { stdout } = await vaultAdminAlone([...command, '--help'], {});
    expect(stdout).toMatch(/^ {2}--quiet +print no progress, only results and errors$/m);
  }
});

test('--quiet may be combined with other options', async () => {
  const { code, stdout, stderr } = await vaultAdminAlone(['doctor', '--quiet', '--json'], {});
  expect(stderr).toBe('');
  expect({ code, isJson: typeof JSON.parse(stdout) }).toEqual({
    code: expect.any(Number) as number,
    isJson: 'object',
  });
});

test('progress is not written after it was silenced', () => {
  jest.resetModules();
  const { ProgressLine: Silenced, silenceProgress } = jest.requireActual<typeof ProgressModule>(
    '../../../src/cli/output/progress',
  );
  silenceProgress();
  let text = '';
  const stream = {
    isTTY: true,
    columns: 80,
    write: (chunk: string | Uint8Array) => (text += String(chunk)) !== '',
  };
  const progress = new Silenced(stream);
  progress.say('reading us');
  progress.end();
  expect(text).toBe('');
});
