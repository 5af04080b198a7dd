import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPair, type Pair } from '../cli/support/pair';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/pictures.md';

let pair: Pair;

beforeEach(async () => {
  pair = await startPair();
});
afterEach(() => pair.emulator.close());

test('following it to the letter draws what it says', async () => {
  const terminal = new Terminal();
  try {
    await terminal.must('npm install cdktf-vault-admin');
    await follow(PAGE, terminal, {
      replacements: {
        'https://us.example.com:8200': pair.us.address,
        'https://eu.example.com:8200': pair.eu.address,
        'US_TOKEN=...': `US_TOKEN=${pair.env.VAULTADMIN_US_TOKEN}`,
      },
    });
    const written = (name: string) => readFileSync(join(terminal.folder, name), 'utf8');
    expect(written('replication.svg')).toMatch(/^<svg [^]*>deny us-only\/<[^]*<\/svg>\n$/);
    expect(written('replication.md')).toMatch(
      /^```mermaid\nflowchart LR\n[^]*\|"deny us-only\/"\|[^]*\n```\n$/,
    );
  } finally {
    await terminal.close();
  }
});
