import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { until } from '../support/until';
import { Workspace } from '../support/terraform';
import { providerSchemaJson } from '../../src/plugin';
import { ADDRESS, fixtureProvider, VERSION } from './fixture/provider';
import { ProviderPrograms } from './support/process';
import { REQUIRES_FIXTURE } from './support/stack';

let programs: ProviderPrograms;
let workspace: Workspace;
beforeAll(() => {
  programs = new ProviderPrograms();
});
afterAll(() => programs.dispose());
beforeEach(async () => {
  workspace = new Workspace({ env: { FIXTURE_WORLD: programs.world.folder } });
  workspace.place({ address: ADDRESS, version: VERSION, path: join(programs.folder, 'provider') });
  workspace.write('main.tf', REQUIRES_FIXTURE);
  await workspace.init();
});
afterEach(async () => {
  await workspace.dispose();
  for (const name of programs.world.names()) programs.world.remove(name);
});

function thing(behavior: string): string {
  return `
    provider "fixture" { secret = "canary-provider" }
    resource "fixture_thing" "a" {
      name      = "alpha"
      secret    = "canary-sensitive"
      password  = "canary-write-only"
      behavior = "${behavior}"
    }
  `;
}

/** Whether the process of the provider in which a creation hangs is still running. */
function hangs(): boolean {
  try {
    return process.kill(programs.world.get('alpha')!.pid as number, 0);
  } catch {
    return false;
  }
}

test('an installed provider works, and leaves no socket', async () => {
  workspace.write('main.tf', REQUIRES_FIXTURE + thing('none'));
  await workspace.apply();
  expect(programs.world.get('alpha')).toMatchObject({ password: 'canary-write-only' });
  expect(programs.world.get('shutdown')).toEqual({ secret: 'canary-provider' });
  await workspace.destroy();
  expect(readdirSync(dirname(workspace.folder)).filter((name) => name.startsWith('plugin'))).toEqual([]);
});

test('the plugin and terraform print the same schema, except for features that older versions do not support', async () => {
  const { stdout } = await workspace.must('providers', 'schema', '-json');
  const printed = JSON.parse(stdout, (_key, value: unknown) => (value === '' ? undefined : value)) as object;
  expect(providerSchemaJson(fixtureProvider(programs.world.folder), ADDRESS)).toMatchObject(printed);
});

test('secrets are not logged, and write-only ones are not stored', async () => {
  workspace.write('main.tf', REQUIRES_FIXTURE + thing('none'));
  const log = join(workspace.folder, 'trace.log');
  const { code } = await workspace.runWith({ TF_LOG: 'TRACE', TF_LOG_PATH: log }, 'apply', '-auto-approve');
  expect(code).toBe(0);
  const lines = readFileSync(log, 'utf8').split('\n');
  const ours = lines.filter((line) => line.includes('provider.terraform-provider-fixture'));
  expect(ours.filter((line) => line.includes('canary'))).toEqual([]);
  const creating = ours.find((line) => line.includes('creating'))!;
  expect(creating).toContain('[INFO]');
  for (const field of [
    'name=alpha',
    'secret="(hidden)"',
    'password="(hidden)"',
    'tf_rpc=ApplyResourceChange',
    'tf_type=fixture_thing',
  ]) {
    expect(creating).toContain(field);
  }
  expect(ours.some((line) => line.includes('made (hidden) up'))).toBe(true);
  expect(workspace.read('terraform.tfstate')).not.toContain('canary-write-only');
});

test('a crash fails the command, and shows no secrets', async () => {
  workspace.write('main.tf', REQUIRES_FIXTURE + thing('crash'));
  const { code, stderr } = await workspace.run('apply', '-auto-approve', '-no-color');
  expect(code).toBe(1);
  // Terraform's own error precedes these lines. Its text depends on when Terraform notices that the
  // process has ended.
  expect(stderr).toContain('panic: crashed with (hidden)');
  expect(stderr).toContain('The terraform-provider-fixture_v1.2.3 plugin crashed!');
  expect(stderr).not.toContain('canary');
});

test('Ctrl-C stops running handlers, and completed work is stored', async () => {
  workspace.write('main.tf', REQUIRES_FIXTURE + thing('hang'));
  const applying = workspace.start('apply', '-auto-approve', '-no-color');
  await until(() => programs.world.get('alpha') !== undefined);
  process.kill(-applying.process.pid!, 'SIGINT');
  const { code, stderr } = await applying.result;
  expect(code).toBe(1);
  expect(stderr).toContain('Error: Stopped');
  expect(await workspace.state()).toMatchObject({ 'fixture_thing.a': { id: 'alpha' } });
  expect(programs.world.get('shutdown')).toEqual({ secret: 'canary-provider' });
});

test('running handlers are stopped, and the provider ends, when Terraform is killed', async () => {
  workspace.write('main.tf', REQUIRES_FIXTURE + thing('hang'));
  const applying = workspace.start('apply', '-auto-approve', '-no-color');
  await until(() => programs.world.get('alpha') !== undefined);
  expect(hangs()).toBe(true);
  applying.process.kill('SIGKILL');
  await until(() => !hangs());
  expect(programs.world.get('alpha')).toMatchObject({ note: 'stopped' });
  expect(programs.world.get('shutdown')).toEqual({ secret: 'canary-provider' });
});

test('a provider that cannot start is reported with the reason', async () => {
  workspace.write('main.tf', REQUIRES_FIXTURE + thing('none'));
  const { code, stderr } = await workspace.runWith(
    { PLUGIN_UNIX_SOCKET_DIR: join(workspace.home, 'missing') },
    'plan',
    '-no-color',
  );
  expect(code).toBe(1);
  expect(stderr.replace(/\s+/g, ' ')).toContain(
    'The provider could not start: Error: the provider cannot listen on a Unix socket',
  );
});
