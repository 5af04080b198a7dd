import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { vaultAdmin } from '../cli/support/cli';
import { blocksOf } from './support/page';

const BLOCKS = blocksOf('docs/guides/policies-that-answer.md');
const COMMANDS = BLOCKS.filter(({ language }) => language === 'console').map(({ text }) =>
  /^\$ npx cdktf-vault-admin (.+)\n([\s\S]*)$/.exec(text)!,
);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'policies-'));
  for (const { language, leadIn, text } of BLOCKS) {
    const [, file] = /`([^`]+\.hcl)`:$/.exec(leadIn) ?? [];
    if (language !== 'hcl' || file === undefined) continue;
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every question has its command', () => {
  expect(COMMANDS.map(([, command]) => command?.split(' ')[1])).toEqual([
    'can',
    'why',
    'list',
    'diff',
    'lint',
    'upgrade',
  ]);
});

test.each(COMMANDS.map(([, command = '', output = '']) => [command, output]))(
  '%s',
  async (command, output) => {
    const { stdout, stderr } = await vaultAdmin(command.split(' '), {}, folder);
    expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' });
  },
);
