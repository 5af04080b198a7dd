import { VaultProvider, vaultProviderAuthLoginToTerraform } from '@cdktf/provider-vault/lib/provider';
import type { TerraformProvider, TerraformStack, TerraformResource } from 'cdktf';
import { checkOutput, guardOutput } from '../../placement/output-folder';
import { checkAtSynthesis } from '../../private/report';
import { watchVariables } from '../../private/secret-sources';
import { watchSecrets } from '../../private/secrets';
import { VaultDialect, type VaultConnection } from '../connection';
import { guardedConnection } from './guarded-connection';
import { connectionSecrets } from './check-connection';
import { verbatim } from '../../private/late-text';
import type { IVaultCluster } from '../cluster';
import { literal, phrase, property, type Phrase } from '../../../src/model/messages';

/** The first version with `allow_overwrite` of policies and with write-only secrets. */
const OLDEST = '5.10';

/** Creates the block of `hashicorp/vault` for a cluster in a stack. */
export function upstreamProvider(
  stack: TerraformStack,
  cluster: IVaultCluster,
  connection: VaultConnection,
): TerraformProvider {
  return new UpstreamProvider(stack, `VaultProvider-${cluster.name}`, cluster, connection);
}

interface UpstreamBlock {
  readonly terraform: { readonly required_providers: { readonly vault: { version: string } } };
}

class UpstreamProvider extends VaultProvider {
  constructor(
    stack: TerraformStack,
    id: string,
    readonly cluster: IVaultCluster,
    private readonly connection: VaultConnection,
  ) {
    const guarded = guardedConnection(connection);
    const { authLogin, clientAuth, headers } = guarded;
    super(stack, id, {
      ...guarded,
      alias: cluster.name === 'default' ? undefined : cluster.name,
      authLogin: authLogin && verbatim(() => [vaultProviderAuthLoginToTerraform(authLogin) as unknown]),
      clientAuth: clientAuth && [clientAuth],
      headers: headers && Object.entries(headers).map(([name, value]) => ({ name, value })),
    });
    guardOutput(this);
    checkAtSynthesis(this, () => [
      ...this.addressProblems(),
      ...this.dialectProblems(),
      ...this.wrappingProblems(),
    ]);
    const secrets = connectionSecrets(connection);
    watchSecrets(this, 'Vault cluster', secrets);
    watchVariables(this, 'Vault cluster', secrets);
  }

  public override toTerraform(): UpstreamBlock {
    checkOutput(this.cdktfStack);
    const block = super.toTerraform() as UpstreamBlock;
    // The bindings require the version from which they were generated. The provider also works with
    // every version of the same major version from the oldest supported one on.
    block.terraform.required_providers.vault.version = `~> ${OLDEST}`;
    return block;
  }

  /**
   * Returns the problem of missing addresses: this provider reads one address from its environment,
   * so several clusters without an address would use the same server.
   */
  private addressProblems(): Phrase[] {
    if (this.connection.address !== undefined) return [];
    const clusters = this.cdktfStack
      .allProviders()
      .filter((provider) => provider instanceof UpstreamProvider);
    if (clusters.length === 1) return [];
    return [
      `Vault cluster ${JSON.stringify(this.cluster.name)}: address is missing; where a stack uses several clusters, ` +
        'set the address of each for the provider hashicorp/vault, which would otherwise use the same VAULT_ADDR for all',
    ];
  }

  private wrappingProblems(): Phrase[] {
    if (this.connection.authLogin?.secretIdWrappingPath === undefined) return [];
    return [
      phrase`Vault cluster ${literal(this.cluster.name)}: ${property('authLogin')} has
        ${property('secretIdWrappingPath')}, but the provider hashicorp/vault does not unwrap the secret_id; set
        resourceProvider to ResourceProvider.VAULTADMIN, or unwrap the secret_id yourself`,
    ];
  }

  private dialectProblems(): Phrase[] {
    if ((this.connection.dialect ?? VaultDialect.VAULT) === VaultDialect.VAULT) return [];
    return [
      `Vault cluster ${JSON.stringify(this.cluster.name)}: dialect is ${JSON.stringify(this.connection.dialect)}, and ` +
        "the provider hashicorp/vault only knows the product's names; set resourceProvider to ResourceProvider.VAULTADMIN",
    ];
  }
}

/** Whether a resource of `hashicorp/vault` is on a cluster: its provider shows this. */
export function isUpstreamResourceOf(cluster: IVaultCluster, { provider }: TerraformResource): boolean {
  return provider instanceof UpstreamProvider && provider.cluster === cluster;
}
