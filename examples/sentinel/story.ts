import { join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../src/emulator';
import { refusal, summary } from '../story/output';
import { ask } from '../story/server';
import type { Stage } from '../story/stage';
import { Steps, StoryError } from '../story/steps';

const ROOT = join(__dirname, '..', '..', '..');
const APP = join(__dirname, 'main.js');
const POLICIES = join(ROOT, 'examples', 'sentinel', 'policies');
const COMMAND_LINE = join(ROOT, 'lib', 'src', 'cli', 'main.js');
const STACK = join('cdktf.out', 'stacks', 'sentinel');
const PLAN = ['plan', '-input=false', '-no-color'];
const APPLY = ['apply', '-input=false', '-no-color', '-auto-approve'];
const DESTROY = ['destroy', '-input=false', '-no-color', '-auto-approve'];
const SATURDAY_NIGHT = { weekday: 6, hour: 20 };
const MONDAY_MORNING = { weekday: 1, hour: 10 };
const HOUR = 3_600_000;
const PASSWORD = 'password-of-the-story';

/**
 * RGPs and EGPs: tested, deployed, enforced, overridden, and refused where one would lock out its
 * own deployment.
 */
export async function tellSentinel(stage: Stage): Promise<void> {
  const { step } = new Steps('Sentinel policies: tested before they are deployed, then enforced');

  const emulator = await startEmulator({ clusters: { us: 0 } });
  stage.atEnd(() => emulator.close());
  const { us } = emulator.clusters;
  const asRoot = stage.terraform({
    VAULT_ADMIN_EXAMPLE_POLICIES: POLICIES,
    VAULT_ADDR: us.address,
    VAULT_TOKEN: us.rootToken,
  });
  const stack = join(stage.folder, STACK);

  await step('cdktf-vault-admin policy test', async () => {
    const { output } = await asRoot.runScript(stage.folder, COMMAND_LINE, ['policy', 'test', POLICIES]);
    return output.trim().split('\n').at(-1);
  });
  await step('synthesize examples/sentinel, and terraform apply', async () => {
    await asRoot.runScript(stage.folder, APP);
    await asRoot.run(stack, ['init', '-input=false', '-no-color']);
    return summary((await asRoot.run(stack, APPLY)).output);
  });

  const [ann, bob] = await people(us);
  await step('on a Saturday night ann writes a secret', async () => {
    moveTo(emulator, SATURDAY_NIGHT);
    return denied(await write(us, ann));
  });
  await step('she overrides the policy, which is soft-mandatory', async () =>
    allowed(await write(us, ann, { 'X-Vault-Policy-Override': 'true' })),
  );
  await step('on Monday morning she need not', async () => {
    moveTo(emulator, MONDAY_MORNING);
    return allowed(await write(us, ann));
  });
  await step('bob, a contractor, does it from outside of the office', async () =>
    denied(await write(us, bob)),
  );

  const [deployer] = await logins(us, { deployer: ['deployer'] });
  const asDeployer = stage.terraform({
    VAULT_ADMIN_EXAMPLE_POLICIES: POLICIES,
    VAULT_ADMIN_EXAMPLE_LOCK_OUT: 'yes',
    VAULT_ADDR: us.address,
    VAULT_TOKEN: deployer,
  });
  await step('a policy that would lock out its own deployment is refused at plan', async () => {
    await asDeployer.runScript(stage.folder, APP);
    return refusal((await asDeployer.run(stack, PLAN, [1])).output);
  });
  await step('terraform destroy', async () => {
    await asRoot.runScript(stage.folder, APP);
    return summary((await asRoot.run(stack, DESTROY)).output);
  });
}

/**
 * Creates a secret, a person who may write it, and a contractor.
 *
 * @returns the tokens of the two.
 */
async function people(us: RunningCluster): Promise<readonly [string, string]> {
  await ask(us, 'sys/mounts/kv', { method: 'PUT', body: { type: 'kv' } });
  await ask(us, 'sys/auth/userpass', { method: 'PUT', body: { type: 'userpass' } });
  const everything = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';
  await ask(us, 'sys/policies/acl/deployer', { method: 'PUT', body: { policy: everything } });
  const [ann = '', bob = ''] = await logins(us, {
    ann: ['app-writer'],
    bob: ['app-writer', 'office-network'],
  });
  return [ann, bob];
}

async function logins(
  us: RunningCluster,
  users: Readonly<Record<string, readonly string[]>>,
): Promise<readonly string[]> {
  return Promise.all(
    Object.entries(users).map(async ([user, policies]) => {
      const path = `auth/userpass/users/${user}`;
      await ask(us, path, { method: 'PUT', body: { password: PASSWORD, token_policies: policies } });
      const body = { password: PASSWORD };
      const answer = await ask(us, `auth/userpass/login/${user}`, { method: 'PUT', body, token: '' });
      if (!answer?.auth) throw new StoryError(`${user} could not log in`);
      return answer.auth.client_token;
    }),
  );
}

/** Moves the time of the cluster forward to the next such hour, UTC. */
function moveTo({ clock }: Emulator, { weekday, hour }: typeof SATURDAY_NIGHT): void {
  const isThere = () => {
    const now = new Date(clock.now());
    return now.getUTCDay() === weekday && now.getUTCHours() === hour;
  };
  while (!isThere()) clock.advance(HOUR);
}

async function write(
  us: RunningCluster,
  token: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${us.address}/v1/kv/app`, {
    method: 'PUT',
    headers: { 'X-Vault-Token': token, ...headers },
    body: JSON.stringify({ password: 'value-of-the-story' }),
  });
}

async function denied(response: Response): Promise<string> {
  if (response.status !== 403) throw new StoryError(`the server answered ${response.status} instead of 403`);
  const { errors } = (await response.json()) as { errors: readonly string[] };
  return `403\n${errors.join('\n').trim()}`;
}

function allowed({ status }: Response): string {
  if (status !== 204) throw new StoryError(`the server answered ${status} instead of 204`);
  return String(status);
}
