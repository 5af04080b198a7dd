/**
 * What a GitOps repository holds: an app, and pipeline.yml beside this file, which plans every review and applies every
 * merge.
 *
 * Its state is kept by an `http` backend, whose lock lets one run after the other change it. Secrets come from the
 * pipeline's environment alone: TF_VAR_secret_id for the login, TF_HTTP_PASSWORD for the state.
 */
import { App, HttpBackend, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  Capability,
  PolicyStatement,
  VaultCluster,
  VaultResources,
  VaultSecret,
} from 'cdktf-vault-admin';

// Where things are is no secret, and may as well stand here.
const {
  VAULT_ADDR: address = 'https://vault.example.com:8200',
  STATE_ADDRESS: state = 'https://state.example.com/vault',
  VAULT_ROLE_ID: roleId = '5f1a6c4e-pipeline',
} = process.env;

const app = new App();
const stack = new TerraformStack(app, 'gitops');
new HttpBackend(stack, { address: state, lockAddress: state, unlockAddress: state });

const cluster = new VaultCluster(stack, 'Cluster', {
  address,
  resources: VaultResources.VAULTADMIN,
  authLogin: {
    path: 'auth/approle/login',
    parameters: { role_id: roleId, secret_id: VaultSecret.fromVariable('secret_id') },
  },
});

new AclPolicy(stack, 'AppReader', {
  cluster,
  policyName: 'app-reader',
  statements: [new PolicyStatement({ paths: ['secret/data/app/*'], capabilities: [Capability.READ] })],
});

app.synth();
