import type { TerraformResource } from 'cdktf';
import { ResourceProvider, type IVaultCluster } from '../cluster';

/** A synthesized resource, with the parts that this file uses. */
interface Written {
  readonly moved?: unknown;
}

/**
 * Writes a `moved` block from the resource of `hashicorp/vault` that had the same address, so that
 * a change of `resourceProvider` on the cluster changes only the state. Terraform ignores the block
 * if the state does not have the old resource. If the app itself moves the resource, no block is
 * written, because two blocks cannot have the same target.
 *
 * @param upstreamType such as `vault_policy`.
 */
export function moveFromUpstream(
  resource: TerraformResource,
  cluster: IVaultCluster,
  upstreamType: string,
): void {
  if (cluster.resourceProvider !== ResourceProvider.VAULTADMIN || cluster.moveFromUpstream === false) return;
  let isTarget = false;
  const addMoveTarget = resource.addMoveTarget.bind(resource);
  resource.addMoveTarget = (name) => {
    isTarget = true;
    addMoveTarget(name);
  };
  const toTerraform = resource.toTerraform.bind(resource) as () => Written;
  resource.toTerraform = () => {
    const written = toTerraform();
    if (isTarget || written.moved !== undefined) return written;
    const { friendlyUniqueId: name, terraformResourceType: type } = resource;
    return { ...written, moved: [{ from: `${upstreamType}.${name}`, to: `${type}.${name}` }] };
  };
}
