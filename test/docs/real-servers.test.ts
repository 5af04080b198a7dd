import { startEmulator } from '../../src/emulator';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/real-servers.md';

test('whoever follows it to the letter gets what it says', async () => {
  await using emulator = await startEmulator({ rootToken: 'root' });
  const terminal = new Terminal();
  try {
    await terminal.must('npm install cdktf-vault-admin');
    await follow(PAGE, terminal, {
      replacements: {
        'https://vault.example.com:8200': emulator.clusters.default.address,
        'VAULT_TOKEN=...': 'VAULT_TOKEN=root',
      },
    });
  } finally {
    await terminal.close();
  }
}, 60_000);
