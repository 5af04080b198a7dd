import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../../src/emulator';
import { actions } from '../../support/terraform';
import { LOCK_FILE, PLUGINS, Project } from '../support/project';
import { packed } from '../support/tarball';

const UNCHANGED = { 'vaultadmin_acl_policy.Ours': 'no-op' };
const STATE = join('..', '..', '..', 'terraform.policies.tfstate');
const NEXT = '0.99.0';

type Attributes = Readonly<Record<string, unknown>>;

interface State {
  readonly resources: readonly [{ readonly instances: readonly [{ attributes: Attributes }] }];
}

let emulator: Emulator;
let project: Project;

beforeAll(async () => {
  emulator = await startEmulator({ clusters: { us: 0 } });
  project = new Project(await packed(), emulator.clusters.us as RunningCluster);
  project.synthesize();
  await project.terraform.init();
  await project.terraform.apply();
});
afterAll(async () => {
  await project.dispose();
  await emulator.close();
});

/** Returns the versions of the provider beside the stack, and the locked version. */
function placed(): { versions: string[]; locked: string | undefined } {
  const locked = /version +=\s+"(.*)"/.exec(project.terraform.read(LOCK_FILE));
  return { versions: readdirSync(join(project.terraform.folder, PLUGINS)), locked: locked?.[1] };
}

test('a newer and an older version of the package replace the placed provider and its lock', async () => {
  const version = project.packageVersion();
  for (const installed of [NEXT, version]) {
    project.reinstallAs(installed);
    project.synthesize();
    expect(placed()).toEqual({ versions: [installed], locked: installed });
    await project.terraform.init();
    expect(actions(await project.terraform.plan())).toEqual(UNCHANGED);
    expect(placed()).toEqual({ versions: [installed], locked: installed });
  }
});

test.each([
  ['lacks a new attribute', ({ namespace: _new, ...others }: Attributes): Attributes => others],
  ['has an attribute that was removed', (attributes: Attributes): Attributes => ({ ...attributes, gone: 1 })],
])('the state of another version is read if it %s', async (_what, change) => {
  const state = JSON.parse(project.terraform.read(STATE)) as State;
  const [instance] = state.resources[0].instances;
  instance.attributes = change(instance.attributes);
  project.terraform.write(STATE, state);
  expect(actions(await project.terraform.plan())).toEqual(UNCHANGED);
});
