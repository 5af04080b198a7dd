import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator, type Emulator, type RunningCluster } from '../../src/emulator';
import { changes, refusal, summary } from '../story/output';
import { ask } from '../story/server';
import type { Stage } from '../story/stage';
import { Steps, StoryError } from '../story/steps';
import type { Terraform } from '../story/terraform';

const APP = join(__dirname, 'main.js');
const STACK = join('cdktf.out', 'stacks', 'managed-keys');
const SECRETS = {
  TF_VAR_hsm_pin: 'pin-of-the-story',
  TF_VAR_kms_access_key: 'access-key-of-the-story',
  TF_VAR_kms_secret_key: 'secret-key-of-the-story',
};
const ROTATED_SECRETS = { ...SECRETS, TF_VAR_kms_secret_key: 'other-secret-key-of-the-story' };
const PLAN = ['plan', '-input=false', '-no-color', '-detailed-exitcode'];
const APPLY = ['apply', '-input=false', '-no-color'];
const DESTROY = ['destroy', '-input=false', '-no-color', '-auto-approve'];
/** A mount that another team has made by hand. */
const MOUNT = 'transit';

/**
 * A key that an HSM generates, a key with credentials that are rotated, and a deletion that a mount
 * stands against.
 */
export async function tellManagedKeys(stage: Stage): Promise<void> {
  const { step } = new Steps('Managed keys in an HSM and in AWS KMS, with secrets that are kept nowhere');

  const emulator = await startEmulator({ clusters: { us: 0 } });
  stage.atEnd(() => emulator.close());
  const us = emulator.clusters.us;
  const address = { VAULT_ADDR: us.address, VAULT_TOKEN: us.rootToken };
  const stack = join(stage.folder, STACK);
  const first = stage.terraform({ ...address, ...SECRETS });
  const rotated = stage.terraform({ ...address, ...ROTATED_SECRETS, TF_VAR_kms_secrets_version: '2' });
  const printed: string[] = [];
  const run = async (terraform: Terraform, args: readonly string[], accepted?: readonly number[]) => {
    const { output } = await terraform.run(stack, args, accepted);
    printed.push(output);
    return output;
  };

  await step('emulate a cluster, an HSM with a token and a PIN, and AWS KMS with credentials', async () => {
    const { pkcs11, awskms } = emulator.keyStores;
    await pkcs11.tokens.add({ library: 'hsm', token_label: 'vault', pin: SECRETS.TF_VAR_hsm_pin });
    await awskms.credentials.add(credentials(SECRETS));
    return keys(emulator);
  });
  await step('synthesize examples/managed-keys, and terraform init', async () => {
    await first.runScript(stage.folder, APP);
    await run(first, ['init', '-input=false', '-no-color']);
  });
  await step('terraform plan', async () => summary(await run(first, [...PLAN, '-out=first.plan'], [2])));
  await step('terraform apply makes a test signature with each key, which generates it', async () => {
    const output = await run(first, [...APPLY, 'first.plan']);
    return `${summary(output)}\n${keys(emulator)}`;
  });
  await step('read the keys by plain HTTP: the server hides the secrets', async () => {
    const { pin } = await configuration(us, 'pkcs11/pki-signing');
    const { secret_key: secretKey } = await configuration(us, 'awskms/release-signing');
    return `pin: ${String(pin)}; secret_key: ${String(secretKey)}`;
  });
  await step('a second plan', async () => summary(await run(first, PLAN)));

  await step('AWS gets another secret key, and refuses the old one', async () => {
    await emulator.keyStores.awskms.credentials.add(credentials(ROTATED_SECRETS));
  });
  await step('a plan with the other secret key, and its version raised, shows the rotation', async () => {
    const output = await run(rotated, [...PLAN, '-out=rotation.plan'], [2]);
    return `${summary(output)}\n${changes(output)}`;
  });
  await step('terraform apply writes it under the same name, and signs with it', async () =>
    summary(await run(rotated, [...APPLY, 'rotation.plan'])),
  );
  await step('look for the secrets in the stack, its state, its plans and all that was printed', async () => {
    for (const plan of ['first.plan', 'rotation.plan']) await run(rotated, ['show', '-json', plan]);
    const secrets = [...Object.values(SECRETS), ...Object.values(ROTATED_SECRETS)];
    const texts = [...filesIn(stack), ...printed];
    const hits = texts.filter((text) => secrets.some((secret) => text.includes(secret)));
    if (hits.length > 0) throw new StoryError(`${hits.length} of ${texts.length} texts hold a secret`);
    return `${texts.length} texts, and none of them holds a secret`;
  });

  await step(`another team lets its mount ${MOUNT} use the key pki-signing`, async () => {
    const config = { allowed_managed_keys: ['pki-signing'] };
    await ask(us, `sys/mounts/${MOUNT}`, { method: 'PUT', body: { type: 'transit', config } });
  });
  await step('terraform destroy is refused for this key', async () => {
    return refusal(await run(rotated, DESTROY, [1]));
  });
  await step(`the mount ${MOUNT} no longer uses the key, and terraform destroy succeeds`, async () => {
    await ask(us, `sys/mounts/${MOUNT}/tune`, { method: 'PUT', body: { allowed_managed_keys: [] } });
    return summary(await run(rotated, DESTROY));
  });
  await step('what is left: the keys themselves, which the server never deletes', async () => keys(emulator));
}

function credentials(variables: typeof SECRETS) {
  return { access_key: variables.TF_VAR_kms_access_key, secret_key: variables.TF_VAR_kms_secret_key };
}

/** The keys in the HSM and in AWS KMS. */
function keys({ keyStores: { pkcs11, awskms } }: Emulator): string {
  const inHsm = pkcs11.keys.list().map(({ key_label, key_bits }) => `${key_label}, RSA ${key_bits}`);
  const inKms = awskms.keys.list().map(({ alias, curve }) => `${alias}, ECDSA ${curve}`);
  return `HSM: ${inHsm.join('; ') || 'no key'}\nAWS KMS: ${inKms.join('; ') || 'no key'}`;
}

async function configuration(cluster: RunningCluster, key: string) {
  const answer = await ask(cluster, `sys/managed-keys/${key}`);
  if (!answer) throw new StoryError(`${key} is not on ${cluster.name}`);
  return answer.data;
}

/** The files of a stack, without the provider's. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => readFileSync(join(folder, name), 'latin1'));
}
