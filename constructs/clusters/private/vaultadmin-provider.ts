import type { TerraformProvider, TerraformResource, TerraformStack } from 'cdktf';
import {
  VaultadminProvider,
  vaultadminProviderClustersToTerraform,
} from '../../generated/providers/vaultadmin/provider';
import { PROVIDER_NAME } from '../../../src/model/provider-source';
import { checkOutput } from '../../placement/output-folder';
import { placeProvider } from '../../placement/place-provider';
import { installationOf } from '../../placement/private/installation';
import { withRequiredVersion } from '../../private/required-version';
import { watchVariables } from '../../private/secret-sources';
import { watchSecrets } from '../../private/secrets';
import type { IVaultCluster } from '../cluster';
import type { VaultConnection } from '../connection';
import { guardedConnection } from './guarded-connection';
import { connectionSecrets } from './check-connection';
import { verbatim } from '../../private/late-text';

const ID = 'VaultadminProvider';

/**
 * Adds a cluster to the only block of `vaultadmin` in a stack, which the first cluster creates.
 *
 * @param isShared whether `hashicorp/vault` uses the cluster as well, in any stack. It is called
 *   at synthesis.
 */
export function vaultadminProvider(
  stack: TerraformStack,
  cluster: IVaultCluster,
  connection: VaultConnection,
  isShared: () => boolean,
): TerraformProvider {
  const present = stack.node.tryFindChild(ID) as StackProvider | undefined;
  const provider = present ?? new StackProvider(stack, ID);
  provider.addCluster({ cluster, connection, isShared });
  return provider;
}

interface Member {
  readonly cluster: IVaultCluster;
  readonly connection: VaultConnection;
  readonly isShared: () => boolean;
}

interface ProviderBlock {
  readonly terraform: { readonly required_providers: Readonly<Record<string, { source: string }>> };
}

class StackProvider extends VaultadminProvider {
  private readonly members: Member[] = [];

  constructor(stack: TerraformStack, id: string) {
    super(stack, id, { clusters: verbatim(() => this.clustersBlock()) });
    placeProvider(this);
  }

  addCluster(member: Member): void {
    this.members.push(member);
    const secrets = connectionSecrets(member.connection);
    watchSecrets(this, 'Vault cluster', secrets);
    watchVariables(this, 'Vault cluster', secrets);
  }

  hasCluster(cluster: IVaultCluster): boolean {
    return this.members.some((member) => member.cluster === cluster);
  }

  public override toTerraform(): object {
    checkOutput(this.cdktfStack);
    const block = super.toTerraform() as ProviderBlock;
    const { source } = installationOf(this);
    if (source !== undefined) block.terraform.required_providers[PROVIDER_NAME]!.source = source;
    return withRequiredVersion(block);
  }

  /**
   * Returns the clusters; `undefined` if the stack uses only the default cluster, with all settings
   * in the environment.
   */
  private clustersBlock(): Record<string, unknown> | undefined {
    const [only, second] = this.members;
    if (only && !second && isDefault(only)) return undefined;
    return Object.fromEntries(
      this.members.map(({ cluster, connection, isShared }) => [
        cluster.name,
        vaultadminProviderClustersToTerraform({
          ...guardedConnection(connection),
          timeout: connection.timeout?.toString(),
          unknownPolicySyntax: cluster.unknownPolicySyntax,
          ...(isShared() && { usualEnvironment: true }),
        }),
      ]),
    );
  }
}

/** Whether all settings of a cluster come from its environment. */
function isDefault({ cluster, connection, isShared }: Member): boolean {
  const { name, unknownPolicySyntax } = cluster;
  const settings: unknown[] = Object.values({ ...connection, unknownPolicySyntax });
  return name === 'default' && settings.every((setting) => setting === undefined) && !isShared();
}

/**
 * Whether a resource of `vaultadmin` is on a cluster. A resource that names no cluster is on the
 * only one of its provider.
 */
export function isVaultadminResourceOf(
  cluster: IVaultCluster,
  { provider, clusterInput = cluster.name }: TerraformResource & { readonly clusterInput?: string },
): boolean {
  return provider instanceof StackProvider && provider.hasCluster(cluster) && clusterInput === cluster.name;
}
