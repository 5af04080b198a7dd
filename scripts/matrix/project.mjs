import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OLDEST_TERRAFORM } from '../../lib/src/model/versions.js';
import { FLAVOURS } from '../flavours/flavours.mjs';
import { MANAGERS, PROJECTS } from './combinations.mjs';
import { output, run, start } from './commands.mjs';
import { installProject } from './tools.mjs';

/** A second stack, which uses a value of the first one. Every command line has to support this. */
const SECOND_STACK = `
const second = new TerraformStack(app, 'tokens');
second.addDependency(stack);
const reader = AclPolicy.fromPolicyName(second, 'Reader', 'app-reader');
new AclPolicy(second, 'Delegate', {
  cluster: new VaultCluster(second, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN }),
  policyName: 'delegate',
  statements: [
    new PolicyStatement({ paths: [\`auth/token/create/\${reader.policyName}\`], capabilities: [Capability.UPDATE] }),
  ],
});

app.synth();
`;

/** A program that imports the package's other entries, which the compiler and Node have to find. */
const ENTRIES = `
import { PerfReplicationPrimary } from 'cdktf-vault-admin/bindings/perf-replication-primary';
import { VaultClient } from 'cdktf-vault-admin/client';
import { startEmulator } from 'cdktf-vault-admin/emulator';
import { parseAclPolicy } from 'cdktf-vault-admin/model';
import { serve } from 'cdktf-vault-admin/plugin';
import { PolicySet } from 'cdktf-vault-admin/policy';

for (const entry of [PerfReplicationPrimary, VaultClient, startEmulator, parseAclPolicy, serve, PolicySet]) {
  if (typeof entry !== 'function') throw new Error('an entry lacks what its types promise');
}
`;

/** A user's project that installs the tarball. */
export class Project {
  #combination;
  #manager;
  #kind;
  #flavour;
  #options;

  constructor({ folder, env, combination }) {
    this.#combination = combination;
    this.#manager = MANAGERS[combination.manager];
    this.#kind = PROJECTS[combination.project];
    this.#flavour = FLAVOURS[combination.flavour];
    this.#options = { cwd: folder, env };
  }

