import { join } from 'node:path';
import { startEmulator, type RunningCluster } from '../../src/emulator';
import { logIn, setUpOperator } from '../story/operator';
import { plannedSteps, summary } from '../story/output';
import { ask } from '../story/server';
import type { Stage } from '../story/stage';
import { Steps } from '../story/steps';

const APP = join(__dirname, 'main.js');
const STACK = join('cdktf.out', 'stacks', 'bootstrap');
const NAMES = ['us', 'eu', 'ap'] as const;

/** Three new clusters, and one apply that makes an environment of them. */
export async function tellBootstrap(stage: Stage): Promise<void> {
  const { step } = new Steps('Bootstrap: three new clusters, one deployment');
  const emulator = await startEmulator({ clusters: { us: 0, eu: 0, ap: 0 } });
  stage.atEnd(() => emulator.close());
  const clusters = NAMES.map((name) => emulator.clusters[name]);
  const [us, ...secondaries] = clusters as [RunningCluster, ...RunningCluster[]];
  const terraform = stage.terraform({
    TF_VAR_hsm_pin: '1234-5678',
    ...Object.fromEntries(
      clusters.flatMap(({ name, address, rootToken }) => [
        [`VAULTADMIN_${name.toUpperCase()}_ADDR`, address],
        [`VAULTADMIN_${name.toUpperCase()}_TOKEN`, rootToken],
      ]),
    ),
  });
  const stack = join(stage.folder, STACK);

  await step('synthesize examples/bootstrap, and terraform init', async () => {
    await terraform.runScript(stage.folder, APP);
    await terraform.run(stack, ['init', '-input=false', '-no-color']);
  });
  await step('terraform plan', async () => {
    const { output } = await terraform.run(stack, [
      'plan',
      '-input=false',
      '-no-color',
      '-out=bootstrap.plan',
    ]);
    return `${summary(output)}\n${plannedSteps(output)}`;
  });
  await step('terraform apply', async () => {
    const { output } = await terraform.run(stack, ['apply', '-input=false', '-no-color', 'bootstrap.plan']);
    return summary(output);
  });
  await step('set up an operator and mounts on us', () => setUp(us));
  for (const cluster of secondaries) {
    await step(`read ${cluster.name}`, () => holdings(cluster));
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
}

async function setUp(us: RunningCluster): Promise<string> {
  await setUpOperator(us);
  const mounts = ['secret', 'us-only', 'eu-only', 'ap-only'];
  for (const mount of mounts) await ask(us, `sys/mounts/${mount}`, { method: 'PUT', body: { type: 'kv' } });
  return `mounts: ${mounts.join(', ')}`;
}

async function holdings(cluster: RunningCluster): Promise<string> {
  const token = await logIn(cluster);
  const mounts = await ask(cluster, 'sys/mounts', { token });
  const policy = await ask(cluster, 'sys/policies/acl/deployer', { token });
  const key = await ask(cluster, 'sys/managed-keys/pkcs11/signing', { token });
  const kept = Object.keys(mounts?.data ?? {}).filter((mount) => /^(secret|\w+-only)\/$/.test(mount));
  return `mounts: ${kept.join(', ')}; policy deployer ${there(policy)}; managed key signing ${there(key)}`;
}

function there(answer: unknown): string {
  return answer === undefined ? 'is missing' : 'is there';
}
