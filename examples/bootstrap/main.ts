/**
 * An environment from nothing: three new clusters become a replication set with filters, and get
 * policies and a managed key.
 *
 * The clusters are initialized and unsealed. VAULTADMIN_US_ADDR and VAULTADMIN_US_TOKEN, and the
 * same for EU and AP, say where they are, each with its root token; TF_VAR_hsm_pin is the PIN of
 * the HSM.
 *
 *   cdktf deploy
 *
 * The root tokens of eu and ap end with their joining. For later changes, set up an auth method on
 * us, which is replicated, and log in with it: see examples/replication.
 */
import { App, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  Capability,
  KeySpec,
  ManagedKey,
  ManagedKeyBackend,
  ManagedKeyUsage,
  PathsFilter,
  PerfReplicationSet,
  Pkcs11Mechanism,
  PolicyStatement,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from 'cdktf-vault-admin';

const app = new App();
const stack = new TerraformStack(app, 'bootstrap');

const [us, eu, ap] = ['us', 'eu', 'ap'].map(
  (name) =>
    new VaultCluster(stack, `Cluster-${name}`, { name, resourceProvider: ResourceProvider.VAULTADMIN }),
) as [VaultCluster, VaultCluster, VaultCluster];

const set = new PerfReplicationSet(stack, 'Set', {
  primary: us,
  members: [
    { cluster: us },
    // Filters are there before the mounts are: nothing of them is ever sent.
    { cluster: eu, pathsFilter: PathsFilter.deny(['us-only/', 'ap-only/']) },
    { cluster: ap, pathsFilter: PathsFilter.deny(['us-only/', 'eu-only/']) },
  ],
});

const deployer = new AclPolicy(stack, 'Deployer', {
  cluster: us,
  policyName: 'deployer',
  statements: [
    new PolicyStatement({
      paths: ['secret/data/app/*'],
      capabilities: [Capability.CREATE, Capability.UPDATE],
    }),
  ],
});

const signing = new ManagedKey(stack, 'Signing', {
  cluster: us,
  keyName: 'signing',
  backend: ManagedKeyBackend.pkcs11({
    library: 'hsm',
    slot: '0',
    pin: VaultSecret.fromVariable('hsm_pin'),
    keyLabel: 'signing',
    mechanism: Pkcs11Mechanism.RSA_PKCS_PSS,
    keySpec: KeySpec.rsa(2048),
  }),
  usages: [ManagedKeyUsage.SIGN, ManagedKeyUsage.VERIFY],
  allowGenerateKey: true,
  testSign: { usePss: true },
});
signing.grantTestSign(deployer);

// Objects that are written after the set exists reach every member.
for (const construct of [deployer, signing]) construct.node.addDependency(set);

app.synth();
