import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, textsOf } from '../../docs/support/page';
import { expectPrinted } from '../../docs/support/reader';
import { Workspace } from '../../support/terraform';
import { newLatch } from '../../support/latch';
import { until } from '../../support/until';
import { makeOwn, startEstate, type Estate } from './support/estate';
import type { StoreKind } from './support/state-stores';
import { openWay, type Way } from './support/way';

const APP = join(__dirname, '..', '..', '..', 'lib', 'examples', 'gitops', 'main.js');
/**
 * Settings of the backends for fewer retries, since Terraform would retry a lost backend for up to
 * a minute.
 */
const FEWER_RETRIES = { http: 'retry_max=0', s3: 'max_retries=1' };
const GUIDE = 'docs/guides/pipelines.md';
const SOME_LOCK = '6d3f2c1e-0b4a-4f5e-9c8d-7a6b5c4d3e2f';
const POLICY = 'sys/policies/acl/app-reader';

describe.each<StoreKind>(['http', 's3'])('with the state in %s', (kind) => {
  let estate: Estate;
  let way: Way;
  let stack: string;
  const machines: Workspace[] = [];

  beforeEach(async () => {
    estate = await startEstate(kind, { repository: 'example/estate' });
    way = await openWay(estate.store.address);
    const synthesized = mkdtempSync(join(estate.folder, 'synth-'));
    makeOwn(estate, synthesized, way.address);
    execFileSync(process.execPath, [APP], {
      cwd: synthesized,
      env: { PATH: process.env.PATH, ...estate.store.env(way.address) },
    });
    stack = join(synthesized, 'cdktf.out', 'dev', 'stacks', 'policies');
  });
  afterEach(async () => {
    await Promise.all(machines.splice(0).map((machine) => machine.dispose()));
    await way.cut();
    await estate.close();
  });

  /** Returns the workspace of a job that may apply. */
  async function machine(): Promise<Workspace> {
    const identity = { repository: 'example/estate', environment: 'dev' };
    const made = new Workspace({
      env: {
        ...estate.store.credentials,
        AWS_REGION: 'eu-central-1',
        TF_CLI_ARGS: '-no-color',
        TF_VAR_vault_role: 'apply',
        TF_VAR_id_token: await estate.identities.issue(identity),
      },
    });
    machines.push(made);
    cpSync(stack, made.folder, { recursive: true });
    await made.init(`-backend-config=${FEWER_RETRIES[kind]}`);
    return made;
  }

  const APPLY = ['apply', '-auto-approve', '-input=false'];
  const PLAN = ['plan', '-input=false'];
  const fault = (fields: object) =>
    estate.api('dev-us').post('/emulator/v1/faults', { path: POLICY, count: 1, ...fields });

  /**
   * Starts an apply, and returns once the server has received the write of its policy. The server
   * holds the write until `release` is called.
   */
  async function underWay(machine: Workspace) {
    const { faults } = estate.emulator;
    const { opened, open: release } = newLatch();
    faults.inject({ cluster: 'dev-us', path: POLICY, method: 'POST', count: 1, until: opened });
    const { result } = machine.start(...APPLY);
    await until(() => faults.list().length === 0);
    return { result, release };
  }

  /** Resolves once the server has the policy. */
  function policyIsWritten(): Promise<void> {
    return until(() => estate.emulator.requests.list({ method: 'POST', path: POLICY }).length > 0);
  }

  test('the second of two simultaneous applies is refused, or waits for the configured time', async () => {
    const [first, second] = [await machine(), await machine()];
    const one = await underWay(first);

    const refused = await second.run(...APPLY);
    expect(refused.code).toBe(1);
    const [shown] = textsOf(GUIDE, 'text', 1);
    expectPrinted(refused.stderr.replace(/(Who: +)\S+/, '$1root@vm'), shown!);
    const waiting = second.start(...APPLY, '-lock-timeout=60s');
    await waiting.printed('Acquiring state lock');
    one.release();
    expect((await waiting.result).stdout).toContain('No changes.');
    expect((await one.result).stdout).toContain('2 added');
  });

  test('an apply that is killed leaves the lock, and the next apply completes the work after an unlock', async () => {
    const [first, second] = [await machine(), await machine()];
    await fault({ method: 'POST', drop: 'after' });
    await fault({ method: 'GET', skip: 1, latency_ms: 60_000 });
    const one = first.start(...APPLY);
    await policyIsWritten();
    process.kill(-one.process.pid!, 'SIGKILL');
    await one.result;
    await estate.api('dev-us').delete('/emulator/v1/faults');

    const refused = await second.run(...APPLY);
    expect(refused.code).toBe(1);
    await follow('Recover from a killed apply', second, lockId(refused.stderr));
    const { stdout } = await second.run(...APPLY);
    expect(stdout).toContain('"app-reader" on cluster "primary" already exists, exactly as planned');
    expect(stdout).toContain('2 added, 0 changed, 0 destroyed.');
  });

  test('an apply whose backend is lost keeps the state in a file, which can be pushed later', async () => {
    const first = await machine();
    const one = await underWay(first);
    await way.cut();
    one.release();
    const lost = await one.result;
    expect(lost.code).toBe(1);
    expect(lost.stderr).toContain('state push errored.tfstate');
    const kept = first.read('errored.tfstate');
    expect(kept).toContain('app-reader');
    expect(
      [...estate.secrets, ...estate.identities.issued].filter((secret) => kept.includes(secret)),
    ).toEqual([]);

    await way.mend();
    const locked = await first.run('state', 'push', 'errored.tfstate');
    expect(locked.code).toBe(1);
    await follow('Recover from a killed apply', first, lockId(locked.stderr));
    await follow('Recover a state that could not be stored', first);
    expect((await first.run(...PLAN)).stdout).toContain('No changes.');
  });
});

/** Runs the terraform commands below a heading of the guide in the folder of the stack. */
async function follow(heading: string, machine: Workspace, lock = ''): Promise<void> {
  const [commands] = blocksOf(GUIDE).filter((block) => block.heading === heading && block.language === 'sh');
  for (const line of commands!.text.trim().split('\n')) {
    const [program, ...args] = line.replace(SOME_LOCK, lock).split(' ');
    if (program === 'terraform') await machine.must(...args);
  }
}

/** Returns the id of the lock from the error of either kind of backend. */
function lockId(refusal: string): string {
  const [, id] = /already locked:\s+ID=(\S+)/.exec(refusal) ?? /^ *ID: +(\S+)/m.exec(refusal) ?? [];
  return id!;
}
