import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startVaultAdmin } from '../cli/support/cli';
import { startPair, type Pair } from '../cli/support/pair';
import { platform } from '../support/terraform';
import { blocksOf, ROOT, type Block } from './support/page';
import { follow } from './support/reader';

import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/pictures.md';

/** A stack with a set that lacks the paths filter which the clusters have. */
const STACK = `
terraform {
  required_providers {
    vaultadmin = { source = "vault-admin.internal/cdktf/vaultadmin" }
  }
}
provider "vaultadmin" {
  clusters = { us = {}, eu = {} }
}
resource "vaultadmin_perf_replication_set" "main" {
  primary     = "us"
  secondaries = { eu = { everything = true } }
}
`;

let pair: Pair;

beforeEach(async () => {
  pair = await startPair();
});
afterEach(() => pair.emulator.close());

test('the commands of the page draw the pictures that it describes', async () => {
  const terminal = new Terminal();
  try {
    await terminal.must('npm install cdktf-vault-admin');
    writeFileSync(join(terminal.folder, 'main.tf'), STACK);
    const plugins = 'terraform.d/plugins/vault-admin.internal/cdktf/vaultadmin/0.1.0';
    cpSync(join(ROOT, 'lib', 'provider'), join(terminal.folder, plugins, platform()), { recursive: true });
    await terminal.must('terraform init');
    await follow(PAGE, terminal, {
      passesOver: ({ language }) => language === 'text',
      replacements: {
        'https://us.example.com:8200': pair.us.address,
        'https://eu.example.com:8200': pair.eu.address,
        'US_TOKEN=...': `US_TOKEN=${pair.env.VAULTADMIN_US_TOKEN}`,
      },
    });
    const written = (name: string) => readFileSync(join(terminal.folder, name), 'utf8');
    const texts = [...written('plan.svg').matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(texts).toEqual(
      expect.arrayContaining([
        'not managed by Terraform yet',
        'remove the paths filter of secondary',
        'everything',
      ]),
    );
    expect(written('replication.svg')).toMatch(/^<svg [^]*>deny us-only\/<[^]*<\/svg>\n$/);
    expect(written('replication.md')).toMatch(
      /^```mermaid\n%%.*%%\nflowchart LR\n[^]*\|"deny us-only\/"\|[^]*\n```\n$/,
    );
  } finally {
    await terminal.close();
  }
});

test('the page is served at the address that is shown', async () => {
  const [{ text }] = blocksOf(PAGE).filter(({ language }) => language === 'text') as [Block];
  const child = startVaultAdmin(['status', '--public', '--web'], pair.env);
  try {
    const [printed] = (await once(child.stdout!, 'data')) as [Buffer];
    expect(printed.toString().replace(/:\d+\/\?token=[0-9a-f]{48} /, ':41287/?token=… ')).toBe(text);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
});
