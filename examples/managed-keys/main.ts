/**
 * Managed keys on a Vault cluster: one in an HSM, which is generated when it is first tried, and
 * one in AWS KMS.
 *
 * Before the first apply, change the names below to those of your HSM and your AWS account. Secrets
 * are taken from variables and kept nowhere:
 *
 *   export VAULT_ADDR=... VAULT_TOKEN=...
 *   export TF_VAR_hsm_pin=... TF_VAR_kms_access_key=... TF_VAR_kms_secret_key=...
 *   cdktf deploy
 *
 * To rotate a secret, change its variable and increase the version, so that Terraform writes it
 * again:
 *
 *   export TF_VAR_kms_secret_key=... TF_VAR_kms_secrets_version=2
 *
 * A PKI mount that may use the key of the HSM is a resource of the provider hashicorp/vault, which
 * Terraform downloads:
 *
 *   VAULT_ADMIN_EXAMPLE_MOUNT=yes cdktf deploy
 */
import { Mount } from '@cdktf/provider-vault/lib/mount';
import { App, TerraformOutput, TerraformStack, TerraformVariable } from 'cdktf';
import {
  AclPolicy,
  KeySpec,
  KeyCurve,
  ManagedKey,
  ManagedKeyBackend,
  ManagedKeyUsage,
  Pkcs11Mechanism,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from 'cdktf-vault-admin';

const app = new App();
const stack = new TerraformStack(app, 'managed-keys');
const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });

const signing = new ManagedKey(stack, 'PkiSigning', {
  cluster,
  keyName: 'pki-signing',
  usages: [ManagedKeyUsage.SIGN, ManagedKeyUsage.VERIFY],
  backend: ManagedKeyBackend.pkcs11({
    library: 'hsm',
    tokenLabel: 'vault',
    keyLabel: 'pki-signing',
    mechanism: Pkcs11Mechanism.RSA_PKCS_PSS,
    keySpec: KeySpec.rsa(2048),
    pin: VaultSecret.fromVariable('hsm_pin'),
  }),
  allowGenerateKey: true,
  testSign: { usePss: true },
});

const kmsSecretsVersion = new TerraformVariable(stack, 'kms_secrets_version', {
  type: 'number',
  default: 1,
  description: 'To be raised whenever kms_access_key or kms_secret_key changes.',
});
const release = new ManagedKey(stack, 'ReleaseSigning', {
  cluster,
  keyName: 'release-signing',
  backend: ManagedKeyBackend.awsKms({
    kmsKey: 'alias/release-signing',
    keySpec: KeySpec.ecc(KeyCurve.P256),
    region: 'eu-west-1',
    accessKey: VaultSecret.fromVariable('kms_access_key'),
    secretKey: VaultSecret.fromVariable('kms_secret_key'),
    secretsVersion: kmsSecretsVersion.numberValue,
  }),
  allowGenerateKey: true,
  testSign: {},
});

// Whoever is on call may see how the keys are configured, and try them.
const onCall = new AclPolicy(stack, 'OnCall', { cluster, policyName: 'keys-on-call' });
for (const key of [signing, release]) {
  key.grantRead(onCall);
  key.grantTestSign(onCall);
}

if (process.env.VAULT_ADMIN_EXAMPLE_MOUNT) {
  const provider = cluster.providerFor(stack, ResourceProvider.UPSTREAM);
  signing.allowOn(new Mount(stack, 'Pki', { provider, path: 'pki', type: 'pki' }));
}

new TerraformOutput(stack, 'SigningKey', {
  value: signing.uuid,
  description: 'The id of the key that signs.',
});

app.synth();
