/**
 * A GitOps repository: dev, stage and prod, each a pair of clusters with replication and policies,
 * and a pipeline that plans every review and takes every merge from one environment to the next:
 * github.yml or gitlab.yml beside this file. docs/guides/pipelines.md shows how to make it yours.
 *
 * Secrets come from the pipeline's environment alone: TF_VAR_id_token, its own identity, for the
 * login, and what the state's backend needs.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  PerfReplicationSet,
  PolicyDocument,
  ResourceProvider,
  VaultCluster,
  VaultSecret,
} from 'cdktf-vault-admin';
import { keepState } from './state';

interface Environment {
  /** The cluster that takes the writes. Naming the other one switches over. */
  readonly primary: 'us' | 'eu';
  /** The addresses of the clusters. */
  readonly us: string;
  readonly eu: string;
}

// Where things are is no secret. It stands in a file and not in the pipeline, because synth.sha256
// covers what is made of it.
const { state, environments } = JSON.parse(readFileSync('estate.json', 'utf8')) as {
  readonly state: string;
  readonly environments: Readonly<Record<string, Environment>>;
};

// Each environment has a folder of its own, cdktf.out/dev, in which stacks.mjs finds its stacks and
// their order.
mkdirSync('cdktf.out', { recursive: true });
for (const [name, environment] of Object.entries(environments)) {
  const app = new App({ outdir: join('cdktf.out', name) });
  const replication = new TerraformStack(app, 'replication');
  replicate(replication, environment);
  const policies = new TerraformStack(app, 'policies');
  writePolicies(policies, name, environment);
  // Policies that are written once the set exists reach both clusters.
  policies.addDependency(replication);
  for (const stack of [replication, policies]) keepState(stack, `${state}/${name}`);
  app.synth();
}

function replicate(stack: TerraformStack, environment: Environment): void {
  const [us, eu] = [clusterIn(stack, 'us', environment.us), clusterIn(stack, 'eu', environment.eu)];
  new PerfReplicationSet(stack, 'Set', {
    primary: environment.primary === 'us' ? us : eu,
    // The login of the pipeline was set up on eu before it joins: that much is erased.
    members: [{ cluster: us }, { cluster: eu, confirmDataLoss: 'eu' }],
  });
}

/** Files in policies/ are for all environments, unless policies/dev/ has one of the same name. */
function writePolicies(stack: TerraformStack, name: string, environment: Environment): void {
  const cluster = clusterIn(stack, 'primary', environment[environment.primary]);
  const files = new Map(
    ['policies', join('policies', name)].flatMap((folder) =>
      policyFiles(folder).map((file) => [basename(file, '.hcl'), file] as const),
    ),
  );
  for (const [policyName, file] of files) {
    new AclPolicy(stack, policyName, { cluster, policyName, document: PolicyDocument.fromFile(file) });
  }
}

function policyFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.hcl'));
  return files.map((file) => join(folder, file));
}

function clusterIn(stack: TerraformStack, name: string, address: string): VaultCluster {
  return new VaultCluster(stack, name, {
    name,
    address,
    resourceProvider: ResourceProvider.VAULTADMIN,
    authLogin: {
      path: 'auth/jwt/login',
      // The role of a plan may only read, that of an apply may write. Each run names its role,
      // which is not part of the plan.
      parameters: {
        role: VaultSecret.fromVariable('vault_role'),
        jwt: VaultSecret.fromVariable('id_token'),
      },
    },
  });
}
