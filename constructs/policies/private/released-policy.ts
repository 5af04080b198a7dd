import { TerraformElement } from 'cdktf';
import type { Construct } from 'constructs';
import { ResourceProvider, type IVaultCluster } from '../../clusters/cluster';

/** The kinds of policies, as at the end of their resources' types. */
type PolicyType = 'policy' | 'rgp_policy' | 'egp_policy';

/** Makes Terraform drop a policy from the state of a stack without deleting it. */
export class ReleasedPolicy extends TerraformElement {
  private readonly type: string;

  /** @param id the construct id of the policy that was declared here. */
  constructor(scope: Construct, id: string, cluster: IVaultCluster, kind: PolicyType) {
    super(scope, id);
    this.type =
      cluster.resourceProvider === ResourceProvider.VAULTADMIN
        ? `vaultadmin_${kind === 'policy' ? 'acl_policy' : kind}`
        : `vault_${kind}`;
    // The resource in the state needs its provider, which therefore must be configured.
    cluster.providerFor(this);
  }

  public override toTerraform(): object {
    return { removed: [{ from: `${this.type}.${this.friendlyUniqueId}`, lifecycle: { destroy: false } }] };
  }
}
