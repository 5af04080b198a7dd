import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startEmulator, type Emulator, type RunningCluster } from '../../src/emulator';
import { Api } from '../emulator/support/api';
import { startHttpStateBackend, type HttpStateBackend } from '../support/http-state-backend';
import { terraformBinary } from '../support/terraform';

const ROOT = join(__dirname, '..', '..');
const PIPELINE = parse(readFileSync(join(ROOT, 'examples/gitops/pipeline.yml'), 'utf8')) as Pipeline;
const POLICY = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';

interface Pipeline {
  readonly jobs: Readonly<Record<'synth' | 'plan' | 'apply', Job>>;
}

interface Job {
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

interface Step {
  readonly run?: string;
  readonly uses?: string;
  readonly with?: { readonly path?: string };
  readonly 'working-directory'?: string;
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

let emulator: Emulator;
let cluster: RunningCluster;
let api: Api;
let state: HttpStateBackend;
let folder: string;
let secretId: string;
let address: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gitops-'));
  emulator = await startEmulator();
  cluster = emulator.clusters.default as RunningCluster;
  api = new Api(cluster.address, cluster.rootToken);
  state = await startHttpStateBackend();
  await api.put('sys/policies/acl/pipeline', { policy: POLICY });
  await api.put('sys/auth/approle', { type: 'approle' });
  await api.put('auth/approle/role/pipeline', { token_policies: ['pipeline'] });
  const role = await api.get('auth/approle/role/pipeline/role-id');
  const secret = await api.put('auth/approle/role/pipeline/secret-id');
  secretId = (secret.body as { data: { secret_id: string } }).data.secret_id;
  address = {
    VAULT_ADDR: cluster.address,
    STATE_ADDRESS: state.address,
    VAULT_ROLE_ID: (role.body as { data: { role_id: string } }).data.role_id,
  };
});
afterEach(async () => {
  await state.close();
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the steps of a job on a machine of its own, which has the artifacts of the earlier ones and nothing else. */
async function runJob(name: keyof Pipeline['jobs']): Promise<Ended> {
  const job = PIPELINE.jobs[name];
  const machine = mkdtempSync(join(folder, `${name}-`));
  const bin = join(machine, 'bin');
  mkdirSync(bin);
  symlinkSync(terraformOnPath(), join(bin, 'terraform'));
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: machine,
    CHECKPOINT_DISABLE: '1',
    // The app's own dependencies are needed by its synthesis alone.
    ...(name === 'synth' && address),
    ...Object.fromEntries(Object.entries(job.env ?? {}).map(([key, value]) => [key, secretsIn(value)])),
  };
  let output = '';
  for (const step of job.steps) {
    if (step.uses?.startsWith('actions/upload-artifact')) {
      copyFileSync(join(machine, step.with!.path!), join(folder, step.with!.path!));
    } else if (step.uses?.startsWith('actions/download-artifact')) {
      const artifact = name === 'plan' ? 'stacks.tgz' : 'reviewed.tgz';
      copyFileSync(join(folder, artifact), join(machine, artifact));
    } else if (step.run !== undefined) {
      const cwd = join(machine, step['working-directory'] ?? '');
      const ended = await shell(commandOf(step.run), cwd, env);
      output += ended.output;
      if (ended.code !== 0) return { code: ended.code, output };
    }
  }
  return { code: 0, output };
}

/** The app is compiled and installed here already. */
function commandOf(run: string): string {
  if (run === 'npm ci') return 'true';
  return run === 'npm run synth' ? `node ${join(ROOT, 'lib/examples/gitops/main.js')}` : run;
}

function secretsIn(value: string): string {
  return value
    .replace('${{ secrets.VAULT_SECRET_ID }}', secretId)
    .replace(/\$\{\{.*\}\}/, 'canary-state-password');
}

function shell(command: string, cwd: string, env: NodeJS.ProcessEnv): Promise<Ended> {
  return new Promise((resolve) => {
    execFile('bash', ['-ec', command], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr });
    });
  });
}

function terraformOnPath(): string {
  const binary = terraformBinary();
  const folders = (process.env.PATH ?? '').split(':');
  return binary.includes('/') ? binary : (folders.map((each) => join(each, binary)).find(exists) ?? binary);
}

function exists(path: string): boolean {
  try {
    readFileSync(path);
    return true;
  } catch {
    return false;
  }
}

const policy = async () => (await api.get('sys/policies/acl/app-reader')).status;

test('a review plans and changes nothing; a merge applies what was planned', async () => {
  expect(await runJob('synth')).toMatchObject({ code: 0 });
  const review = await runJob('plan');
  expect(review.code).toBe(0);
  expect(review.output).toContain('Plan: 1 to add, 0 to change, 0 to destroy.');
  expect(await policy()).toBe(404);
  expect(state.state()).toBeUndefined();

  expect(await runJob('synth')).toMatchObject({ code: 0 });
  expect(await runJob('plan')).toMatchObject({ code: 0 });
  const merge = await runJob('apply');
  expect(merge.output).toContain('Apply complete! Resources: 1 added, 0 changed, 0 destroyed.');
  expect(await policy()).toBe(200);

  const next = await runJob('plan');
  expect(next.output).toContain('No changes.');
}, 120_000);

test('no artifact and no state holds a secret', async () => {
  for (const job of ['synth', 'plan', 'apply'] as const) {
    const { code, output } = await runJob(job);
    expect(code).toBe(0);
    expect(output).not.toContain(secretId);
  }
  const { code } = await shell(
    `mkdir open && tar -xzf reviewed.tgz -C open && ! grep -rqF -e ${secretId} -e canary-state-password open`,
    folder,
    process.env,
  );
  expect(code).toBe(0);
  expect(state.state()).not.toContain(secretId);
}, 120_000);

test('a plan that the state has outrun is not applied', async () => {
  for (const job of ['synth', 'plan', 'apply'] as const) expect(await runJob(job)).toMatchObject({ code: 0 });
  const { code, output } = await runJob('apply');
  expect(code).toBe(1);
  expect(output).toContain('Saved plan is stale');
}, 120_000);
