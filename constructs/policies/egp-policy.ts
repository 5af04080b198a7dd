import { EgpPolicy as UpstreamEgpPolicy } from '@cdktf/provider-vault/lib/egp-policy';
import type { TerraformResource } from 'cdktf';
import { Construct } from 'constructs';
import { EGP_POLICY } from '../../src/model';
import { VaultResources, type IVaultCluster } from '../clusters/cluster';
import { EgpPolicy as VaultadminEgpPolicy } from '../generated/providers/vaultadmin/egp-policy';
import type { EnforcementLevel } from './enforcement-level';
import type { IPolicy } from './policy';
import { asMainResource } from '../private/main-resource';
import { checkProps, CLUSTER, LEVEL, list, SENTINEL_DOCUMENT } from '../private/expectations';
import { declarePolicy } from './private/declare-policy';
import { ImportedPolicy } from './private/imported-policy';
import type { SentinelDocument } from './sentinel-document';

const REQUIRED = {
  cluster: CLUSTER,
  document: SENTINEL_DOCUMENT,
  enforcementLevel: LEVEL,
  paths: list('a list of paths', "'secret/data/app/*'"),
};

/** The properties of an endpoint governing policy. */
export interface EgpPolicyProps {
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

  /**
   * The paths that the policy applies to, without a leading slash.
   *
   * A final `*` stands for any suffix; `*` alone for all authenticated and login requests.
   */
  readonly paths: string[];
}

/** An endpoint governing policy, tied to paths. Interface sections 2.2 and 4.2. */
export class EgpPolicy extends Construct implements IPolicy {
  /** A policy that is on the cluster already, or that something else writes. */
  public static fromPolicyName(scope: Construct, id: string, policyName: string): IPolicy {
    return new ImportedPolicy(scope, id, policyName);
  }

  /** The cluster that the policy is written to. */
  public readonly cluster: IVaultCluster;

  /** The namespace of the policy, within the namespace of its cluster. */
  public readonly namespace?: string;

  /** The Terraform resource: `vault_egp_policy`, or `vaultadmin_egp_policy`. */
  public readonly resource: TerraformResource;

  constructor(scope: Construct, id: string, props: EgpPolicyProps) {
    super(scope, id);
    checkProps(`[${this.node.path}] EgpPolicy`, props, REQUIRED);
    this.cluster = props.cluster;
    this.namespace = props.namespace;
    const policy = props.document.render();
    const { enforcementLevel, paths } = props;

    const fields = () => ({ policy, enforcement_level: enforcementLevel, paths });
    const config = { ...declarePolicy(this, EGP_POLICY, props, fields), policy, enforcementLevel, paths };

    this.resource =
      props.cluster.resources === VaultResources.VAULTADMIN
        ? new VaultadminEgpPolicy(this, 'Resource', { ...config, cluster: props.cluster.name })
        : new UpstreamEgpPolicy(this, 'Resource', config);
    asMainResource(this, this.resource);
  }

  public get policyName(): string {
    return this.resource.getStringAttribute('name');
  }
}
