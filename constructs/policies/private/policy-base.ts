import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { formatImportId } from '../../../src/model';
import { ResourceProvider, type IVaultCluster } from '../../clusters/cluster';
import { moveFromUpstream } from '../../clusters/private/moved-from-upstream';
import { placeLargePolicy } from '../../placement/place-text';
import { asMainResource } from '../../private/main-resource';

/**
 * The functions of a policy of any kind that the app writes.
 *
 * @internal
 */
export abstract class PolicyBase extends Construct {
  public abstract readonly cluster: IVaultCluster;
  public abstract readonly namespace?: string;
  public abstract readonly resource: TerraformResource;

  /** @internal */
  public abstract get _literalName(): string;

  /**
   * The name of the policy: a reference to the Terraform resource, so that a resource that uses it
   * is created after the policy.
   */
  public get policyName(): string {
    return this.resource.getStringAttribute('name');
  }

  /**
   * Takes over a policy that another stack has released, or that exists already: the next apply
   * imports it.
   */
  public takeOver(): void {
    const { cluster, namespace = '', _literalName: name, resource } = this;
    const isVaultadmin = cluster.resourceProvider === ResourceProvider.VAULTADMIN;
    const id = isVaultadmin ? formatImportId({ cluster: cluster.name, namespace, name }) : name;
    const toTerraform = resource.toTerraform.bind(resource) as () => object;
    resource.toTerraform = () => {
      const { friendlyUniqueId, terraformResourceType: type } = resource;
      return { ...toTerraform(), import: [{ to: `${type}.${friendlyUniqueId}`, id }] };
    };
  }

  /**
   * Completes the Terraform resource with what is the same for all kinds.
   *
   * @internal
   * @param upstreamType the type of the kind's resource in `hashicorp/vault`.
   * @param text returns the text of the policy; called when the stack is synthesized.
   */
  public _complete(
    resource: TerraformResource & { policy: string },
    upstreamType: string,
    text: () => string,
  ): void {
    placeLargePolicy(resource, text);
    asMainResource(this, resource);
    moveFromUpstream(resource, this.cluster, upstreamType);
  }
}
