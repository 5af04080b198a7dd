import { join } from 'node:path';
import { startEmulator, type RunningCluster } from '../../src/emulator';
import { logIn, OPERATOR_PASSWORD, setUpOperator } from '../story/operator';
import { plannedSteps, refusal, summary } from '../story/output';
import { ask } from '../story/server';
import type { Stage } from '../story/stage';
import { Steps, StoryError } from '../story/steps';

const APP = join(__dirname, 'main.js');
const STACK = join('cdktf.out', 'stacks', 'replication');
const PLAN = ['plan', '-input=false', '-no-color', '-detailed-exitcode'];
const APPLY = ['apply', '-input=false', '-no-color', '-auto-approve'];

/** Joins two clusters with a filter, switches over, and ends the set. */
export async function tellReplication(stage: Stage): Promise<void> {
  const { step } = new Steps('Performance replication: join, filter, switch over, leave');
  const emulator = await startEmulator({ clusters: { us: 0, eu: 0 } });
  stage.atEnd(() => emulator.close());
  const { us, eu } = emulator.clusters as { us: RunningCluster; eu: RunningCluster };
  const stack = join(stage.folder, STACK);
  const environment = {
    VAULTADMIN_US_ADDR: us.address,
    VAULTADMIN_EU_ADDR: eu.address,
    TF_VAR_operator_password: OPERATOR_PASSWORD,
  };
  const terraform = stage.terraform(environment);
  const synthesize = (changed: NodeJS.ProcessEnv = {}) =>
    stage.terraform({ ...environment, ...changed }).runScript(stage.folder, APP);
  const apply = async () => {
    const { output } = await terraform.run(stack, APPLY);
    return `${summary(output)}\n${await modes(us, eu)}`;
  };

  await step('emulate two clusters, with an operator on each and data on us', async () => {
    for (const cluster of [us, eu]) await setUpOperator(cluster);
    await setUpData(us);
    return 'us has secret/app and us-only/ledger';
  });
  await step('synthesize examples/replication, and terraform init', async () => {
    await synthesize();
    await terraform.run(stack, ['init', '-input=false', '-no-color']);
  });
  await step('terraform plan lists what will happen', async () => {
    const { output } = await terraform.run(stack, PLAN, [2]);
    return plannedSteps(output);
  });
  await step('terraform apply: eu joins us', apply);
  await step('read eu: what has arrived, and what has not', () => holdings(eu));
  await step('a second plan', async () => summary((await terraform.run(stack, PLAN)).output));

  await step('name eu as the primary: refused, since it lacks what the filter keeps from it', async () => {
    await synthesize({ VAULT_ADMIN_EXAMPLE_PRIMARY: 'eu' });
    const { output } = await terraform.run(stack, PLAN, [1]);
    return refusal(output);
  });
  await step('take the filter away: eu gets everything', async () => {
    await synthesize({ VAULT_ADMIN_EXAMPLE_FILTER: 'no' });
    await terraform.run(stack, APPLY);
    return holdings(eu);
  });
  await step('name eu as the primary again, one line: the plan', async () => {
    await synthesize({ VAULT_ADMIN_EXAMPLE_FILTER: 'no', VAULT_ADMIN_EXAMPLE_PRIMARY: 'eu' });
    const { output } = await terraform.run(stack, PLAN, [2]);
    return `${await modes(us, eu)}\n${plannedSteps(output)}`;
  });
  await step('terraform apply: eu takes over', apply);
  await step('write to eu, and read it on us', async () => {
    await ask(eu, 'secret/app', { method: 'PUT', body: { written_on: 'eu' }, token: await logIn(eu) });
    const { data } = (await ask(us, 'secret/app', { token: await logIn(us) })) ?? {};
    if (data?.written_on !== 'eu') throw new StoryError('what was written to eu is not on us');
    return 'it is there';
  });

  await step('take us out of the set', async () => {
    await synthesize({
      VAULT_ADMIN_EXAMPLE_FILTER: 'no',
      VAULT_ADMIN_EXAMPLE_PRIMARY: 'eu',
      VAULT_ADMIN_EXAMPLE_MEMBERS: 'eu',
    });
    const { output } = await terraform.run(stack, PLAN, [2]);
    return plannedSteps(output);
  });
  await step('terraform apply: us leaves', apply);
  await step('terraform destroy: refused', async () => {
    const { output } = await terraform.run(
      stack,
      ['destroy', '-input=false', '-no-color', '-auto-approve'],
      [1],
    );
    return refusal(output);
  });
  await step('permit it, and destroy: both clusters keep their data', async () => {
    await synthesize({
      VAULT_ADMIN_EXAMPLE_FILTER: 'no',
      VAULT_ADMIN_EXAMPLE_PRIMARY: 'eu',
      VAULT_ADMIN_EXAMPLE_MEMBERS: 'eu',
      VAULT_ADMIN_EXAMPLE_PROTECTED: 'no',
    });
    await terraform.run(stack, APPLY);
    const { output } = await terraform.run(stack, ['destroy', '-input=false', '-no-color', '-auto-approve']);
    return `${summary(output)}\n${await modes(us, eu)}\nus: ${await holdings(us)}\neu: ${await holdings(eu)}`;
  });
}

async function setUpData(cluster: RunningCluster): Promise<void> {
  for (const mount of ['secret', 'us-only']) {
    await ask(cluster, `sys/mounts/${mount}`, { method: 'PUT', body: { type: 'kv' } });
  }
  await ask(cluster, 'secret/app', { method: 'PUT', body: { written_on: 'us' } });
  await ask(cluster, 'us-only/ledger', { method: 'PUT', body: { written_on: 'us' } });
}

async function holdings(cluster: RunningCluster): Promise<string> {
  const token = await logIn(cluster);
  const found = await Promise.all(
    ['secret/app', 'us-only/ledger'].map(async (path) => {
      const answer = await ask(cluster, path, { token });
      return `${path} ${answer ? 'is there' : 'is not there'}`;
    }),
  );
  return found.join(', ');
}

interface Status {
  readonly mode?: string;
  readonly state?: string;
  readonly last_performance_wal?: number;
  readonly last_remote_wal?: number;
}

/** The status of each cluster, which is read without a token. */
async function modes(...clusters: RunningCluster[]): Promise<string> {
  const lines = await Promise.all(
    clusters.map(async (cluster) => {
      const answer = await ask(cluster, 'sys/replication/performance/status', { token: '' });
      const {
        mode,
        state,
        last_performance_wal: written,
        last_remote_wal: received,
      } = (answer?.data ?? {}) as Status;
      const wal = written ?? received;
      const facts = [mode, state, wal === undefined ? undefined : `WAL ${wal}`].filter(Boolean);
      return `${cluster.name}: ${facts.join(', ')}`;
    }),
  );
  return lines.join('\n');
}
