import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, startS3Server, type S3Server } from '../../src/emulator';
import { summary, warnings } from '../story/output';
import { ask } from '../story/server';
import type { Stage } from '../story/stage';
import { Steps, StoryError } from '../story/steps';

const APP = join(__dirname, 'main.js');
const STACK = join('cdktf.out', 'stacks', 'snapshots');
const SECRET_KEY = 'secret-key-of-the-story';
const BUCKET = 'vault-backups';
const PLAN = ['plan', '-input=false', '-no-color'];
/** More than what the directory of the example may hold. */
const TOO_MUCH = 1_500_000;

/** Snapshots to a directory and to a bucket, watched while time passes and the space runs out. */
export async function tellSnapshots(stage: Stage): Promise<void> {
  const { step } = new Steps('Automated snapshots to a directory and to a bucket, and their health');

  // The AWS library that the emulator loads would speak of the future of Node in the midst of the
  // story.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const emulator = await startEmulator({ clusters: { us: 0 } });
  stage.atEnd(() => emulator.close());
  const s3 = await startS3Server({
    credentials: { accessKeyId: 'AKIABACKUPS', secretAccessKey: SECRET_KEY },
    buckets: [BUCKET],
  });
  stage.atEnd(() => s3.close());
  emulator.clock.freeze();
  const us = emulator.clusters.us;
  const directory = join(stage.folder, 'snapshots');
  mkdirSync(directory);

  const stack = join(stage.folder, STACK);
  const terraform = stage.terraform({
    VAULT_ADDR: us.address,
    VAULT_TOKEN: us.rootToken,
    TF_VAR_backup_secret_key: SECRET_KEY,
    VAULT_ADMIN_EXAMPLE_DIRECTORY: directory,
    VAULT_ADMIN_EXAMPLE_S3_ENDPOINT: new URL(s3.address).host,
  });
  const pass = async (hours: number) => {
    emulator.clock.advance(hours * 3_600_000);
    await emulator.clock.settled();
  };
  const health = async () => {
    const { output } = await terraform.run(stack, PLAN);
    return warnings(output).join('\n') || 'no warning: all is well';
  };

  await step(
    'emulate a cluster, and a bucket on a server like S3',
    async () => `us at ${us.address}, S3 at ${s3.address}`,
  );
  await step('synthesize examples/snapshots, and terraform init', async () => {
    await terraform.runScript(stage.folder, APP);
    await terraform.run(stack, ['init', '-input=false', '-no-color']);
  });
  await step('terraform apply: snapshots that are not due yet are no reason to warn', async () => {
    const { output } = await terraform.run(stack, ['apply', '-input=false', '-no-color', '-auto-approve']);
    return [summary(output), ...warnings(output)].join('\n');
  });
  await step('a second plan', async () => summary((await terraform.run(stack, PLAN)).output));

  await step('one hour passes, and four more: three snapshots are kept', async () => {
    await pass(1);
    await pass(4);
    return files(directory);
  });
  await step('the rest of a day passes: the bucket has its first snapshot', async () => {
    await pass(19);
    return objects(s3);
  });
  await step('terraform plan looks after them', health);

  await step('the data outgrow what the directory may hold', async () => {
    await ask(us, 'sys/mounts/ledger', { method: 'PUT', body: { type: 'kv' } });
    const entry = randomBytes(TOO_MUCH / 2).toString('hex');
    await ask(us, 'ledger/2026', { method: 'PUT', body: { entry } });
    await pass(1);
    return files(directory);
  });
  await step('terraform plan warns of it', async () => {
    const warned = await health();
    if (!warned.includes('"hourly"')) throw new StoryError('it does not');
    return warned;
  });
  await step('the ledger is deleted, and an hour later all is well', async () => {
    await ask(us, 'ledger/2026', { method: 'DELETE' });
    await pass(1);
    return health();
  });
  await step('terraform destroy leaves what was written', async () => {
    const { output } = await terraform.run(stack, ['destroy', '-input=false', '-no-color', '-auto-approve']);
    return `${summary(output)}\n${files(directory)}\n${objects(s3)}`;
  });
}

function files(directory: string): string {
  const found = readdirSync(directory).sort();
  return found.map((name) => `${name}, ${statSync(join(directory, name)).size} bytes`).join('\n');
}

function objects({ buckets }: S3Server): string {
  const found = [...(buckets.get(BUCKET) ?? [])];
  return found.map(([key, { content }]) => `${BUCKET}/${key}, ${content.length} bytes`).join('\n');
}
