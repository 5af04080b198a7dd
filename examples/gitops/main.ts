/**
 * A GitOps repository: an app, the place of its state, and a pipeline that plans every
 * review and applies every merge: github.yml or gitlab.yml beside this file.
 * docs/guides/pipelines.md tells how to make it yours.
 *
 * Secrets come from the pipeline's environment alone: TF_VAR_id_token, its own identity, for the
 * login, and what the state's backend needs.
 */
import { App, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  Capability,
  PolicyStatement,
  VaultCluster,
  ResourceProvider,
  VaultSecret,
} from 'cdktf-vault-admin';
import { keepState } from './state';

// Where things are is no secret. It stands here and not in the pipeline, because synth.sha256
// covers what is made of it.
const {
  VAULT_ADDR: address = 'https://vault.example.com:8200',
  STATE_ADDRESS: state = 's3://example-vault-states/estate',
} = process.env;

const app = new App();
const stack = new TerraformStack(app, 'gitops');
keepState(stack, state);

const cluster = new VaultCluster(stack, 'Cluster', {
  address,
  resourceProvider: ResourceProvider.VAULTADMIN,
  authLogin: {
    path: 'auth/jwt/login',
    // The role of a plan may only read, that of an apply may write. Each run names its role, which
    // is not part of the plan.
    parameters: {
      role: VaultSecret.fromVariable('vault_role'),
      jwt: VaultSecret.fromVariable('id_token'),
    },
  },
});

new AclPolicy(stack, 'AppReader', {
  cluster,
  policyName: 'app-reader',
  statements: [new PolicyStatement({ paths: ['secret/data/app/*'], capabilities: [Capability.READ] })],
});

app.synth();
