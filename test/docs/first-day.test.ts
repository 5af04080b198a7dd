import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator } from '../../src/emulator';
import { EXAMPLE } from '../examples/gitops/support/pipelines';
import { blocksOf } from './support/page';
import { expectPrinted } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/first-day.md';
const KEYS = 'Collect the keys of those who receive a share';

const hasGpg = spawnSync('gpg', ['--version']).status === 0;
if (!hasGpg)
  console.warn('NOT TRIED: the guide of the first day from its first line, for "gpg" is not in the PATH');

let emulator: Emulator;
let terminal: Terminal;
beforeEach(async () => {
  emulator = await startEmulator({ clusters: { us: 0 }, uninitialized: 'shamir' });
  terminal = new Terminal();
  for (const file of ['first-day.json', 'plan.hcl', 'apply.hcl', 'restore.hcl'])
    copyFileSync(join(EXAMPLE, file), join(terminal.home, file));
});
afterEach(async () => {
  await terminal.run('gpgconf --kill gpg-agent || true');
  await terminal.close();
  await emulator.close();
});

const blocks = blocksOf(PAGE).filter(({ language }) => language === 'sh' || language === 'text');
const [starting, ...rest] = blocks;

test('the page starts an emulator, and shows what both runs print', () => {
  expect(starting!.text.trim()).toBe('npx cdktf-vault-admin emulator --cluster us=8200 --uninitialized');
  expect(rest.map(({ language }) => language)).toEqual(['sh', 'sh', 'text', 'sh', 'text']);
});

// The commands of the page need gpg.
if (hasGpg)
  test('the commands of the page with gpg give a cluster with a login and without a root token', async () => {
    await terminal.must('npm install cdktf-vault-admin');
    for (const name of ['ann', 'bob', 'eve'])
      await terminal.must(`gpg --quiet --batch --passphrase '' --quick-generate-key ${name}@example.com`);
    let printed = { code: 0 as number | null, text: '' };
    const codes: (number | null)[] = [];
    for (const { language, text, heading } of rest) {
      if (language === 'text') {
        expectPrinted(printed.text, text);
        continue;
      }
      printed = await terminal.run(text.replace('http://127.0.0.1:8200', emulator.clusters.us!.address));
      codes.push(printed.code);
      expect(heading === KEYS ? printed.text : '').toBe('');
    }
    // The first run gives the shares to their owners.
    expect(codes).toEqual([0, 1, 0]);
    const { text } = await terminal.run('cat us.init.json');
    expect(text).not.toContain('root_token');
  });