  /**
   * Writes the project's files and installs its dependencies.
   *
   * @param more tarballs of packages that the registry lacks, by name.
   */
  install(tarball, readme, more) {
    const { cwd } = this.#options;
    rmSync(cwd, { recursive: true, force: true });
    mkdirSync(cwd, { recursive: true });
    const files = {
      'package.json': JSON.stringify(this.#manifest(tarball, more), null, 2),
      'cdktf.json': JSON.stringify({
        language: 'typescript',
        app: `npx ${this.#kind.run('main').join(' ')}`,
      }),
      'tsconfig.json': JSON.stringify({
        compilerOptions: this.#kind.compilerOptions,
        files: ['main.ts', 'entries.ts'],
      }),
      'main.ts': this.#flavour.rewrite(firstApp(readme).replace('app.synth();\n', SECOND_STACK)),
      'entries.ts': this.#flavour.rewrite(ENTRIES),
      ...this.#manager.files,
    };
    for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
    installProject(this.#manager.install, this.#options);
  }

  /** Returns the installed versions of packages. */
  versionsOf(names) {
    const script = `JSON.stringify(${JSON.stringify(names)}.map((name) => require(name + '/package.json').version))`;
    const [command, args] = this.#command('node', '-p', script);
    return JSON.parse(output(command, args, this.#options));
  }

  /** Compiles, synthesizes, deploys, deploys again without changes, and destroys the project. */
  async live(engine) {
    this.#run('tsc');
    this.#run(...this.#kind.run('entries'));
    const emulator = await start(
      ...this.#command('vault-admin', 'emulator', '--json', '--root-token', 'root'),
      this.#options,
    );
    try {
      const { address } = JSON.parse(emulator.firstLine).clusters.default;
      Object.assign(this.#options.env, { VAULT_ADDR: address, VAULT_TOKEN: 'root' });
      if (this.#combination.cli) this.#liveByCommandLine();
      else this.#liveByHand(engine.command);
    } finally {
      await emulator.stop();
    }
  }

  /** Checks that an engine is refused because it is too old. */
  beRefused(engine) {
    this.#run('tsc');
    this.#run(...this.#kind.run('main'));
    const printed = run(engine.command, ['init', '-input=false', '-no-color'], {
      ...this.#options,
      cwd: this.#stack('policies'),
      accepted: [1],
    });
    if (!printed.includes(`"required_version": ">= ${OLDEST_TERRAFORM}"`))
      throw new Error(`the engine is too old, and does not say so\n${printed}`);
  }

  #liveByCommandLine() {
    const command = this.#combination.cli.startsWith('cdktn') ? 'cdktn' : 'cdktf';
    const cdktf = (...args) => this.#run(command, ...args);
    cdktf('synth');
    cdktf('diff', 'policies');
    cdktf('deploy', '--auto-approve', 'policies', 'tokens');
    const second = cdktf('deploy', '--auto-approve', 'policies', 'tokens');
    if (!/No changes|0 added, 0 changed, 0 destroyed/.test(second))
      throw new Error(`a second deploy changes something\n${second}`);
    cdktf('destroy', '--auto-approve', 'policies', 'tokens');
  }

  #liveByHand(engine) {
    this.#run(...this.#kind.run('main'));
    const terraform = (stack, ...args) => run(engine, args, { ...this.#options, cwd: this.#stack(stack) });
    for (const stack of ['policies', 'tokens']) {
      terraform(stack, 'init', '-input=false');
      terraform(stack, 'apply', '-input=false', '-auto-approve');
      terraform(stack, 'plan', '-input=false', '-detailed-exitcode');
    }
    for (const stack of ['tokens', 'policies']) terraform(stack, 'destroy', '-input=false', '-auto-approve');
  }

  /** Runs an installed command. */
  #run(...commandLine) {
    const [command, args] = this.#command(...commandLine);
    return run(command, args, this.#options);
  }

  #command(...commandLine) {
    const [command, ...args] = [...(this.#manager.runner ?? []), ...commandLine];
    return [command, args];
  }

  #stack(name) {
    return join(this.#options.cwd, 'cdktf.out', 'stacks', name);
  }

  #manifest(tarball, more) {
    const { cli, typescript, constructs } = this.#combination;
    // There are no bindings for a pre-release yet. The bindings for the release do not accept the
    // newer version of `constructs` that the pre-release needs.
    const preview = isPreview(this.#combination.framework) ? { constructs: `~${constructs}.0` } : {};
    const files = Object.entries(more).map(([name, file]) => [name, `file:${file}`]);
    return {
      name: 'first-app',
      private: true,
      license: 'UNLICENSED',
      dependencies: {
        [this.#flavour.name]: `file:${tarball}`,
        ...this.#framework(),
        constructs: `~${constructs}.0`,
        ...Object.fromEntries(files),
      },
      devDependencies: {
        '@types/node': '^20',
        typescript: `~${typescript}.0`,
        ...this.#kind.devDependencies,
        ...(cli && { [nameIn(cli)]: versionIn(tilde(cli)) }),
      },
      ...(this.#isReplaced && this.#manager.replace({ cdktf: this.#framework().cdktf })),
      ...(files.length > 0 && this.#manager.replace({ ...Object.fromEntries(files), ...preview })),
      ...this.#kind.manifest,
    };
  }

  /** Whether cdktn replaces cdktf. */
  get #isReplaced() {
    return nameIn(this.#combination.framework) !== this.#flavour.framework;
  }

  #framework() {
    const spec = tilde(this.#combination.framework);
    return { [this.#flavour.framework]: this.#isReplaced ? `npm:${spec}` : versionIn(spec) };
  }
}

/** Returns the packages of a combination, as specifications for a registry. */
export function packagesOf({ framework, constructs, cli, typescript }) {
  const more = isPreview(framework) ? [] : [tilde(framework)];
  return [
    ...more,
    `constructs@~${constructs}.0`,
    `typescript@~${typescript}.0`,
    ...(cli ? [tilde(cli)] : []),
  ];
}

/** Whether a specification names a pre-release. */
export function isPreview(spec) {
  return versionIn(spec).includes('-');
}

export function nameIn(spec) {
  return spec.split('@')[0];
}

export function versionIn(spec) {
  return spec.split('@')[1];
}

/** Returns the range of a specification such as `cdktf@0.21`, in npm's notation. */
function tilde(spec) {
  if (isPreview(spec)) return spec;
  return `${nameIn(spec)}@~${versionIn(spec)}.0`;
}

function firstApp(readme) {
  const [, app] = /## Quick start\n[^]*?```js\n([^]*?)```/.exec(readFileSync(readme, 'utf8')) ?? [];
  if (!app) throw new Error('the README has no first app');
  return app;
}
