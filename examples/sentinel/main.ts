/**
 * Sentinel policies with tests: when secrets are written, and from where contractors work. They
 * need an enterprise edition.
 *
 *   cdktf-vault-admin policy test policies
 *   cdktf deploy
 *
 * Through the environment of the synthesis:
 *
 *   VAULT_ADMIN_EXAMPLE_POLICIES=folder   where the policies are; default: policies
 *   VAULT_ADMIN_EXAMPLE_LOCK_OUT=yes      one more policy, which would refuse the deployment
 */
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  Capability,
  EgpPolicy,
  EnforcementLevel,
  PolicyStatement,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  ResourceProvider,
} from 'cdktf-vault-admin';

const { VAULT_ADMIN_EXAMPLE_POLICIES: folder = 'policies', VAULT_ADMIN_EXAMPLE_LOCK_OUT: locksOut } =
  process.env;
const document = (name: string) => SentinelDocument.fromFile(join(folder, `${name}.sentinel`));

const app = new App();
const stack = new TerraformStack(app, 'sentinel');
const cluster = new VaultCluster(stack, 'Cluster', { resourceProvider: ResourceProvider.VAULTADMIN });

new AclPolicy(stack, 'AppWriter', {
  cluster,
  policyName: 'app-writer',
  statements: [
    new PolicyStatement({
      paths: ['kv/app'],
      capabilities: [Capability.CREATE, Capability.READ, Capability.UPDATE],
    }),
  ],
});

// For everybody: in an emergency it can be overridden.
new EgpPolicy(stack, 'BusinessHours', {
  cluster,
  policyName: 'business-hours',
  document: document('business-hours'),
  enforcementLevel: EnforcementLevel.SOFT_MANDATORY,
  paths: ['kv/*'],
});

// For those who have it among their policies.
new RgpPolicy(stack, 'OfficeNetwork', {
  cluster,
  policyName: 'office-network',
  document: document('office-network'),
  enforcementLevel: EnforcementLevel.HARD_MANDATORY,
});

if (locksOut) {
  new EgpPolicy(stack, 'ReadOnly', {
    cluster,
    policyName: 'read-only',
    document: SentinelDocument.fromText('main = rule { request.operation in ["read", "list"] }\n'),
    enforcementLevel: EnforcementLevel.HARD_MANDATORY,
    paths: ['*'],
  });
}
app.synth();
