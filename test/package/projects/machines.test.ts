import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { mirrorSettings, PLACED_PROVIDERS } from '../../constructs/support/stack-workspace';
import { temporaryFolder } from '../../support/temporary-folder';
import { actions } from '../../support/terraform';
import { upstreamMirror, upstreamMissing } from '../../support/upstream-mirror';
import { LOCK_FILE, Project } from '../support/project';
import { packed, type Tarball } from '../support/tarball';

const CREATED = { 'vaultadmin_acl_policy.Ours': 'create' };

let folder: string;
let tarball: Tarball;
let emulator: Emulator;
let projects: Project[];

beforeAll(async () => {
  folder = temporaryFolder('machines');
  tarball = await packed();
  emulator = await startEmulator({ clusters: { us: 0 } });
});
afterAll(() => emulator.close());
beforeEach(() => {
  projects = [];
});
afterEach(async () => {
  for (const project of projects) await project.dispose();
});

/** A checkout of the project, in a home of its own. */
function checkout(): Project {
  const project = new Project(tarball, emulator.clusters.us as RunningCluster);
  projects.push(project);
  return project;
}

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());

test('a second machine uses the lock file that the first machine has committed', async () => {
  const settings = join(folder, 'mirror.tfrc');
  writeFileSync(settings, mirrorSettings(...(mirror ? [mirror] : []), PLACED_PROVIDERS));
  const env = { TF_CLI_CONFIG_FILE: settings, ...(mirror && { UPSTREAM: 'yes' }) };

  const first = checkout();
  expect(first.synthesize(env)).toBe('');
  expect(await first.terraform.runWith(env, 'init', '-no-color')).toMatchObject({ code: 0 });
  const committed = first.terraform.read(LOCK_FILE);
  if (mirror) expect(committed).toMatch(/hashicorp\/vault" {\n[^}]*hashes = \[\n\s+"h1:/);

  const second = checkout();
  second.terraform.write(LOCK_FILE, committed);
  second.synthesize(env);
  expect(second.terraform.read(LOCK_FILE)).toBe(committed);
  expect((await second.terraform.runWith(env, 'init', '-lockfile=readonly')).code).toBe(0);
  expect((await second.terraform.runWith(env, 'validate')).code).toBe(0);
  expect(second.terraform.read(LOCK_FILE)).toBe(committed);
});

test('projects share a cache of plugins, which stays usable if the project that filled it is removed', async () => {
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  const env = { TF_PLUGIN_CACHE_DIR: cache };
  const initialized = async () => {
    const project = checkout();
    project.synthesize();
    const { code, stdout } = await project.terraform.runWith(env, 'init', '-no-color');
    expect(code).toBe(0);
    return { project, stdout };
  };

  const { project: first } = await initialized();
  const { project: second, stdout } = await initialized();
  expect(stdout).toContain('from the shared cache directory');
  await first.dispose();
  await second.terraform.init();
  expect(actions(await second.terraform.plan())).toEqual(CREATED);
});

test('settings of the user that hide the provider cause a warning, whose cure works', async () => {
  const project = checkout();
  const settings = join(folder, 'own.tfrc');
  const env = { TF_CLI_CONFIG_FILE: settings };
  writeFileSync(settings, 'provider_installation {\n  direct {}\n}\n');
  expect(project.synthesize(env)).toBe(
    `Warning: [policies/VaultadminProvider] provider_installation in ${settings} keeps "terraform init" from finding the ` +
      `provider in ${join(project.terraform.folder, PLACED_PROVIDERS)}; add ` +
      'filesystem_mirror { path = "terraform.d/plugins" include = ["vault-admin.internal/*/*"] } to it ' +
      '(the same for all stacks), and add "vault-admin.internal/*/*" to the list "exclude" of its direct\n',
  );
  expect((await project.terraform.runWith(env, 'init')).stderr).toContain('vault-admin.internal');

  writeFileSync(
    settings,
    'provider_installation {\n' +
      '  filesystem_mirror { path = "terraform.d/plugins" include = ["vault-admin.internal/*/*"] }\n' +
      '  direct { exclude = ["vault-admin.internal/*/*"] }\n}\n',
  );
  expect(project.synthesize(env)).toBe('');
  expect((await project.terraform.runWith(env, 'init')).code).toBe(0);
});
