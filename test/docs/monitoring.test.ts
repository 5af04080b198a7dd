import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPair, type Pair } from '../cli/support/pair';
import { vaultAdmin } from '../cli/support/cli';
import { blocksOf } from './support/page';
import { follow } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/monitoring.md';

let pair: Pair;

beforeEach(async () => {
  pair = await startPair();
  await pair.us.post('sys/storage/raft/snapshot-auto/config/hourly', {
    interval: '1h',
    storage_type: 'local',
    path_prefix: '/snapshots',
    local_max_space: 1_000_000,
  });
});
afterEach(() => pair.emulator.close());

test('the commands of the page give the results that it shows', async () => {
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
    expect(JSON.parse(readFileSync(join(terminal.folder, 'status.json'), 'utf8'))).toMatchObject({
      problems: [],
    });
  } finally {
    await terminal.close();
  }
});

test('the policy of the page suffices for everything that status shows', async () => {
  const [policy] = blocksOf(PAGE).filter(({ language }) => language === 'hcl');
  await pair.us.put('sys/policies/acl/monitor', { policy: policy!.text });
  const { body } = await pair.us.post('auth/token/create', { policies: ['monitor'] });
  const { code, stdout } = await vaultAdmin(['status', '--cluster', 'us'], {
    ...pair.env,
    VAULTADMIN_US_TOKEN: body.auth.client_token,
  });
  expect({ code, end: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, end: 'all is well' });
  expect(stdout).toContain('paths filter: deny us-only/\n  automated snapshot hourly: waiting\n');
});

test('the tables of the page have every field', async () => {
  const page = readFileSync(join(__dirname, '../..', PAGE), 'utf8');
  const fields = (json: string) => Object.keys(JSON.parse(json) as object);
  const { stdout } = await vaultAdmin(['status', '--public', '--json'], pair.env);
  const [eu, us] = (JSON.parse(stdout) as { clusters: object[] }).clusters;
  for (const field of [...fields(stdout), ...Object.keys(eu!), ...Object.keys(us!)])
    expect(page).toMatch(new RegExp(`^\\|.*\`${field}\`.*\\|`, 'm'));
});
