/**
 * Follows the guide `where-terraform-runs.md`: its commands and settings, with a release on
 * loopback in place of a mirror.
 */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { providerAddressProblem } from '../../src/model/provider-source';
import { PROVIDER_ADDRESS, PROVIDER_VERSION } from '../../src/provider';
import { Consumer, mirrorSettings } from '../release/support/consumer';
import { filesOf } from '../release/support/https-server';
import { release, smallRelease } from '../release/support/release';
import { executableIfAvailable, warnNotTried } from '../support/executable';
import { ROOT_FOLDER_NEEDS, rootFolderParts } from '../support/root-folder';
import { temporaryFolder } from '../support/temporary-folder';
import { platform, terraformBinary } from '../support/terraform';
import { blocksOf } from './support/page';

const PAGE = 'docs/guides/where-terraform-runs.md';
const BLOCKS = blocksOf(PAGE);

/** Returns the block under a heading. */
function under(heading: string, language: string): string {
  const [only, ...others] = BLOCKS.filter((each) => each.heading === heading && each.language === language);
  expect(others).toEqual([]);
  return only!.text;
}

const folder = temporaryFolder('where-terraform-runs');

/** The commands with which a page starts Terraform, and the value of TF_CLI_CONFIG_FILE. */
interface Job {
  readonly settings?: string;
  readonly commands: readonly string[];
}

interface AtlantisStep {
  readonly env: { readonly name: string; readonly value: string };
}

const JOBS: Readonly<Record<string, () => Job>> = {
  'GitHub Actions': () => {
    const { plan } = (parse(under('GitHub Actions', 'yaml')) as { jobs: { plan: GitHubJob } }).jobs;
    const [, { run, 'working-directory': place }] = plan.steps;
    return { settings: plan.env.TF_CLI_CONFIG_FILE, commands: [`cd ${place}`, run] };
  },
  GitLab: () => {
    const { plan } = parse(under('GitLab', 'yaml')) as { plan: GitLabJob };
    return { settings: plan.variables.TF_CLI_CONFIG_FILE, commands: plan.script };
  },
  Atlantis: () => {
    const { workflows } = parse(under('Atlantis', 'yaml')) as {
      workflows: { default: { plan: { steps: [AtlantisStep, ...string[]] } } };
    };
    const [{ env }, ...steps] = workflows.default.plan.steps;
    expect(env.name).toBe('TF_CLI_CONFIG_FILE');
    const commands = steps.map((step) => `terraform ${step}`);
    return { settings: env.value, commands: ['cd cdktf.out/stacks/policies', ...commands] };
  },
  'Spacelift, Scalr and env0': () => {
    const command = under('Spacelift, Scalr and env0', 'sh').trim();
    const { deploy } = parse(under('Spacelift, Scalr and env0', 'yaml')) as {
      deploy: { steps: { terraformInit: { before: string[] } } };
    };
    expect(deploy.steps.terraformInit.before).toEqual([command]);
    const plan = ['cd cdktf.out/stacks/policies', 'terraform init', 'terraform plan'];
    return { commands: [command, ...plan] };
  },
};

interface GitHubJob {
  readonly env: { readonly TF_CLI_CONFIG_FILE: string };
  readonly steps: readonly [unknown, { readonly run: string; readonly 'working-directory': string }];
}

interface GitLabJob {
  readonly variables: { readonly TF_CLI_CONFIG_FILE: string };
  readonly script: readonly string[];
}

test.each(Object.keys(JOBS))('the lines for %s install the provider from a mirror', async (where) => {
  const { settings, commands } = JOBS[where]!();
  await using consumer = await Consumer.start(filesOf(join(smallRelease(), 'mirror')));
  const { workspace, server } = consumer;
  consumer.configure(PROVIDER_ADDRESS);
  const repository = join(workspace.home, 'repository');
  mkdirSync(join(repository, 'cdktf.out', 'stacks'), { recursive: true });
  symlinkSync(workspace.folder, join(repository, 'cdktf.out', 'stacks', 'policies'));
  const file = settings
    ?.replace(/^\$CI_PROJECT_DIR|^\$\{\{ github\.workspace \}\}/, repository)
    .replace('/home/atlantis', workspace.home);
  writeFileSync(file ?? join(repository, 'mirror.tfrc'), mirrorSettings(server.host));
  // Services write credentials to this folder.
  writeFileSync(
    join(workspace.home, '.terraformrc'),
    'credentials "registry.acme.test" {\n  token = "a"\n}\n',
  );
  const functions = `set -e\nterraform() { command ${terraformBinary()} "$@"; }`;
  const { stdout } = await promisify(execFile)('bash', ['-c', [functions, ...commands].join('\n')], {
    cwd: repository,
    env: { ...workspace.env, HOME: workspace.home, TF_CLI_CONFIG_FILE: file },
  });
  expect(stdout).toContain('1 to add, 0 to change, 0 to destroy.');
  expect(server.paths).toContain(
    `/${PROVIDER_ADDRESS}/terraform-provider-vaultadmin_${PROVIDER_VERSION}_${platform()}.zip`,
  );
});

test('the image of Alpine has the provider in a folder', async () => {
  const parts = rootFolderParts(folder);
  if (parts === undefined || executableIfAvailable() === undefined)
    return warnNotTried('the lines for an image of Alpine', ROOT_FOLDER_NEEDS);
  const [settings] = blocksOf('docs/guides/registry.md').filter(
    ({ heading, language }) => heading === 'Networks without internet' && language === 'hcl',
  );
  writeFileSync(join(folder, 'folder.tfrc'), settings!.text);
  cpSync(await release(), join(folder, 'dist', 'release'), { recursive: true });
  await using consumer = await Consumer.startInRoot(parts, () => undefined);
  const { workspace, server } = consumer;
  consumer.configure(PROVIDER_ADDRESS);
  const [from, ...copies] = under('An image of Alpine', 'dockerfile').trim().split('\n');
  expect(from).toMatch(/^FROM hashicorp\/terraform:/);
  for (const [copy, source, target] of copies.map((line) => line.split(' '))) {
    expect(copy).toBe('COPY');
    mkdirSync(dirname(join(workspace.home, target!)), { recursive: true });
    cpSync(join(folder, source!), join(workspace.home, target!), { recursive: true });
  }
  delete workspace.env.TF_CLI_CONFIG_FILE;
  workspace.env.HOME = '/root';
  await consumer.deploys();
  expect(server.paths).toEqual([]);
});

test('the stack for HCP Terraform names the version of this package, by a valid address', () => {
  const text = under('HCP Terraform', 'hcl');
  const [, source, version] = /source {2}= "(.*)"\n *version = "(.*)"/.exec(text) ?? [];
  expect({ problem: providerAddressProblem(source), version }).toEqual({ version: PROVIDER_VERSION });
});

test('the lines for Windows say that no test executes them', () => {
  const [windows] = BLOCKS.filter(({ language }) => language === 'powershell');
  expect(windows).toMatchObject({ heading: 'Windows' });
  expect(windows!.leadIn).toContain('never executed by a test');
});
