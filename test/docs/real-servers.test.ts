import { startEmulator } from '../../src/emulator';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/real-servers.md';

test('the commands of the page give the results that it shows', async () => {
  await using emulator = await startEmulator({ rootToken: 'root' });
  await using pair = await startEmulator({
    clusters: { us: 0, eu: 0 },
    rootToken: 'root',
    unavailableMs: 50,
  });
  // Snapshots are due sooner than the command takes.
  const clock = setInterval(() => pair.clock.advance(1_000), 500);
  const terminal = new Terminal();
  try {
    await terminal.must('npm install cdktf-vault-admin');
    await follow(PAGE, terminal, {
      replacements: {
        'https://vault.example.com:8200': emulator.clusters.default.address,
        'VAULT_TOKEN=...': 'VAULT_TOKEN=root',
        'https://us.test.example.com:8200': pair.clusters.us.address,
        'https://eu.test.example.com:8200': pair.clusters.eu.address,
        'US_TOKEN=...': 'US_TOKEN=root',
        'EU_TOKEN=...': 'EU_TOKEN=root',
      },
    });
  } finally {
    clearInterval(clock);
    await terminal.close();
  }
});
