import { aclPolicy, startStack, type Stack } from './support';

const COUNT = 60;

let stack: Stack;
/** With the executable: Ctrl-C reaches the whole group of processes. */
beforeEach(async () => {
  stack = await startStack({ executable: true });
});
afterEach(() => stack.close());

/** Starts an apply, and sends Ctrl-C to it and its providers once it has printed something. */
async function interruptApply(after: string) {
  const apply = stack.workspace.start('apply', '-auto-approve', '-input=false', '-no-color');
  await apply.printed(after);
  process.kill(-apply.process.pid!, 'SIGINT');
  return apply.result;
}

async function namesOnServer(): Promise<readonly string[]> {
  const { data } = await stack.ask('GET', 'sys/policies/acl?list=true');
  return (data?.keys as string[]).filter((name) => name.startsWith('p'));
}

async function namesInState(): Promise<readonly string[]> {
  return Object.values(await stack.workspace.state()).map(({ name }) => String(name));
}

test('Ctrl-C while many are created: nothing is forgotten, the next apply finishes', async () => {
  stack.resources(Array.from({ length: COUNT }, (_, i) => aclPolicy({ name: `p${i}` }, `p${i}`)).join(''));
  stack.emulator.faults.inject({ latencyMs: 150 });

  const { code, stdout, stderr } = await interruptApply('Creation complete');
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

test('Ctrl-C while the server hangs: ends at once, and what takes effect later is not forgotten', async () => {
  stack.resources(aclPolicy({ name: 'p' }));
  stack.emulator.faults.inject({ method: 'POST', path: 'sys/policies/*', latencyMs: 6_000, count: 1 });
  const { code, stderr } = await interruptApply('Creating...');
  expect(code).toBe(1);
  // It did not wait for the answer.
  expect(stack.emulator.requests.list({ method: 'POST', path: 'sys/policies/acl/p' })).toEqual([]);
  expect(stderr).toContain('cannot create ACL policy "p" on cluster "us": stopped');

  await stack.must('apply');
  expect(await namesOnServer()).toEqual(['p']);
  expect((await stack.must('plan')).planned).toEqual({});
});
