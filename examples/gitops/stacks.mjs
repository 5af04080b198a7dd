/**
 * Runs Terraform for the stacks of an environment, in the order that the app gives them. The
 * pipelines of both services call it.
 *
 *   node stacks.mjs plan dev      plans each stack, and stores the plans in plans/dev
 *   node stacks.mjs show dev      prints these plans for people
 *   node stacks.mjs comment dev   prints what they allow and deny, and what happens to replication
 *   node stacks.mjs apply dev     applies these plans
 *   node stacks.mjs watch dev     fails if the servers are not as the code says, and says where
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const COMMAND_LINE = 'synthesized/node_modules/cdktf-vault-admin/lib/src/cli/main.js';
const COMMANDS = { plan, show, comment, apply, watch };

const [command, environment] = process.argv.slice(2);
if (!(command in COMMANDS) || environment === undefined) {
  console.error(`usage: node stacks.mjs ${Object.keys(COMMANDS).join('|')} ENVIRONMENT`);
  process.exit(2);
}
const app = join('synthesized', 'cdktf.out', environment);
const plans = resolve('plans', environment);
for (const stack of inOrder(JSON.parse(readFileSync(join(app, 'manifest.json'), 'utf8')).stacks)) {
  COMMANDS[command]({ ...stack, plan: join(plans, `${stack.name}.plan`) });
}

/** The stacks, each after those that it depends on. */
function inOrder(stacks) {
  const order = new Set();
  const add = (name) => {
    stacks[name].dependencies.forEach(add);
    order.add(stacks[name]);
  };
  Object.keys(stacks).sort().forEach(add);
  return order;
}

function plan(stack) {
  mkdirSync(plans, { recursive: true });
  init(stack);
  // Without a lock: a plan of a review may be canceled, and would leave it behind.
  terraform(stack, ['plan', '-no-color', '-lock=false', `-out=${stack.plan}`]);
}

function show(stack) {
  console.log(`${environment}: ${stack.name}\n`);
  terraform(stack, ['show', '-no-color', stack.plan]);
}

function comment(stack) {
  const options = ['policy', 'diff', '--plan', '-', '--format', 'markdown'];
  const text = run(process.execPath, [COMMAND_LINE, ...options], { input: json(stack) });
  // Without a change of policies or replication sets, there is no heading.
  if (/^###/m.test(text)) console.log(`## ${environment}: ${stack.name}\n\n${text}`);
}

function apply(stack) {
  init(stack);
  terraform(stack, ['apply', '-no-color', '-lock-timeout=2m', stack.plan]);
}

/** Not by -detailed-exitcode: with a check of data, that always says that something changes. */
function watch(stack) {
  plan(stack);
  const { resource_changes = [], checks = [] } = JSON.parse(json(stack));
  const changes = resource_changes.filter(
    ({ mode, change }) => mode === 'managed' && String(change.actions) !== 'no-op',
  );
  const failures = checks.filter(({ status }) => status === 'fail' || status === 'error');
  const found = [...changes, ...failures].map(({ address }) => address.to_display ?? address);
  for (const what of found) console.log(`${environment}: ${stack.name}: ${what} is not as the code says`);
  if (found.length > 0) process.exitCode = 1;
}

function init(stack) {
  // Only the providers that the lock file lists, which was checked.
  terraform(stack, ['init', '-no-color', '-lockfile=readonly']);
}

function json(stack) {
  return terraform(stack, ['show', '-json', stack.plan], 'pipe');
}

function terraform({ workingDirectory }, args, stdout = 'inherit') {
  return run('terraform', args, { cwd: join(app, workingDirectory), stdout });
}

/** Runs a program, and ends with its exit code if it fails. */
function run(program, args, { cwd, input = '', stdout = 'pipe' }) {
  const options = { cwd, input, stdio: ['pipe', stdout, 'inherit'], encoding: 'utf8', maxBuffer: 2 ** 30 };
  const { status, error, stdout: text } = spawnSync(program, args, options);
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  return text;
}
