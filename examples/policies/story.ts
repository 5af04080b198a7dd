import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type RunningCluster } from '../../src/emulator';
import type { Stage } from '../story/stage';
import { changes, summary } from '../story/output';
import { ask } from '../story/server';
import { Steps, StoryError } from '../story/steps';

const APP = join(__dirname, 'main.js');
const STACK = join('cdktf.out', 'stacks', 'policies');
const CHANGED_BEHIND = 'path "secret/*" { capabilities = ["read"] } # widened by hand';
const DRIFTED = 'app-reader';

/** Policies on two clusters: from nothing to converged, off course, back again, and gone. */
export async function tellPolicies(stage: Stage): Promise<void> {
  const { step } = new Steps('Policies on two clusters, from a construct to a converged server');

  const emulator = await startEmulator({ clusters: { us: 0, eu: 0 } });
  stage.atEnd(() => emulator.close());
  const { us, eu } = emulator.clusters as { us: RunningCluster; eu: RunningCluster };
  const terraform = stage.terraform({
    VAULT_ADMIN_EXAMPLE_CLUSTERS: 'us,eu',
    VAULT_ADMIN_EXAMPLE_SENTINEL: 'yes',
    VAULTADMIN_US_ADDR: us.address,
    VAULTADMIN_US_TOKEN: us.rootToken,
    VAULTADMIN_EU_ADDR: eu.address,
    VAULTADMIN_EU_TOKEN: eu.rootToken,
  });
  const stack = join(stage.folder, STACK);

  await step('emulate two clusters', async () => `us at ${us.address}, eu at ${eu.address}`);
  await step('synthesize examples/policies', async () => {
    await terraform.runScript(stage.folder, APP);
    if (!existsSync(join(stack, 'cdk.tf.json'))) throw new StoryError(`${STACK} was not written`);
    return STACK;
  });
  await step('terraform init', async () => {
    await terraform.run(stack, ['init', '-input=false', '-no-color']);
    return 'the provider lies beside the stack: no settings, no download';
  });
  await step('terraform plan', async () => {
    const { output } = await terraform.run(stack, ['plan', '-input=false', '-no-color', '-out=first.plan']);
    return summary(output);
  });
  await step('terraform apply', async () => {
    const { output } = await terraform.run(stack, ['apply', '-input=false', '-no-color', 'first.plan']);
    return summary(output);
  });
  for (const cluster of [us, eu]) {
    await step(`read ${cluster.name} by plain HTTP`, () => holdings(cluster));
  }
  await step('a second plan', async () => {
    const { output } = await terraform.run(stack, [
      'plan',
      '-input=false',
      '-no-color',
      '-detailed-exitcode',
    ]);
    return summary(output);
  });
  await step(`change ${DRIFTED} on eu behind Terraform's back`, async () => {
    await writePolicy(eu, DRIFTED, CHANGED_BEHIND);
    return CHANGED_BEHIND;
  });
  await step('a plan shows the drift', async () => {
    const { output } = await terraform.run(
      stack,
      ['plan', '-input=false', '-no-color', '-detailed-exitcode', '-out=repair.plan'],
      [2],
    );
    return `${summary(output)}\n${changes(output)}`;
  });
  await step('apply repairs it', async () => {
    const { output } = await terraform.run(stack, ['apply', '-input=false', '-no-color', 'repair.plan']);
    if ((await readPolicy(eu, DRIFTED)) === CHANGED_BEHIND)
      throw new StoryError('the policy is still changed');
    return summary(output);
  });
  await step('terraform destroy', async () => {
    const { output } = await terraform.run(stack, ['destroy', '-input=false', '-no-color', '-auto-approve']);
    return summary(output);
  });
  for (const cluster of [us, eu]) {
    await step(`read ${cluster.name} again`, () => holdings(cluster));
  }
}

async function holdings(cluster: RunningCluster): Promise<string> {
  const kinds = await Promise.all(
    ['acl', 'rgp', 'egp'].map(async (kind) => {
      const answer = await ask(cluster, `sys/policies/${kind}?list=true`);
      return `${kind}: ${(answer?.data.keys as string[] | undefined)?.join(', ') ?? 'none'}`;
    }),
  );
  return kinds.join('; ');
}

async function readPolicy(cluster: RunningCluster, name: string): Promise<unknown> {
  return (await ask(cluster, `sys/policies/acl/${name}`))?.data.policy;
}

async function writePolicy(cluster: RunningCluster, name: string, policy: string): Promise<void> {
  await ask(cluster, `sys/policies/acl/${name}`, { method: 'PUT', body: { policy } });
}
