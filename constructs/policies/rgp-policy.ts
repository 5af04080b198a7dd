import type { TerraformResource } from 'cdktf';
import type { Construct } from 'constructs';
import { RGP_POLICY } from '../../src/model';
import { ResourceProvider, type IVaultCluster } from '../clusters/cluster';
import { UpstreamRgpPolicy, VaultadminRgpPolicy } from '../private/bindings';
import type { IPolicy } from './policy';
import { guardProps } from '../private/late-values';
import { lateProps } from '../private/string-props';
import { checkConstructProps, CLUSTER, LEVEL, orElse, SENTINEL_DOCUMENT } from '../private/expectations';
import { declarePolicy, refuseNewerSentinel } from './private/declare-policy';
import { ReleasedPolicy } from './private/released-policy';
import { ImportedPolicy } from './private/imported-policy';
import { PolicyBase } from './private/policy-base';
import { SentinelDocument, type EnforcementLevel } from './sentinel-document';

const REQUIRED = {
  cluster: CLUSTER,
  document: orElse(SENTINEL_DOCUMENT, () => SentinelDocument.fromText('main = rule { true }')),
  enforcementLevel: LEVEL,
};

/** The properties of a role governing policy. */
export interface RgpPolicyProps {
  /** The cluster to write the policy to. It requires Vault Enterprise with Sentinel. */
  readonly cluster: IVaultCluster;

  /**
   * The name of the policy, in lower case.
   *
   * A change of the name replaces the policy.
   *
   * @default - the construct's path in lower case, its parts joined with `-`
   */
  readonly policyName?: string | undefined;

  /**
   * The namespace to write the policy to, within the namespace of the cluster.
   *
   * @default - the namespace of the cluster
   */
  readonly namespace?: string | undefined;

  /** The policy's document, in the Sentinel language. */
  readonly document: SentinelDocument;

  /** How strictly the policy is enforced. */
  readonly enforcementLevel: EnforcementLevel;
}

/** A role governing policy (RGP): a Sentinel policy tied to tokens and identities. */
export class RgpPolicy extends PolicyBase implements IPolicy {
  /**
   * Imports an RGP policy that already exists, or that is managed elsewhere.
   *
   * @param policyName the name of the policy.
   */
  public static fromPolicyName(scope: Construct, id: string, policyName: string): IPolicy {
    return new ImportedPolicy(scope, id, policyName);
  }

  /**
   * Releases an RGP policy that this stack declared with the same scope and id, so that another
   * stack can take it over: it leaves the state, and is not deleted. Write this call in place of
   * the declaration until the change is applied.
   *
   * @param cluster the cluster of the policy.
   */
  public static release(scope: Construct, id: string, cluster: IVaultCluster): void {
    new ReleasedPolicy(scope, id, cluster, 'rgp_policy');
  }

  /** The cluster that the policy is written to. */
  public readonly cluster: IVaultCluster;

  /** The namespace of the policy, within the namespace of its cluster. */
  public readonly namespace?: string;

  /** The Terraform resource: `vault_rgp_policy`, or `vaultadmin_rgp_policy`. */
  public readonly resource: TerraformResource;

  /** @internal */
  public readonly _literalName: string;

  /** @throws Error for invalid properties. */
  constructor(scope: Construct, id: string, props: RgpPolicyProps) {
    super(scope, id);
    const usable = checkConstructProps(this, 'RgpPolicy', 'RgpPolicyProps', props, REQUIRED);
    this.cluster = usable.cluster;
    this.namespace = usable.namespace;
    const policy = usable.document.render();
    const { enforcementLevel } = usable;

    const fields = () => ({ policy, enforcement_level: enforcementLevel });
    const config = { ...declarePolicy(this, RGP_POLICY, usable, fields), policy, enforcementLevel };
    refuseNewerSentinel(this, RGP_POLICY, config, usable);

    const resource =
      usable.cluster.resourceProvider === ResourceProvider.VAULTADMIN
        ? new VaultadminRgpPolicy(this, 'Resource', { ...config, cluster: usable.cluster.name })
        : new UpstreamRgpPolicy(this, 'Resource', config);
    this.resource = resource;
    this._literalName = config.name;
    this._complete(resource, 'vault_rgp_policy', () => policy);
    guardProps(resource, lateProps('RgpPolicyProps', usable));
  }
}
