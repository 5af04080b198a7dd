/**
 * Policies for a team, on one Vault cluster or on several.
 *
 * One cluster, where VAULT_ADDR and VAULT_TOKEN say, open-source or enterprise:
 *
 *   cdktf deploy
 *
 * Several clusters, and other choices, through the environment of the synthesis:
 *
 *   VAULT_ADMIN_EXAMPLE_CLUSTERS=us,eu       clusters by name; Terraform finds each by
 *                                            VAULTADMIN_US_ADDR, VAULTADMIN_US_TOKEN and so on
 *   VAULT_ADMIN_EXAMPLE_SENTINEL=yes         RGP and EGP policies as well (enterprise edition)
 *   VAULT_ADMIN_EXAMPLE_RESOURCES=upstream   resources of hashicorp/vault, for one cluster
 */
import { App, TerraformOutput, TerraformStack } from 'cdktf';
import {
  AclPolicy,
  Capability,
  Duration,
  EgpPolicy,
  EnforcementLevel,
  PolicyDocument,
  PolicyStatement,
  RgpPolicy,
  SentinelDocument,
  VaultCluster,
  ResourceProvider,
  type IVaultCluster,
} from 'cdktf-vault-admin';
import { Construct } from 'constructs';

/** The rights of the team's people and applications, the same on every cluster. */
class TeamPolicies extends Construct {
  constructor(scope: Construct, id: string, cluster: IVaultCluster) {
    super(scope, id);

    const appReader = new AclPolicy(this, 'AppReader', {
      cluster,
      policyName: 'app-reader',
      statements: [
        new PolicyStatement({
          comment: 'What the application needs at run time.',
          paths: ['secret/data/app/*'],
          capabilities: [Capability.READ],
        }),
      ],
    });
    appReader.addStatements(
      new PolicyStatement({ paths: ['secret/metadata/app/*'], capabilities: [Capability.LIST] }),
      new PolicyStatement({ paths: ['secret/data/app/root-key'], capabilities: [Capability.DENY] }),
    );

    const appDeployer = new AclPolicy(this, 'AppDeployer', {
      cluster,
      policyName: 'app-deployer',
      document: new PolicyDocument({
        statements: [
          new PolicyStatement({
            comment: 'Deployments write secrets, and have to say over which version.',
            paths: ['secret/data/app/*'],
            capabilities: [Capability.CREATE, Capability.UPDATE],
            requiredParameters: ['data', 'options'],
          }),
          new PolicyStatement({
            comment: 'They hand out secret ids wrapped, for ten minutes at most.',
            paths: ['auth/approle/role/app/secret-id'],
            capabilities: [Capability.UPDATE],
            minWrappingTtl: Duration.minutes(1),
            maxWrappingTtl: Duration.minutes(10),
          }),
        ],
      }),
    });

    // A policy that is written already can stay as it is.
    const ownSecrets = new AclPolicy(this, 'OwnSecrets', {
      cluster,
      policyName: 'own-secrets',
      document: PolicyDocument.fromText(`
# Everybody keeps secrets under their own name.
path "secret/data/people/{{identity.entity.name}}/*" {
  capabilities = ["create", "read", "update", "patch", "delete"]
}
`),
    });

    // The policy every token has is on the cluster already: it is referred to, and not written.
    const everybody = AclPolicy.fromPolicyName(this, 'Everybody', 'default');

    new TerraformOutput(this, 'DeployerPolicies', {
      value: [everybody, appReader, appDeployer, ownSecrets].map((policy) => policy.policyName),
      description: 'The policies for the tokens of deployments.',
    });
  }
}

/** When and from where: rules that no ACL policy can express. */
class TeamGuards extends Construct {
  constructor(scope: Construct, id: string, cluster: IVaultCluster) {
    super(scope, id);

    new RgpPolicy(this, 'BusinessHours', {
      cluster,
      policyName: 'business-hours',
      enforcementLevel: EnforcementLevel.SOFT_MANDATORY,
      document: SentinelDocument.fromText(`
import "time"

main = rule {
  time.now.weekday > 0 and time.now.weekday < 6 and
  time.now.hour >= 7 and time.now.hour < 19
}
`),
    });

    new EgpPolicy(this, 'OfficeNetwork', {
      cluster,
      policyName: 'office-network',
      enforcementLevel: EnforcementLevel.ADVISORY,
      paths: ['secret/data/app/*', 'secret/delete/app/*'],
      document: SentinelDocument.fromText(`
import "sockaddr"

main = rule {
  sockaddr.is_contained("10.0.0.0/8", request.connection.remote_addr)
}
`),
    });
  }
}

const {
  VAULT_ADMIN_EXAMPLE_CLUSTERS: clusterNames,
  VAULT_ADMIN_EXAMPLE_SENTINEL: withSentinel,
  VAULT_ADMIN_EXAMPLE_RESOURCES: resources,
} = process.env;

const app = new App();
const stack = new TerraformStack(app, 'policies');
for (const name of clusterNames?.split(',') ?? ['default']) {
  const cluster = new VaultCluster(stack, `Cluster-${name}`, {
    name,
    resourceProvider: resources === 'upstream' ? ResourceProvider.UPSTREAM : ResourceProvider.VAULTADMIN,
  });
  new TeamPolicies(stack, `Policies-${name}`, cluster);
  if (withSentinel) new TeamGuards(stack, `Guards-${name}`, cluster);
}
app.synth();
