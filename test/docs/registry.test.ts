/**
 * Tries the settings and commands of the guide `registry.md`. A release on loopback takes the place
 * of the servers of the page.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeGpgKey, smallRelease } from '../release/support/release';
import { Consumer } from '../release/support/consumer';
import { filesOf } from '../release/support/https-server';
import { readStack } from '../constructs/support/synthesize';
import { temporaryFolder } from '../support/temporary-folder';
import { actions, terraformBinary } from '../support/terraform';
import { blocksOf, ROOT, textsOf } from './support/page';
import { appsOf, runApp } from './support/programs';

const PAGE = 'docs/guides/registry.md';
const USUAL = 'vault-admin.internal/cdktf/vaultadmin';

/** Returns the block of a language under a heading. */
function under(heading: string, language: string, index = 0): string {
  return blocksOf(PAGE).filter((block) => block.heading === heading && block.language === language)[index]!
    .text;
}

test('every block of the page is run by a test, or the page says that it was never run', () => {
  const headings = (language: string) =>
    blocksOf(PAGE)
      .filter((block) => block.language === language)
      .map(({ heading }) => heading);
  expect(headings('sh')).toEqual([
    'Make the release',
    'Set the address',
    'A network mirror',
    'A network mirror',
    'A private registry',
    'A container registry',
    "HCP Terraform's private registry",
    'Networks without internet',
  ]);
  expect(headings('hcl')).toEqual(['A network mirror', 'A container registry', 'Networks without internet']);
  const [, containers = '', hcp = ''] =
    /## A container registry\n([^]*?)## HCP[^\n]*\n([^]*?)\n## /.exec(
      readFileSync(join(ROOT, PAGE), 'utf8'),
    ) ?? [];
  for (const section of [containers, hcp]) expect(section.replaceAll('\n', ' ')).toMatch(/never executed/);
});

