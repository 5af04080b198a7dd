import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnvironment, run, start } from './commands.mjs';

/** Two stacks, the second with what the first has made: the least that a command line has to get right. */
const SECOND_STACK = `
const second = new TerraformStack(app, 'tokens');
second.addDependency(stack);
const reader = AclPolicy.fromPolicyName(second, 'Reader', 'app-reader');
new AclPolicy(second, 'Delegate', {
  cluster: new VaultCluster(second, 'Cluster', { resources: VaultResources.VAULTADMIN }),
  policyName: 'delegate',
  statements: [
    new PolicyStatement({ paths: [\`auth/token/create/\${reader.policyName}\`], capabilities: [Capability.UPDATE] }),
  ],
});

app.synth();
`;

/**
 * Makes a project out of the tarball as a user would, and takes it through its life: compile, synthesize, deploy, deploy
 * again without changes, destroy.
 */
export async function tryProject({ folder, tarball, readme, nodeFolder, combination }) {
  const { framework, cli, engine } = combination;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const env = cleanEnvironment(nodeFolder, { TERRAFORM_BINARY_NAME: engine, HOME: folder });
  const options = { cwd: folder, env };

  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest(tarball, framework, cli), null, 2));
  writeFileSync(join(folder, 'cdktf.json'), JSON.stringify({ language: 'typescript', app: 'node main.js' }));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { strict: true, module: 'node16', target: 'es2022', types: ['node'] },
      files: ['main.ts'],
    }),
  );
  writeFileSync(join(folder, 'main.ts'), firstApp(readme).replace('app.synth();\n', SECOND_STACK));
  run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline'], options);
  run('npx', ['tsc'], options);

  const emulator = await start(
    join(folder, 'node_modules/.bin/vault-admin'),
    ['emulator', '--json', '--root-token', 'root'],
    options,
  );
  try {
    const { address } = JSON.parse(emulator.firstLine).clusters.default;
    const connected = { ...options, env: { ...env, VAULT_ADDR: address, VAULT_TOKEN: 'root' } };
    if (cli) liveByCommandLine(cli, connected);
    else liveByHand(engine, connected);
  } finally {
    await emulator.stop();
  }
}

function liveByCommandLine(cli, options) {
  const command = cli.startsWith('cdktn') ? 'cdktn' : 'cdktf';
  const cdktf = (...args) => run('npx', [command, ...args], options);
  cdktf('synth');
  cdktf('diff', 'policies');
  cdktf('deploy', '--auto-approve', 'policies', 'tokens');
  const second = cdktf('deploy', '--auto-approve', 'policies', 'tokens');
  if (!/No changes|0 added, 0 changed, 0 destroyed/.test(second))
    throw new Error(`a second deploy changes something\n${second}`);
  cdktf('destroy', '--auto-approve', 'policies', 'tokens');
}

function liveByHand(engine, options) {
  run('node', ['main.js'], options);
  const stacks = ['policies', 'tokens'].map((stack) => join(options.cwd, 'cdktf.out/stacks', stack));
  for (const cwd of stacks) {
    const terraform = (...args) => run(engine, args, { ...options, cwd });
    terraform('init', '-input=false');
    terraform('apply', '-input=false', '-auto-approve');
    terraform('plan', '-input=false', '-detailed-exitcode');
  }
  for (const cwd of stacks.reverse())
    run(engine, ['destroy', '-input=false', '-auto-approve'], { ...options, cwd });
}

/** The app on cdktn is the same: npm puts cdktn in the place of cdktf, as the README says. */
function manifest(tarball, framework, cli) {
  const [, version] = framework.split('@');
  const cdktn = framework.startsWith('cdktn');
  return {
    name: 'first-app',
    private: true,
    dependencies: {
      'cdktf-vault-admin': `file:${tarball}`,
      cdktf: cdktn ? `npm:cdktn@~${version}.0` : `~${version}.0`,
      constructs: '~10.7.2',
      '@cdktf/provider-vault': '^15.6.1',
    },
    devDependencies: {
      '@types/node': '^20',
      typescript: '~5.9.3',
      ...(cli && { [cli.split('@')[0]]: `~${cli.split('@')[1]}.0` }),
    },
    ...(cdktn && { overrides: { cdktf: '$cdktf' } }),
  };
}

function firstApp(readme) {
  const [, app] =
    /## A first policy on a real server\n\n```ts\n([^]*?)```/.exec(readFileSync(readme, 'utf8')) ?? [];
  if (!app) throw new Error('the README has no first app');
  return app;
}
