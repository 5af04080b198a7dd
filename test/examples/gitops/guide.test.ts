import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf } from '../../docs/support/page';
import { follow } from '../../docs/support/reader';
import { Terminal } from '../../docs/support/terminal';
import { useEmulator } from '../../emulator/support/emulator';
import { startIdentityProvider } from './support/identities';
import { EXAMPLE } from './support/pipelines';

const PAGE = 'docs/guides/pipelines.md';
const PREPARATIONS = ['Create the repository', 'Let the pipeline log in', 'Nightly checks'];
/** The headings whose commands locks.test.ts runs. */
const RECOVERIES = ['Recover from a killed apply', 'Recover a state that could not be stored'];

const server = useEmulator();
const identities = startIdentityProvider();
let terminal: Terminal;
beforeEach(() => {
  terminal = new Terminal();
});
afterEach(() => terminal.close());

async function login(role: string, claims: Record<string, string>): Promise<string | undefined> {
  const jwt = await identities.issue(claims);
  const { body } = await server().api.post('auth/jwt/login', { role, jwt });
  return (body as { auth?: { client_token: string } }).auth?.client_token;
}

test('every command of the page is run by this test or by locks.test.ts', () => {
  const headings = blocksOf(PAGE)
    .filter(({ language }) => language === 'sh')
    .map(({ heading }) => heading);
  expect([...new Set(headings)].sort()).toEqual([...PREPARATIONS, ...RECOVERIES].sort());
});

test('a reader who follows the page gets a repository with a pipeline that can log in', async () => {
  const { api } = server();
  writeFileSync(join(terminal.home, 'cdktf-vault-admin-0.1.0.tgz'), '');
  terminal.program('vault', `exec node "${join(__dirname, 'support', 'stand-ins', 'vault.mjs')}" "$@"`);
  await terminal.run(`export VAULT_ADDR=${api.address} VAULT_TOKEN=root`);
  await follow(PAGE, terminal, { passesOver: ({ heading }) => !PREPARATIONS.includes(heading) });

  const { text: files } = await terminal.run('git add --all && git ls-files');
  expect(files.trim().split('\n')).toEqual([
    '.github/workflows/vault.yml',
    '.gitignore',
    'CODEOWNERS',
    'apply.hcl',
    ...['dev', 'prod', 'stage'].flatMap((environment) =>
      ['policies', 'replication'].map(
        (stack) => `cdktf.out/${environment}/stacks/${stack}/.terraform.lock.hcl`,
      ),
    ),
    'estate.json',
    'first-day.json',
    'hashes.mjs',
    'main.ts',
    'package-lock.json',
    'package.json',
    'packages/cdktf-vault-admin-0.1.0.tgz',
    'plan.hcl',
    'policies/app-reader.hcl',
    'policies/app-writer.hcl',
    'policies/dev/app-reader.hcl',
    'recovery.pem',
    'restore.hcl',
    'restore.tf',
    'stacks.mjs',
    'state.ts',
    'synth.sha256',
    'tsconfig.json',
  ]);
  expect(readFileSync(join(terminal.folder, '.github/workflows/vault.yml'), 'utf8')).toBe(
    readFileSync(join(EXAMPLE, 'github.yml'), 'utf8'),
  );

  expect(readFileSync(join(terminal.folder, 'synth.sha256'), 'utf8')).toMatch(
    /^[0-9a-f]{64} {2}cdktf\.out\/dev\/stacks\/policies\/cdk\.tf\.json\n[^]*^[0-9a-f]{64} {2}node_modules\/cdktf-vault-admin\n/m,
  );

  await api.put('auth/jwt/config', { jwt_validation_pubkeys: [identities.publicKey] });
  const [review, merge] = [
    { repository: 'example/estate' },
    { repository: 'example/estate', environment: 'dev' },
  ];
  expect(await login('plan', review)).toMatch(/^hvs\./);
  expect(await login('plan', { repository: 'stranger/estate' })).toBeUndefined();
  expect(await login('apply', review)).toBeUndefined();

  expect(await login('apply', merge)).toMatch(/^hvs\./);
  expect(await login('restore', review)).toBeUndefined();
  const restorer = api.as(await login('restore', { ...review, environment: 'nightly' }));
  expect((await restorer.get('canary/snapshot')).body.data).toEqual({ value: 'sings' });

  const app = join(terminal.folder, 'main.ts');
  const [, importing] = /`(if .*importFrom\(.*?\);)`/.exec(readFileSync(PAGE, 'utf8'))!;
  const named = readFileSync(app, 'utf8').replace(/new AclPolicy\(.*;\n/, `const policy = $&${importing}\n`);
  writeFileSync(app, named);
  expect(await terminal.run('npm run synth')).toMatchObject({ code: 0 });
  const importsIn = (environment: string) => {
    const stack = join(terminal.folder, 'cdktf.out', environment, 'stacks/policies/cdk.tf.json');
    return (JSON.parse(readFileSync(stack, 'utf8')) as { import?: unknown }).import;
  };
  expect(['dev', 'stage'].map(importsIn)).toEqual([
    [{ to: 'vaultadmin_acl_policy.app-reader', id: 'primary//app-reader' }],
    undefined,
  ]);
});
