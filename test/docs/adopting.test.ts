import { startEmulator } from '../../src/emulator';
import { Api } from '../emulator/support/api';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const POLICY = { policy: 'path "secret/*" { capabilities = ["read"] }' };

test('the commands of docs/guides/adopting.md give the results that it shows', async () => {
  const terminal = new Terminal();
  const emulator = await startEmulator({ clusters: { us: 0, eu: 0 } });
  try {
    const [us, eu] = Object.values(emulator.clusters);
    const api = new Api(us!.address, us!.rootToken);
    for (const name of ['ops', 'app']) await api.put(`sys/policies/acl/${name}`, POLICY);

    await terminal.must('npm install cdktf-vault-admin');
    await follow('docs/guides/adopting.md', terminal, {
      replacements: {
        'https://us.example.com:8200': us!.address,
        'https://eu.example.com:8200': eu!.address,
        'US_TOKEN=...': `US_TOKEN=${us!.rootToken}`,
        'EU_TOKEN=...': `EU_TOKEN=${eu!.rootToken}`,
        'Plan: 219 to import': 'Plan: 2 to import',
      },
    });
    await terminal.must('terraform apply && terraform plan -detailed-exitcode');
  } finally {
    await emulator.close();
    await terminal.close();
  }
});
