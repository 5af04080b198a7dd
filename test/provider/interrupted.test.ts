import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startHttpStateBackend } from '../support/http-state-backend';
import { newLatch } from '../support/latch';
import type { RunningCommand } from '../support/terraform';
import { until } from '../support/until';
import { aclPolicy, startStack, type Stack } from './support';

const COUNT = 60;
const LATENCY_MS = 150;

let stack: Stack;
/** These tests use the executable only, because signals reach the whole group of processes. */
beforeEach(async () => {
  stack = await startStack({ executable: true });
});
const after: (() => Promise<void>)[] = [];
afterEach(async () => {
  await stack.close();
  for (const close of after.splice(0)) await close();
});

/** Starts an apply, and sends a signal to it and its providers after an event. */
async function interruptApply(
  signal: NodeJS.Signals,
  event: (apply: RunningCommand) => Promise<void>,
  ...options: readonly string[]
) {
  const apply = stack.workspace.start('apply', '-auto-approve', '-input=false', '-no-color', ...options);
  await event(apply);
  process.kill(-apply.process.pid!, signal);
  return apply.result;
}

const aCreation = (apply: RunningCommand) => apply.printed('Creation complete');
/**
 * Waits until the server has the request. Until then, Terraform has printed "Creating...", but can
 * still stop.
 */
const theRequest = () => until(() => stack.emulator.faults.list()[0]!.hits > 0);

async function namesOnServer(): Promise<readonly string[]> {
  const { data } = await stack.ask('GET', 'sys/policies/acl?list=true');
  return (data?.keys as string[]).filter((name) => name.startsWith('p'));
}

/** Waits until the server has also handled the requests of a killed process. */
async function namesOnceQuiet(): Promise<readonly string[]> {
  const names = await namesOnServer();
  await delay(LATENCY_MS);
  const later = await namesOnServer();
  return later.length > names.length ? namesOnceQuiet() : later;
}

async function namesInState(): Promise<readonly string[]> {
  return Object.values(await stack.workspace.state()).map(({ name }) => String(name));
}

function manyPolicies(): string {
  return Array.from({ length: COUNT }, (_, i) => aclPolicy({ name: `p${i}` }, `p${i}`)).join('');
}

test('the state has all policies that exist after SIGTERM during many creates, and the next apply completes', async () => {
  stack.resources(manyPolicies());
  stack.emulator.faults.inject({ latencyMs: LATENCY_MS });

  const { code, stdout, stderr } = await interruptApply('SIGTERM', aCreation);
  expect(stdout + stderr).toContain('Stopping operation...');
  expect(code).toBe(1);
  const [there, known] = [await namesOnServer(), await namesInState()];
  expect(there.length).toBeGreaterThan(0);
  expect(there.length).toBeLessThan(COUNT);
  expect(there.filter((name) => !known.includes(name))).toEqual([]);

  stack.emulator.faults.clear();
  await stack.must('apply');
  expect(await namesOnServer()).toHaveLength(COUNT);
  expect((await stack.must('plan')).planned).toEqual({});
});

test('the command ends at once after Ctrl-C while the server hangs, and a create that takes effect later is in the state', async () => {
  const create = { method: 'POST', path: 'sys/policies/acl/p' };
  stack.resources(aclPolicy({ name: 'p' }));
  const held = newLatch();
  stack.emulator.faults.inject({ ...create, until: held.opened });
  const { code, stderr } = await interruptApply('SIGINT', theRequest);
  stack.emulator.faults.clear();
  expect(code).toBe(1);
  // The command did not wait for the answer.
  expect(stack.emulator.requests.list(create)).toEqual([]);
  expect(stderr).toContain('cannot create ACL policy "p" on cluster "us": stopped');

  held.open();
  await until(() => stack.emulator.requests.list(create).length === 1);
  expect(await namesOnServer()).toEqual(['p']);
  expect(await namesInState()).toEqual(['p']);
  // Terraform replaces an object whose create has failed.
  expect((await stack.must('apply')).planned).toEqual({ 'vaultadmin_acl_policy.it': 'replace' });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('the next apply after SIGKILL during many creates accepts the policies that are already as planned', async () => {
  // Terraform stores the state in a backend every 20 seconds, and a killed Terraform stores none.
  const backend = await startHttpStateBackend();
  after.push(() => backend.close());
  stack.resources(backend.block + manyPolicies());
  await stack.workspace.init();
  stack.emulator.faults.inject({ latencyMs: LATENCY_MS });
  await interruptApply('SIGKILL', aCreation);
  stack.emulator.faults.clear();
  await fetch(backend.address, { method: 'UNLOCK' });
  const there = await namesOnceQuiet();
  expect(there.length).toBeGreaterThan(0);

  const { code, errors, warnings } = await stack.run('apply');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(warnings.map(({ summary }) => summary).sort()).toEqual(
    there.map((name) => `ACL policy "${name}" on cluster "us" already exists, exactly as planned`).sort(),
  );
  expect(await namesOnServer()).toHaveLength(COUNT);
  expect((await stack.must('plan')).planned).toEqual({});
});

describe('an object that is replaced with create_before_destroy', () => {
  const replaceable = aclPolicy({ name: 'p' }).replace(
    /\}\n$/,
    '  lifecycle {\n    create_before_destroy = true\n  }\n}\n',
  );
  beforeEach(async () => {
    stack.resources(replaceable);
    await stack.must('apply');
  });

  test('the object exists after SIGKILL during the create, and the next apply continues', async () => {
    const killed = newLatch();
    stack.emulator.faults.inject({ method: 'GET', path: 'sys/policies/*', until: killed.opened });
    await interruptApply('SIGKILL', theRequest, '-refresh=false', '-replace=vaultadmin_acl_policy.it');
    killed.open();
    stack.emulator.faults.clear();
    expect((await stack.must('apply')).planned).toEqual({});
    expect(await namesOnServer()).toEqual(['p']);
  });

  test('no object is deleted if an apply was stopped before the old object left the state, and the error says what to do', async () => {
    const file = join(stack.workspace.folder, 'terraform.tfstate');
    const state = JSON.parse(readFileSync(file, 'utf8')) as StateFile;
    const [{ instances }] = state.resources;
    // The state as Terraform stores it between the creation and the deletion.
    instances.push({ ...instances[0]!, deposed: '0a1b2c3d' });
    writeFileSync(file, JSON.stringify(state));

    const { code, errors } = await stack.run('apply');
    expect(code).toBe(1);
    expect(errors[0]!.summary).toBe(
      'ACL policy "p" on cluster "us" is in the state twice, and one of the two would be destroyed',
    );
    const [, cure] = /terraform import vaultadmin_acl_policy.NAME '([^']*)'/.exec(errors[0]!.detail)!;
    expect(await namesOnServer()).toEqual(['p']);

    await stack.workspace.must('state', 'rm', 'vaultadmin_acl_policy.it');
    await stack.workspace.must('import', '-no-color', 'vaultadmin_acl_policy.it', cure!);
    expect((await stack.must('apply')).planned).toEqual({});
    expect(await namesOnServer()).toEqual(['p']);
  });
});

interface StateFile {
  readonly resources: readonly [{ readonly instances: object[] }];
}