test('the guide has the same commands for a release as the tests of executables and releases', () => {
  const [executables, key, run, ...others] = under('Make the release', 'sh').trim().split('\n');
  expect(others).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const scriptOf = (command: string) => scripts[command.replace('npm run ', '')];
  expect(scriptOf(executables!)).toBe('node scripts/setup.mjs && node scripts/executables/run.mjs');
  expect(scriptOf(run!)).toBe('node scripts/setup.mjs && node scripts/release/run.mjs');

  const home = temporaryFolder('gpg');
  const env = { ...process.env, GNUPGHOME: home };
  try {
    const { GPG_PRIVATE_KEY: made, GPG_PASSPHRASE: passphrase } = makeGpgKey();
    spawnSync('gpg', ['--batch', '--import'], { env, input: made });
    const command = key!.replace('gpg ', 'gpg --batch --pinentry-mode loopback --passphrase-fd 0 ');
    const { stdout } = spawnSync('bash', ['-c', `${command}\nprintenv GPG_PRIVATE_KEY`], {
      env,
      input: passphrase,
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^-----BEGIN PGP PRIVATE KEY BLOCK-----/);
  } finally {
    spawnSync('gpgconf', ['--kill', 'gpg-agent'], { env });
  }
});

/** Writes the stack of the page's app with another address of the provider. */
function writeStack({ workspace, emulator }: Consumer, source: string): void {
  const [app, ...others] = appsOf(PAGE, 'ts');
  expect(others).toEqual([]);
  const out = join(workspace.home, 'cdktf.out');
  runApp(app!.replace('registry.acme.test/acme/vaultadmin', source), out);
  expect(readStack(out, 'policies').terraform.required_providers).toMatchObject({ vaultadmin: { source } });
  const { terraform, ...stack } = readStack(out, 'policies');
  // The state belongs in the folder in which Terraform runs, and not in the folder of the app.
  workspace.write('cdk.tf.json', { ...stack, terraform: { ...terraform, backend: { local: {} } } });
  const { address, rootToken } = emulator.clusters.us!;
  Object.assign(workspace.env, { VAULT_ADDR: address, VAULT_TOKEN: rootToken });
}

/**
 * Runs commands of the page in the folder of the stack, with the program of all tests as
 * `terraform`.
 */
async function runCommands({ workspace }: Consumer, commands: string): Promise<void> {
  const functions = `set -e\nterraform() { command ${terraformBinary()} "$@"; }\n`;
  const answered = commands.replaceAll('terraform apply', 'terraform apply -auto-approve');
  await promisify(execFile)('bash', ['-c', functions + answered], {
    cwd: workspace.folder,
    env: workspace.env,
  });
}

async function isDeployed({ workspace }: Consumer): Promise<void> {
  expect(actions(await workspace.plan())).toEqual({ 'vaultadmin_acl_policy.AppReader': 'no-op' });
}

async function withConsumer(
  folder: string,
  use: (consumer: Consumer, output: string) => Promise<void>,
): Promise<void> {
  const output = smallRelease();
  await using consumer = await Consumer.start(filesOf(join(output, folder)));
  await use(consumer, output);
}

const settings = ({ workspace }: Consumer, text: string) =>
  writeFileSync(join(workspace.home, 'cli.tfrc'), text);

test('the commands for a network mirror install the provider', async () => {
  await withConsumer('mirror', async (consumer, output) => {
    const { server, workspace } = consumer;
    const here = (text: string) => text.replaceAll('mirror.acme.test', server.host);
    settings(consumer, here(under('A network mirror', 'hcl')));
    writeStack(consumer, USUAL);
    await runCommands(consumer, here(under('A network mirror', 'sh')));
    await isDeployed(consumer);

    const copy = under('A network mirror', 'sh', 1)
      .replace('dist/release', output)
      .replace('cdktf.out/stacks/policies', workspace.folder);
    workspace.remove('.terraform');
    await runCommands(consumer, `${copy}terraform init -lockfile=readonly`);
  });
});

test('the commands for a private registry install the provider, and convert a state with the usual address', async () => {
  await withConsumer('registry', async (consumer, output) => {
    const { server, workspace } = consumer;
    const source = `${server.host}/cdktf/vaultadmin`;
    writeStack(consumer, source);
    await runCommands(consumer, under('A private registry', 'sh'));
    await isDeployed(consumer);

    // This converts the state back to the usual address, so that `replace` has something to
    // convert.
    const [state] = textsOf(PAGE, 'sh', 8).filter((text) => text.includes('replace-provider'));
    const replace = state!.replace('registry.acme.test/acme/vaultadmin', source);
    const back = replace.replace(/(-auto-approve) (\S+) (\S+)/, '$1 $3 $2');
    settings(
      consumer,
      `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(join(output, 'mirror'))}\n` +
        '    include = ["vault-admin.internal/*/*"]\n  }\n  direct {\n    exclude = ["vault-admin.internal/*/*"]\n  }\n}\n',
    );
    await runCommands(consumer, back);
    const { code, stderr } = await workspace.run('plan', '-no-color');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(USUAL) as string });
    await runCommands(consumer, replace);
    await isDeployed(consumer);
  });
});

test('the commands for a network without internet install the provider from a folder', async () => {
  await withConsumer('mirror', async (consumer, output) => {
    const folder = join(consumer.workspace.home, 'providers');
    mkdirSync(folder);
    const here = (text: string) =>
      text.replaceAll('/opt/terraform/providers', folder).replaceAll('dist/release', output);
    settings(consumer, here(under('Networks without internet', 'hcl')));
    writeStack(consumer, USUAL);
    await runCommands(
      consumer,
      `${here(under('Networks without internet', 'sh'))}terraform init\nterraform apply`,
    );
    await isDeployed(consumer);
    expect(consumer.server.paths).toEqual([]);
  });
});

test('the settings for a container registry are those that the tests of the OCI layout use', () => {
  const ours = readFileSync(join(ROOT, 'test', 'release', 'oci.test.ts'), 'utf8');
  const [written] = /provider_installation \{[^]*?\n\}\n/.exec(ours) ?? [];
  expect(
    written?.replace('${consumer.server.host}', 'containers.acme.test').replace('\\${type}', '${type}'),
  ).toBe(under('A container registry', 'hcl'));
});
