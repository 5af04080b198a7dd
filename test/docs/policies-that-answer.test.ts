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

test('the identity of the page is one that templates are filled in for', async () => {
  const { text } = BLOCKS.find(({ language }) => language === 'json')!;
  writeFileSync(join(folder, 'jo.json'), text);
  writeFileSync(
    join(folder, 'templated.hcl'),
    'path "a/{{identity.entity.metadata.team}}/{{identity.groups.names.operators.id}}" { capabilities = ["read"] }',
  );
  const { stdout } = await vaultAdmin(
    ['policy', 'list', 'templated.hcl', '--identity', 'jo.json'],
    {},
    folder,
  );
  expect(stdout).toBe('a/red/c4a5cc4b-0a1b-7c1e-2c6f-5b1d2c0f7a11  read\n');
});
