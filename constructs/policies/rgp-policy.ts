import { RgpPolicy as UpstreamRgpPolicy } from '@cdktf/provider-vault/lib/rgp-policy';
import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { RGP_POLICY } from '../../src/model';
import { VaultResources, type IVaultCluster } from '../clusters/cluster';
import { RgpPolicy as VaultadminRgpPolicy } from '../generated/providers/vaultadmin/rgp-policy';
import type { EnforcementLevel } from './enforcement-level';
import type { IPolicy } from './policy';
import { asMainResource } from '../private/main-resource';
import { checkProps, CLUSTER, LEVEL, SENTINEL_DOCUMENT } from '../private/expectations';
import { declarePolicy } from './private/declare-policy';
import { ImportedPolicy } from './private/imported-policy';
import type { SentinelDocument } from './sentinel-document';

const REQUIRED = {
  cluster: CLUSTER,
  document: SENTINEL_DOCUMENT,
  enforcementLevel: LEVEL,
};

/** The properties of a role governing policy. */
export interface RgpPolicyProps {
  /** The cluster to write the policy to. It needs an enterprise edition with Sentinel. */
  readonly cluster: IVaultCluster;

  /**
   * The policy's name, in lower case. Another name is another policy.
   *
   * @default - the construct's path in lower case, its parts joined by `-`
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

  /** How firmly the policy is enforced. */
  readonly enforcementLevel: EnforcementLevel;
}

/** A role governing policy, tied to tokens and identities. Interface sections 2.2 and 4.2. */
export class RgpPolicy extends Construct implements IPolicy {
  /** A policy that is on the cluster already, or that something else writes. */
  public static fromPolicyName(scope: Construct, id: string, policyName: string): IPolicy {
    return new ImportedPolicy(scope, id, policyName);
  }

  /** The cluster that the policy is written to. */
  public readonly cluster: IVaultCluster;

  /** The namespace of the policy, within the namespace of its cluster. */
  public readonly namespace?: string;

  /** The Terraform resource: `vault_rgp_policy`, or `vaultadmin_rgp_policy`. */
  public readonly resource: TerraformResource;

  constructor(scope: Construct, id: string, props: RgpPolicyProps) {
    super(scope, id);
    checkProps(`[${this.node.path}] RgpPolicy`, props, REQUIRED);
    this.cluster = props.cluster;
    this.namespace = props.namespace;
    const policy = props.document.render();
    const { enforcementLevel } = props;

    const fields = () => ({ policy, enforcement_level: enforcementLevel });
    const config = { ...declarePolicy(this, RGP_POLICY, props, fields), policy, enforcementLevel };

    this.resource =
      props.cluster.resources === VaultResources.VAULTADMIN
        ? new VaultadminRgpPolicy(this, 'Resource', { ...config, cluster: props.cluster.name })
        : new UpstreamRgpPolicy(this, 'Resource', config);
    asMainResource(this, this.resource);
  }

  public get policyName(): string {
    return this.resource.getStringAttribute('name');
  }
}
